"""The bench broker: MQTT 5 at QoS 0 and 1, for a machine on which no Mosquitto is installed.

It has what feltd and a technician's tools use: retained messages with expiry, wills with delay, persistent sessions
with their queues, takeover, keepalive, session expiry, receive maximum, reason codes. It has no QoS 2, no shared
subscriptions, no subscription identifiers, no topic aliases and no passwords, and says so in its CONNACK; a client
whose packets must be smaller than the broker's is refused. MQTT 3.1.1 is refused with that protocol's own
"unacceptable protocol version". It listens on the loopback only and keeps nothing on disk: no site runs it.
"""

from sim_hardware.broker.exchange import Exchange
from sim_hardware.broker.server import Broker, Judge, Verdict
from sim_hardware.broker.session import Limits

__all__ = ["Broker", "Exchange", "Judge", "Limits", "Verdict"]
