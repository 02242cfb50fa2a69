"""The log's view of a table: one line for each change of phase, and one for each alert that is raised or cleared."""

from __future__ import annotations

import structlog

from daemon.journal.journal import Committed
from daemon.table.facts import AlertRaised
from daemon.table.state import Phase, TableState

_log = structlog.get_logger(__name__)


class TableLog:
    """Logs what a committed step changed. Remembers only what it logged last."""

    def __init__(self) -> None:
        self._phase: Phase | None = None
        self._alerts: tuple[AlertRaised, ...] = ()

    def on_commit(self, committed: Committed, state: TableState) -> None:
        """Log a new phase, new alerts and cleared alerts."""
        if state.phase is not self._phase:
            round_id = state.round.id if state.round else None
            _log.info("phase", phase=state.phase.value, round=round_id, offset=committed.offset)
            self._phase = state.phase
        if state.alerts is not self._alerts:
            self._log_alerts(state.alerts)

    def _log_alerts(self, alerts: tuple[AlertRaised, ...]) -> None:
        before = {alert.alert for alert in self._alerts}
        for alert in alerts:
            if alert.alert not in before:
                _log.warning("alert", alert=alert.alert, message=alert.message, remedy=alert.remedy)
        for name in sorted(before.difference(alert.alert for alert in alerts)):
            _log.info("alert-cleared", alert=name)
        self._alerts = alerts
