"""What "No green yet" promises: green is refused for that reason, and what the sentence asks for ends it."""

from __future__ import annotations

import re
from typing import Final

from daemon.rules.money import dollars
from daemon.rules.wagers import Colour, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Bet, ClearBets, Input, Press, Request
from daemon.table.reducer import apply
from daemon.table.state import SeenStake
from daemon.table.vocabulary import Actor, RequestId, SeatNumber
from daemon.table.wording import spot_name
from drivers.events import Button, DeviceReport, Receipt, StakeSeen, Stamp
from tests.table.asking import Asking

DISPUTED: Final = r"seat (?P<at>\d+), (?P<spot>[^:(]+?)(?: \((?P<colour>red|black)\))?: (?P<wrong>.*)"
ENTERED: Final = r"(?P<seen>\S+) is seen and (?P<entered>\S+) was entered; the dealer enters what lies there"

ALONE: Final = r"(?P<entered>\S+) was entered and cannot be bet alone \(.*\); .* or clears the seat"


def no_green(asking: Asking, said: re.Match[str]) -> None:
    """Green is refused for what is said, or because nobody has bet."""
    answer, missing = asking.answer(Press(Button.GREEN)), said["missing"]
    assert not answer.accepted, asking.state.prompt
    assert answer.code == "no-bets" or missing in answer.message, f"{asking.state.prompt!r}, and green says {answer}"
    disputed = re.fullmatch(DISPUTED, missing)
    if disputed is None:
        return  # what nobody settles at the felt comes first
    if re.fullmatch(ALONE, disputed["wrong"]) is not None:
        _ends(asking, _request(asking, ClearBets(SeatNumber(int(disputed["at"])))), missing)
        return
    seen = next(each for each in asking.state.seen if _is_named(each, disputed, asking))
    wrong = disputed["wrong"]
    if (amounts := re.fullmatch(ENTERED, wrong)) is not None:
        assert amounts["seen"] == (dollars(seen.stake_cents) if seen.stake_cents else "nothing")
        _ends(asking, _entry(asking, seen), missing)
    elif "enter what lies there" in wrong:
        _ends(asking, _entry(asking, seen), missing)
    else:
        assert "taken back" in wrong or "take them away" in wrong, wrong
        _ends(asking, _lifted(asking, seen), missing)
    _ends(asking, _request(asking, ClearBets(seen.seat)), missing)


def _is_named(seen: SeenStake, disputed: re.Match[str], asking: Asking) -> bool:
    colour = None if disputed["colour"] is None else Colour(disputed["colour"])
    spot = spot_name(seen.wager, PROCEDURES[asking.state.settings.game].play.spot_names)
    return (seen.seat, spot, seen.colour) == (SeatNumber(int(disputed["at"])), disputed["spot"], colour)


def _entry(asking: Asking, seen: SeenStake) -> Request:
    """The dealer enters what was entered before: somebody was right, and this the rules take."""
    played = asking.state.round
    assert played is not None
    lying = next(stake for stake in played.stakes_of(seen.seat) if stake.wager is seen.wager)
    return _request(asking, Bet(seen.seat, WagerName(seen.wager), lying.stake_cents, lying.colour))


def _lifted(asking: Asking, seen: SeenStake) -> DeviceReport:
    """The chips are taken away, and the device says so."""
    spot = (seen.wager if seen.colour is None else seen.colour).value.replace("_", "-")
    return DeviceReport(seen.device, _soon(asking), StakeSeen(seen.seat, spot, 0), Receipt("felt-1", 10_000))


def _request(asking: Asking, action: Bet | ClearBets) -> Request:
    running = None if asking.state.round is None else asking.state.round.id
    return Request(_soon(asking), RequestId("asked"), "mary", Actor.DEALER, None, action, running)


def _soon(asking: Asking) -> Stamp:
    return Stamp(asking.state.at.utc_ns + 1, asking.state.at.mono_ns + 1)


def _ends(asking: Asking, happened: Input, missing: str) -> None:
    """This is taken, and the sentence is gone."""
    step = apply(asking.state, happened)
    assert step.answer is None or step.answer.accepted, f"{asking.state.prompt!r}, and {happened}: {step.answer}"
    assert missing not in step.state.prompt, f"{happened} leaves {missing!r}"
