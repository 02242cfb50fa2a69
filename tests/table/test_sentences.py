"""Each sentence of the table is made from its id and its fields, by one form."""

from __future__ import annotations

from dataclasses import replace

from daemon.journal.record import CARRIED, Carried
from daemon.rules.results import Objection
from daemon.rules.wagers import WagerName
from daemon.table import alerts
from daemon.table.carry_over import carry_over
from daemon.table.draft import Draft, Refusal
from daemon.table.games import PROCEDURES
from daemon.table.round_facts import DealerPrompted, PromptStep
from daemon.table.said import THEN_NEXT, Clause, Said, SaidId
from daemon.table.sentences import FORMS, in_english, in_words
from daemon.table.vocabulary import COMMUNITY, DEALER, PromptAction, SeatNumber
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table

SEAT = SeatNumber(3)
OF_BETS = Said(SaidId.THEN_GREEN, because=(Clause(SaidId.PLACE_BETS),))
PLAYS = {game: procedure.play for game, procedure in PROCEDURES.items()}


def test_every_id_has_a_form() -> None:
    assert set(FORMS) == set(SaidId)


def test_sentences_share_the_steps_of_their_prompt_in_order(says: Says) -> None:
    steps = tuple(PromptStep(WagerName.ANTE, action, 500, SEAT) for action in PromptAction)
    said = (Said(SaidId.FOLDS, SEAT, steps=1, later_steps=1), Said(SaidId.DO_AT_SEAT, SEAT, steps=1), THEN_NEXT)
    says(in_english(said, steps, {WagerName.ANTE: "ANTE"}))


def test_a_step_that_moves_nothing_is_not_said(says: Says) -> None:
    steps = (PromptStep(WagerName.ANTE, PromptAction.TAKE, 0), PromptStep(WagerName.ANTE, PromptAction.PAY, 500))
    says(in_english((Said(SaidId.DO_AND_PICK_UP, SEAT, steps=2),), steps, {WagerName.ANTE: "ANTE"}))


def test_a_persons_word_stands_behind_what_stopped_the_round(says: Says) -> None:
    found = Clause(SaidId.WRONG_COUNT, DEALER, count=4, wanted=3)
    says(in_words(found, Clause(SaidId.VOID_ASKED), Clause(SaidId.RULED, who="sue", text="seen on camera")))


def test_a_refusal_that_prompts_name_says_the_same_as_they() -> None:
    jam = Clause(SaidId.REPORTS_FAULT, device="shuffler", word="jam")
    why = Said(SaidId.CLEAR_FIRST, names=("jam-shuffler",), because=(jam,))
    assert Refusal("play-blocked", why).message({}) == in_words(why)


def test_only_fields_that_a_sentence_needs_are_written() -> None:
    state = replace(Table().state, prompted=DealerPrompted("Place your bets", said=(OF_BETS,)))
    carried = carry_over(state)
    assert carried is not None
    assert b'"prompt_said":[{"id":"then-green","because":[{"id":"place-bets"}]}]' in CARRIED.encode(
        Carried(1, carried, ())
    )


def test_a_sentence_of_an_earlier_version_is_not_said_again() -> None:
    """It carried over what it told the dealer, and not of what. The next look at the table completes it."""
    state = replace(Table().state, prompted=DealerPrompted("Then next."))
    draft = Draft(state, PLAYS)
    draft.prompt(THEN_NEXT)
    assert draft.step().facts == ()
    assert draft.state.prompted == DealerPrompted("Then next.", None, (), (THEN_NEXT,))


def test_what_keeps_a_round_from_opening_is_said_in_the_alerts_words_with_who_clears_it(says: Says) -> None:
    state = Table().state
    for alert in (alerts.order_refused(SHUFFLER, "dispense", "busy"), alerts.unwatched(SHUFFLER)):
        state = replace(state, alerts=(*state.alerts, alert))
    why = Said(SaidId.ALERTS_FIRST, names=state.blocked_by, because=alerts.to_clear(state))
    says(in_english((why,), (), {}))


def test_one_thing_is_said_as_one_and_many_as_many(says: Says) -> None:
    for count in (1, 2, 3, 11):
        again = Clause(SaidId.PACKET_AGAIN, count=4, times=count)
        seats = Said(SaidId.FIRST_5_LOOK, seats=tuple(map(SeatNumber, range(1, count + 1))))
        place = SEAT if count > 1 else COMMUNITY
        says(in_words(Clause(SaidId.WRONG_COUNT, place, count=count, wanted=5), again))
        says(in_english((seats,), (), {}))


def test_what_only_one_games_rules_object_to_has_a_sentence_of_the_same_name() -> None:
    assert {objection.value for objection in Objection} <= {said.value for said in FORMS}
