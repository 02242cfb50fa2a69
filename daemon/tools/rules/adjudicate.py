"""`feltd adjudicate`: hands in, results out, one JSON line each, in order, as they come.

A line that cannot be read is answered with an error and the next one is read; only the exit status remembers. A
line that is too long is answered and skipped without being held in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

import click
import msgspec

from daemon.errors import ExitStatus
from daemon.rules.limits import Limits
from daemon.rules.results import Refused, Settled, Voided, WagerResult
from daemon.rules.wagers import GameName
from daemon.tools.rules.game import CommandGame
from daemon.tools.rules.games import GAMES
from daemon.tools.rules.lines import Envelope, Judged, LineError, decoded, nearest_of, texts

_NAMES: Final[Mapping[str, GameName]] = {game.value: game for game in GameName}
LINE_BYTES_MAX: Final = 1 << 20  # a hand of the wordiest game has under two thousand


def adjudicate_line(data: bytes, number: int) -> tuple[dict[str, object], bool]:
    """Return the answer to one line, and whether the line was a hand at all."""
    envelope = Envelope()
    try:
        envelope = _open(data)
        return {"id": envelope.id, **_rendered(_game(envelope.game).answer(data))}, True
    except LineError as error:
        where = f"line {number}: {error.where}" if error.where else f"line {number}"
        return {"id": envelope.id, "error": {"code": error.code, "message": error.message, "where": where}}, False


def _open(data: bytes) -> Envelope:
    if len(data) > LINE_BYTES_MAX:
        raise LineError("too-long", f"a line has at most {LINE_BYTES_MAX} bytes", "")
    return decoded(data, Envelope)


def _game(name: object) -> CommandGame[Any]:
    if not isinstance(name, str):
        raise LineError("malformed", "a line names its game", "game")
    if name not in _NAMES:
        raise LineError("unknown-game", f"{name!r} is not a game{nearest_of(name, _NAMES)}", "game")
    return GAMES[_NAMES[name]]


def _rendered(judged: Judged) -> dict[str, object]:
    match judged.result:
        case Refused() as refused:
            return {"refused": {"code": refused.code.value, "message": refused.message}}
        case Voided(wagers=wagers, why=why):
            return {"void": why.reason.value, "detail": why.detail, "wagers": _wagers(wagers, judged.limits)}
        case Settled(wagers=wagers):
            return {"wagers": _wagers(wagers, judged.limits), **judged.decided}


def _wagers(results: tuple[WagerResult, ...], limits: Limits) -> dict[str, object]:
    return {result.name.value: _wager(result, limits) for result in results}


def _wager(result: WagerResult, limits: Limits) -> dict[str, object]:
    """Return one wager's answer. Rounding, a cut and the duty to verify stand there only where there is one."""
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
    rounded = {"rounding": str(result.rounding)} if result.rounding else {}
    cut = {"aggregate_cut": result.aggregate_cut} if result.aggregate_cut else {}
    verify = {"verify": True} if result.pays > limits.verify_over else {}
    return answer | rounded | cut | verify


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
        out.flush()  # a person who types a hand waits for its answer
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
