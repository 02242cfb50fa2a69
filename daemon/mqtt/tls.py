"""TLS towards the broker, as the table's file says it."""

from __future__ import annotations

import ssl

from daemon.mqtt.delivery import BrokerRefusesError
from daemon.mqtt.settings import MqttSettings


def tls_context(settings: MqttSettings) -> ssl.SSLContext | None:
    """Read the files, and return what a connection needs of them. Raise BrokerRefusesError."""
    tls = settings.tls
    if tls is None:
        return None
    try:
        context = ssl.create_default_context(cafile=None if tls.ca_file is None else str(tls.ca_file))
        # From Python 3.13 on this flag is set, and a house's own authority that names no key usage would be refused.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        context.sslsocket_class = _TidySocket
        if tls.certificate_file is not None:
            context.load_cert_chain(tls.certificate_file, tls.key_file)
    except OSError as error:
        raise BrokerRefusesError(settings, f"the TLS files cannot be used: {error}") from error
    return context


class _TidySocket(ssl.SSLSocket):
    """Closes itself when its handshake fails, because paho drops the reference without closing it."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise
