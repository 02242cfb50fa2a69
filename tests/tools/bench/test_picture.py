"""The live picture: it fits the terminal, and nothing in it moves but what happens."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from daemon.rules import games as rules
from daemon.rules.wagers import GameName
from daemon.table.games import PROCEDURES
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.picture import Sight, picture
from daemon.tools.bench.show import fault_keys
from tests.support.sentences import Says

SIZES = [(80, 24), (130, 45)]
LISTEN = "mosquitto_sub -p 18830 -t 'felt/v1/bench/table1/#' -v"
LONG_PROMPT = "Seat 3: pay 25000.00 on ROYAL FLUSH, take 15.00 on ALL RED / ALL BLACK, pay 7.50 on RANGE. Then next."


def seat(number: int, **now: Any) -> dict[str, Any]:  # noqa: ANN401
    nothing: dict[str, Any] = {
        "stakes": [],
        "cards_dealt": None,
        "delivered": False,
        "reconciled": False,
        "settled": None,
        "hands": [],
        "results": [],
    }
    return {"seat": number, **nothing, **now}


def stake(wager: str, cents: int) -> dict[str, Any]:
    return {"wager": wager, "stake_cents": cents}


def settled(cards: str, hand: str, pays_cents: int) -> dict[str, Any]:
    wagers = [{"pays_cents": pays_cents}]
    return {"settled": {"cards": cards.split(), "hand": hand, "total": 50, "wagers": wagers}, "results": wagers}


def table(
    seats: int,
    prompt: str = "Place your bets.",
    game: GameName = GameName.BIG_50,
    **now: Any,  # noqa: ANN401
) -> dict[str, Any]:
    busiest = seat(
        1,
        stakes=[stake(name.value, 2500) for name in GAMES[game].layout.columns],
        cards_dealt=5,
        reconciled=True,
        **settled("Th Td Tc Ts Kh", "three of a kind", 2_500_000),
    )
    others = [seat(number, cards_dealt=5) for number in range(2, seats + 1)]
    usual = {"table": "table1", "game": game.value, "phase": "reconciling", "round_number": 12, "deck": "in-use"}
    around: dict[str, Any] = {"prompt": prompt, "alerts": [], "devices": [{"device": "shuffler", "presence": "up"}]}
    around |= {"dealer_cards": ["Ah"], "community_cards": []}
    around |= {"button": 2, "variant": "five-card-draw", "shoe": {"cards_gone": 31}}
    return {**usual, **around, "seats": [busiest, *others], **now}


def drawn(shown: dict[str, Any] | None, size: tuple[int, int], **changes: Any) -> list[str]:  # noqa: ANN401
    usual: dict[str, Any] = {
        "layout": GAMES[GameName(shown["game"]) if shown else GameName.BIG_50].layout,
        "state": {} if shown is None else {"table": shown},
        "status": {"status": "running"},
        "house_cents": -937_750,
        "lines": [f"{number:>6}  something that happened" for number in range(100)],
        "broker": "Mosquitto on port 18830",
        "listen": LISTEN,
        "page": None,
        "faults": {key: (name, False) for key, name in fault_keys("felt-link-shuffler-faces").items()},
        "is_paused": False,
    }
    screen = Console(file=io.StringIO(), width=size[0], height=size[1], color_system=None)
    with screen.capture() as captured:
        screen.print(picture(Sight(**usual | changes), *size))
    return captured.get().splitlines()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [1, 6, 10])
def test_it_fills_the_terminal_and_no_more(seats: int, size: tuple[int, int], game: GameName) -> None:
    lines = drawn(table(min(seats, rules.GAMES[game].positions_max), LONG_PROMPT, game), size)
    assert len(lines) == size[1]
    assert max(len(line) for line in lines) <= size[0]
    assert LISTEN in lines[-1]


@pytest.mark.parametrize("size", SIZES)
def test_an_alert_takes_its_line_from_the_events(size: tuple[int, int]) -> None:
    alert = {"message": "shuffler reports jam", "remedy": "free the cards"}
    lines = drawn(table(6, alerts=[alert]), size)
    assert len(lines) == size[1]
    assert any(line.startswith("! shuffler reports jam: free the cards") for line in lines)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_between_an_empty_seat_and_a_settled_one(size: tuple[int, int]) -> None:
    before = drawn({**table(3), "seats": [seat(number) for number in (1, 2, 3)]}, size, lines=[])
    after = drawn(table(3, LONG_PROMPT), size)
    header = [place for place, line in enumerate(before) if line.startswith("seat")]
    assert header == [place for place, line in enumerate(after) if line.startswith("seat")]
    assert before[header[0]] == after[header[0]]
    foot = before.index(next(line for line in before if line.startswith("0 short-hand")))
    assert before[foot:] == after[foot:]


def test_each_value_stands_under_its_columns_name() -> None:
    lines = drawn(table(2), (80, 24))
    row = next(place for place, line in enumerate(lines) if line.startswith("seat"))
    names, values = lines[row], lines[row + 1]
    assert " ".join(values.split()) == "1 25.00 25.00 25.00 25.00 T♥ T♦ T♣ T♠ K♥ three of a kind 50 +25000.00✓"
    for name, value in (("FLUSH", "25.00"), ("cards", "T♥ T♦"), ("hand", "three"), ("total", "50")):
        ends = name in ("FLUSH", "total")
        assert (names.index(name) + len(name) * ends) == (values.index(value) + len(value) * ends), name


@pytest.mark.parametrize("game", GAMES)
def test_the_columns_are_headed_with_the_layouts_names(game: GameName) -> None:
    names = PROCEDURES[game].play.spot_names
    for spot, (heading, _) in GAMES[game].layout.columns.items():
        assert " ".join(heading.split()) == names[spot].replace("/ ALL", "/")


def test_all_hands_of_a_split_stand_at_the_seat_and_the_dealers_second_card_face_down() -> None:
    split = seat(1, hands=[{"cards": ["8d", "Th"]}, {"cards": ["8s"]}])
    lines = drawn({**table(1, game=GameName.BLACKJACK), "seats": [split]}, (80, 24))
    assert any("8♦ T♥ | 8♠" in line for line in lines)
    assert any(line.split()[:3] == ["dealer", "A♥", "▮"] for line in lines)


def test_a_hand_that_play_turned_up_lies_open() -> None:
    playing = seat(1, cards_dealt=2, delivered=True, hands=[{"cards": ["8d", "Th"]}])
    folding = seat(2, cards_dealt=2, delivered=True, hands=[{"cards": [None, None]}])
    lines = drawn({**table(2, game=GameName.BIG_RAISE), "seats": [playing, folding]}, (80, 24))
    assert any(line.split()[:3] == ["1", "8♦", "T♥"] for line in lines)
    assert any(line.split()[:3] == ["2", "▮", "▮"] for line in lines)


def test_what_was_taken_before_the_end_belongs_to_a_seats_result() -> None:
    bust = seat(1, **settled("Tc 6d Kh", "bust", -2500), reconciled=True)
    bust["results"] = [{"pays_cents": -2500}, *bust["results"]]
    lines = drawn({**table(1, game=GameName.BLACKJACK), "seats": [bust]}, (80, 24))
    assert any(line.endswith("-50.00✓") for line in lines)


def test_a_wager_that_is_settled_before_its_hand_counts_at_once() -> None:
    first = seat(1, cards_dealt=5, results=[{"pays_cents": 2500}])
    lines = drawn({**table(1, game=GameName.BIG_DRAW), "seats": [first]}, (80, 24))
    assert any(line.rstrip().endswith("+25.00") for line in lines)


def test_the_button_and_its_side_stand_above_the_seats() -> None:
    assert "button at seat 2 · 5 Card Draw" in drawn(table(5, game=GameName.BIG_DRAW), (80, 24))


def test_the_dealers_open_card_and_the_backs_of_the_others_stand_above_the_seats() -> None:
    lines = drawn(table(6, game=GameName.BIG_RAISE), (80, 24))
    (shown,) = [line for line in lines if line.startswith("dealer")]
    assert shown.split() == ["dealer", "A♥", "▮", "▮", "in", "common", "▮", "▮", "▮"]


def test_before_the_tables_first_word_it_says_what_it_waits_for(says: Says) -> None:
    says(drawn(None, (80, 24))[0])


def test_pausing_is_shown() -> None:
    assert "PAUSED" in drawn(table(6), (80, 24), is_paused=True)[0]
    assert "PAUSED" not in drawn(table(6), (80, 24))[0]


def test_whoever_deals_at_the_bench_sees_the_cards_that_no_device_read() -> None:
    now = table(2, game=GameName.BIG_RAISE, dealer_cards=[])
    lines = drawn(now, (80, 24), lying={2: ["5d", "Kc"], 0: ["9s"], -1: ["2h", "3h", "4h"]})
    assert any("5♦ K♣" in line for line in lines)
    assert any("9♠" in line and "2♥ 3♥ 4♥" in line for line in lines)
    assert not any("5♦" in line for line in drawn(now, (80, 24)))


def test_whoever_deals_at_the_bench_sees_how_many_cards_they_would_count() -> None:
    now = table(2, "Count the rest of the deck and enter the count.", phase="counting")
    lines = drawn(now, (80, 24), rest=29)
    assert "At this bench you would count 29 cards." in " ".join(" ".join(lines).split())
    assert "you would count 1 card." in " ".join(" ".join(drawn(now, (80, 24), rest=1)).split())
    assert not any("would count" in line for line in drawn(now, (80, 24)))
