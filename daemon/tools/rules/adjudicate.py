"""`feltd adjudicate`: hands in, results out, one JSON line each, in order, as they come.

A line that cannot be read is answered with an error and the next one is read; only the exit status remembers. A
line that is too long is answered and skipped without being held in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, BinaryIO, Final, Generic

import click
import msgspec

from daemon.errors import ExitStatus
from daemon.rules.results import Refused, Settled, Voided, WagerResult
from daemon.rules.wagers import GameName
from daemon.tools.rules.blackjack import BlackjackLine, judge_blackjack
from daemon.tools.rules.hands import (
    Big50Line,
    BigDrawLine,
    BigRaiseLine,
    judge_big_50,
    judge_big_draw,
    judge_big_raise,
    texts,
)
from daemon.tools.rules.lines import Envelope, Judged, LineError, LineT, decoded, nearest_of

LINE_BYTES_MAX: Final = 1 << 20  # a hand of the wordiest game has under two thousand


@dataclass(frozen=True, slots=True)
class Adjudicator(Generic[LineT]):
    """How one game's lines are read, and how they are judged."""

    line: type[LineT]
    judge: Callable[[LineT], Judged]

    def answer(self, data: bytes) -> Judged:
        """Judge one line, else LineError."""
        return self.judge(decoded(data, self.line))


ADJUDICATORS: Final[Mapping[str, Adjudicator[Any]]] = MappingProxyType(
    {
        GameName.BIG_50.value: Adjudicator(Big50Line, judge_big_50),
        GameName.BIG_RAISE.value: Adjudicator(BigRaiseLine, judge_big_raise),
        GameName.BIG_DRAW.value: Adjudicator(BigDrawLine, judge_big_draw),
        GameName.BLACKJACK.value: Adjudicator(BlackjackLine, judge_blackjack),
    }
)


def adjudicate_line(data: bytes, number: int) -> tuple[dict[str, object], bool]:
    """The answer to one line, and whether the line was a hand at all."""
    envelope = Envelope()
    try:
        envelope = _open(data)
        return {"id": envelope.id, **_rendered(_adjudicator(envelope.game).answer(data))}, True
    except LineError as error:
        where = f"line {number}: {error.where}" if error.where else f"line {number}"
        return {"id": envelope.id, "error": {"code": error.code, "message": error.message, "where": where}}, False


def _open(data: bytes) -> Envelope:
    if len(data) > LINE_BYTES_MAX:
        raise LineError("too-long", f"a line has at most {LINE_BYTES_MAX} bytes", "")
    return decoded(data, Envelope)


def _adjudicator(game: object) -> Adjudicator[Any]:
    if not isinstance(game, str):
        raise LineError("malformed", "a line names its game", "game")
    if game not in ADJUDICATORS:
        raise LineError("unknown-game", f"{game!r} is no game{nearest_of(game, ADJUDICATORS)}", "game")
    return ADJUDICATORS[game]


def _rendered(judged: Judged) -> dict[str, object]:
    match judged.result:
        case Refused() as refused:
            return {"refused": {"code": refused.code.value, "message": refused.message}}
        case Voided(wagers=wagers, why=why):
            return {"void": why.reason.value, "detail": why.detail, "wagers": _wagers(wagers)}
        case Settled(wagers=wagers):
            return {"wagers": _wagers(wagers), **judged.decided}


def _wagers(results: tuple[WagerResult, ...]) -> dict[str, object]:
    return {result.name.value: _wager(result) for result in results}


def _wager(result: WagerResult) -> dict[str, object]:
    """One wager's answer; the rounding only where there was one."""
    by = result.decided_by
    answer: dict[str, object] = {
        "stake": result.stake,
        "outcome": result.outcome.value,
        "pays": result.pays,
        "returned": result.returned,
        "row": by.row if by else None,
        "paytable": by.paytable if by else None,
        "paytable_sha256": by.sha256 if by else None,
        "cards": texts(result.cards),
    }
    return answer | ({"rounding": str(result.rounding)} if result.rounding else {})


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines as they arrive; of one that is too long only the start, which is enough to refuse it."""
    while line := stream.readline(LINE_BYTES_MAX + 1):
        rest = line
        while len(rest) > LINE_BYTES_MAX and not rest.endswith(b"\n"):
            rest = stream.readline(LINE_BYTES_MAX + 1)
        yield line


def adjudicate(stream: BinaryIO, out: BinaryIO) -> ExitStatus:
    """Answer every line that is not blank."""
    status = ExitStatus.OK
    encoder = msgspec.json.Encoder()
    for number, line in enumerate(_lines(stream), start=1):
        if not line.strip():
            continue
        answer, is_hand = adjudicate_line(line, number)
        out.write(encoder.encode(answer) + b"\n")
        out.flush()  # whoever types a hand waits for its answer
        status = status if is_hand else ExitStatus.REFUSED
    return status


@click.command("adjudicate")
@click.argument("file", type=click.File("rb"), default="-")
@click.pass_context
def adjudicate_command(context: click.Context, file: BinaryIO) -> None:
    """Settle hands: JSON lines in, JSON lines out, in order.

    FILE has one hand a line, "-" is standard input. Exit status 1 when a line was no hand; the others are
    answered all the same.
    """
    context.exit(adjudicate(file, sys.stdout.buffer))
