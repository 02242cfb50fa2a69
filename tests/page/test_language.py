"""A page in Spanish: what the table says is said in Spanish, sentence by sentence, and by the same fields."""

from __future__ import annotations

import json
import re
from typing import Any, Final, get_args

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.record import FACT_BODIES
from daemon.mqtt.commands import MalformedCode
from daemon.mqtt.documents import REPLY, STATE, Reply, State
from daemon.page.answers import PageCode
from daemon.rules.wagers import WagerName
from daemon.table.inputs import Bet, Configured, OpenTable, StubCount
from daemon.table.offers import Bounds
from daemon.table.picture import TableView
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import DealerPrompted
from daemon.table.said import Clause, Said, SaidId
from daemon.table.sentences import FORMS, fields_of
from daemon.table.settings import SEEN_BY_PEOPLE
from daemon.table.state import TableState
from daemon.table.view import public
from daemon.table.vocabulary import Ruling, SeatNumber
from drivers.errors import LossCode, SetupCode
from drivers.events import Button, FaultKind, FaultRaised, LinkLost, SetupFailed
from protocols.cards import DECK
from tests.page.browsing import Floor
from tests.table.playing import Table
from tests.table.recorded_rounds import ROUNDS, recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")

ENGLISH: Final = re.compile(
    r"\b(the|seat|turn|then|next|take|pay|return|card|cards|hand|draw|deal|enter|void|over)\b", re.IGNORECASE
)
OF_THE_GAMES: Final = re.compile(r"5 Card Draw|2 CARD|5 CARD|BIG DRAW|Big Draw Poker")
"""Names that stay as they are printed on the felt."""
GAPS: Final = re.compile(r"undefined|null|NaN|[{}]")
PROMPTS: Final = """async ([tables]) => {
    const { promptOf } = await import("/said.js"), { drawPrompt } = await import("/prompt.js");
    return tables.map((table) => {
        const sentence = promptOf(table), drawn = document.createElement("div");
        const parts = drawPrompt({ sentence, seat: table.ask?.seat ?? null, steps: table.ask?.steps ?? [] });
        drawn.append(...parts.filter(Boolean));
        return [sentence, drawn.textContent];
    });
}"""
ANSWERED: Final = 'async (reply) => (await import("/said.js")).answered(reply)'
WHOLE: Final = 'import("/said.js").then((file) => file.allSayable())'
"""What is seldom said is loaded when it is first to be said."""
DESCRIBED: Final = """async ([events]) => {
    const { describe } = await import("/timeline.js");
    return events.map((event) => describe(event).filter((part) => typeof part === "string").join(""));
}"""


RARE: Final = "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => /rarely/.test(name))"
# A copy of the module that nothing was taken into.
FORMS_APART: Final = """Promise.all([import("/said.es.js?apart"), import("/rarely.es.js")]).then(
    ([often, rarely]) => [often.spokenInSpanish.forms, rarely.rareForms])"""
REPORTED: Final = """Promise.all([import("/words.en.js"), import("/words.es.js")]).then((modules) =>
    modules.flatMap((words) => Object.values(words)).map((words) => Object.keys(words.irregularities ?? {})))"""


async def test_whatever_only_people_see_can_be_reported_in_each_language(floor: Floor) -> None:
    page = (await floor.screen()).page
    for keys in await page.evaluate(REPORTED):
        assert {each.value for each in SEEN_BY_PEOPLE} <= set(keys)


@pytest_asyncio.fixture(loop_scope="session")
async def spanish(floor: Floor) -> Page:
    """A page that has loaded all that it may say in Spanish, beside a table that is there."""
    await floor.table(Table().ready())
    page = (await floor.screen(locale="es-ES")).page
    await expect(page.locator(".strip .phase")).to_have_text("apuestas")
    await page.evaluate(WHOLE)
    return page


def states_of(name: str) -> list[TableState]:
    """Return the table after each input of a recorded round."""
    states: list[TableState] = []
    for happened in recorded(name).inputs:
        before = blank(happened) if isinstance(happened, Configured) else states[-1]
        states.append(apply(before, happened).state)
    return states


def shown(view: TableView) -> Any:  # noqa: ANN401  # JSON
    return json.loads(STATE.encode(State("journal", "1", view)))["table"]


def hold_to_spanish(text: str, english: str) -> None:
    assert text
    assert text.casefold() != english.casefold()  # the page begins a sentence with a capital
    assert not GAPS.search(text), text
    assert not ENGLISH.search(OF_THE_GAMES.sub("", text)), text


BY_CODE: Final = {*get_args(PageCode), *get_args(MalformedCode), "broker-refuses", "id-reused"}
"""What the page or the table refuses before a game is asked: it is said by its code alone."""
NOT_OF_THE_PAGE: Final = {"retained", "bad-response-topic"}  # it retains nothing, and names no response topic
NAMES: Final = re.compile(
    r"5 Card Draw|Deuces Never Loses|(2|5) CARD BONUS|(2|5) CARD|BIG DRAW|Big Draw Poker|BIG 50|Big 50|FIRST 5|First 5|"
    r"Big Raise Hold’em|Bad Beat Blackjack|BAD BEAT|ROYAL FLUSH|ALL RED / BLACK|RANGE|ANTE BONUS|ANTE|PLAY",
    re.IGNORECASE,
)
"""What is only a name: of a game, of a side of one and of a spot, as they are printed on the felt."""
ENGLISH_ON_A_SCREEN: Final = re.compile(
    r"\b(the|of|and|with|is|are|it|to|seat|turn|then|next|take|pay|back|return|cards?|hands?|draws?|deals?|"
    r"dealer|enter|void|over|pair|two|three|four|high|straight|flush|house|waiting|bets?|round|ready|left|more|hold|"
    r"log in|live|soft|bust|silent|away|lost|fault|device|people|table|alert|call|green|stand|hit|"
    r"double|split|play|fold|claim|reports?|gone)\b",
    re.IGNORECASE,
)
ON_A_SCREEN: Final = """([tables]) => tables.map((table) => {
    page.stream.tables.get("t7").state.table = table;
    page.view.show();
    const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent);
    for (const part of document.querySelectorAll("#app [aria-label]")) texts.push(part.getAttribute("aria-label"));
    return [...new Set(texts)];
})"""
ON_THE_LINE_OF_TIME: Final = """async ([events]) => {
    const { describe } = await import("/timeline.js");
    return events.map((event) => describe(event, events).map((part) => part?.textContent ?? part).join(""));
}"""


def english_in(texts: list[str]) -> list[str]:
    """Return those of these texts in which an English word stands that is not a name."""
    return [text for text in texts if ENGLISH_ON_A_SCREEN.search(NAMES.sub("", text))]


@pytest.mark.parametrize("where", ["#/dealer/t7", "#/pit"])
async def test_no_english_stands_on_a_spanish_screen_at_any_step_of_a_round(floor: Floor, where: str) -> None:
    await floor.table(Table().ready())
    page = (await floor.screen(where, locale="es-ES")).page
    await page.evaluate(WHOLE)
    await expect(page.locator(".word, .tile p").first).to_contain_text("Hagan sus apuestas")
    for name in ROUNDS:
        tables = [shown(public(state)) for state in states_of(name)]
        for texts in await page.evaluate(ON_A_SCREEN, [tables]):
            assert english_in(texts) == [], name


async def test_no_english_stands_on_the_spanish_line_of_time_of_a_round(spanish: Page) -> None:
    for name in ROUNDS:
        facts = recorded(name).facts
        events = [
            {"type": FACT_KINDS[type(fact)], "data": json.loads(FACT_BODIES[FACT_KINDS[type(fact)]].encode(fact))}
            for fact in facts
        ]
        assert english_in(await spanish.evaluate(ON_THE_LINE_OF_TIME, [events])) == [], name


async def test_what_a_driver_says_is_said_in_spanish_by_its_code(floor: Floor) -> None:
    """Each code has words for the problem and for what is to be done, and an alert shows them."""
    page = (await floor.screen(locale="es-ES")).page
    words = await page.evaluate('import("/rarely.es.js").then((file) => file.rareWords)')
    assert {code.value for code in LossCode} <= set(words)
    assert {text for code in SetupCode for text in (code.value, f"{code.value}-remedy")} <= set(words)
    table = Table().ready()
    table.device(SetupFailed(SetupCode.NO_SUCH_PORT.value, "The port x does not exist.", "Plug the device in."))
    table.device(LinkLost("unplugged", LossCode.UNPLUGGED.value))
    await floor.table(table)
    page = (await floor.screen(locale="es-ES")).page
    await page.evaluate(WHOLE)
    await page.get_by_role("button", name=re.compile("^Los ")).click()
    await expect(page.locator(".sheet-alerts article").nth(1)).to_be_visible()
    told = await page.locator(".sheet-alerts article").all_inner_texts()
    assert len(told) > 1
    for text in told:
        hold_to_spanish(text, "")


@pytest.mark.parametrize("name", ROUNDS)
async def test_no_prompt_of_a_round_is_english(spanish: Page, name: str) -> None:
    tables = {state.prompt: shown(public(state)) for state in states_of(name)}
    said = await spanish.evaluate(PROMPTS, [list(tables.values())])
    assert len(tables) > 5
    for english, (sentence, drawn) in zip(tables, said, strict=True):
        hold_to_spanish(sentence, english)
        hold_to_spanish(drawn, english)


async def test_each_id_has_a_form_with_the_same_fields(spanish: Page) -> None:
    apart = await spanish.evaluate(FORMS_APART)
    forms = {name: form for some in apart for name, form in some.items()}
    assert len(forms) == sum(len(some) for some in apart), "a form stands in both files"
    assert {name: sorted(fields_of(form)) for name, form in forms.items()} == {
        said.value: sorted(fields_of(form)) for said, form in FORMS.items()
    }


async def test_each_form_is_filled(spanish: Page) -> None:
    """Whatever the table may say, with all the fields that a sentence may have."""
    clause = Clause(SaidId.WINS, SeatNumber(2), hand=1, cents=500, spot=WagerName.ANTE)
    tables, plain = [], shown(public(Table().ready().state))
    for said in SaidId:
        one = Said(
            said,
            SeatNumber(3),
            hand=1,
            hands=2,
            seats=(SeatNumber(1),),
            count=3,
            wanted=5,
            left=4,
            times=2,
            cents=500,
            seen_cents=0,
            bounds=Bounds(500, 1500, 100, 2000),
            spot=WagerName.RED_BLACK,
            card=DECK[0],
            device="D-1",
            who="ana",
            names=("hit", "stand"),
            word="jam",
            text="sí",
            because=(clause, clause),
        )
        tables.append(plain | {"prompt": "English", "prompt_said": _written(one), "ask": None})
    for sentence, drawn in await spanish.evaluate(PROMPTS, [tables]):
        hold_to_spanish(sentence, "English")
        hold_to_spanish(drawn, "English")


def _written(said: Said) -> Any:  # noqa: ANN401  # JSON
    body = FACT_BODIES["dealer-prompted"].encode(DealerPrompted("English", said=(said,)))
    return json.loads(body)["said"]


async def test_the_prompts_of_a_round_that_goes_well_need_nothing_that_is_loaded_later(floor: Floor) -> None:
    await floor.table(Table().ready())
    page = (await floor.screen(locale="es-ES")).page
    await expect(page.locator(".strip .phase")).to_have_text("apuestas")
    for name in ROUNDS:
        states = [state for state in states_of(name) if not state.alerts]
        tables = {state.prompt: shown(public(state)) for state in states}
        for english, (sentence, _) in zip(tables, await page.evaluate(PROMPTS, [list(tables.values())]), strict=True):
            hold_to_spanish(sentence, english)
    assert await page.evaluate(RARE) == []


async def test_an_alert_and_its_remedy_are_told_in_spanish(floor: Floor) -> None:
    table = Table().ready()
    table.device(FaultRaised(FaultKind.JAM, ""))
    await floor.table(table)
    alert = (await floor.screen(locale="es-ES")).page.locator(".alerts article")
    [raised] = table.state.alerts
    for drawn, english in ((alert.locator("b"), raised.message), (alert.locator("p"), raised.remedy)):
        # It is said in English, with a capital, until its Spanish is loaded.
        await expect(drawn).not_to_have_text(english, ignore_case=True)
        hold_to_spanish(await drawn.inner_text(), english)


async def test_what_is_refused_is_told_in_spanish(floor: Floor) -> None:
    """By limits, by the table and where it refers to the prompt."""
    table = Table().ready()
    await floor.table(table)
    page = (await floor.screen(locale="es-ES")).page
    asked = (
        Bet(SeatNumber(2), WagerName.RED_BLACK, 0),
        Bet(SeatNumber(9), WagerName.RED_BLACK, 500),
        StubCount(3),
        OpenTable(),
    )
    for action in asked:
        answer = table.ask(action)
        assert not answer.accepted
        assert answer.said is not None
        reply = REPLY.encode(Reply("dana", "1", "asked", False, answer.code, answer.message, said=answer.said))
        hold_to_spanish(await page.evaluate(ANSWERED, json.loads(reply)), answer.message)


async def test_whatever_is_refused_by_its_code_alone_is_told_in_spanish(spanish: Page) -> None:
    """By the page's server, or by the table before it looks at the game."""
    for code in sorted(BY_CODE - NOT_OF_THE_PAGE):
        hold_to_spanish(await spanish.evaluate(ANSWERED, {"code": code, "message": "English"}), "English")


async def test_a_sentence_of_another_version_stays_as_it_came(spanish: Page) -> None:
    unknown = shown(public(Table().ready().state)) | {"prompt_said": [{"id": "of-tomorrow"}]}
    without = {key: value for key, value in unknown.items() if key != "prompt_said"}
    said = await spanish.evaluate(PROMPTS, [[unknown, without]])
    assert [sentence for sentence, _ in said] == [unknown["prompt"]] * 2


async def test_a_stop_and_what_follows_are_told_in_spanish(spanish: Page) -> None:
    """The line of time of a round that is held, ruled on and put back."""
    table = Table().dealt(1, 2)
    table.press(Button.VOID)
    assert table.rule(Ruling.VOID).accepted
    events = [
        {"type": FACT_KINDS[type(fact)], "data": json.loads(FACT_BODIES[FACT_KINDS[type(fact)]].encode(fact))}
        for fact in table.facts
    ]
    told = await spanish.evaluate(DESCRIBED, [events])
    kinds = []
    for text, event in zip(told, events, strict=True):
        if event["data"].get("said"):
            kinds.append(event["type"])
            hold_to_spanish(text, "")
    assert {"dealer-prompted", "round-held", "round-voided"} <= set(kinds)


async def test_each_kind_of_event_has_words_in_each_language(floor: Floor) -> None:
    page = (await floor.screen()).page
    for language in ("en", "es"):
        file = f"import('/story.{language}.js')"
        kinds = await page.evaluate(f"{file}.then((file) => Object.keys(Object.values(file)[0].events))")
        assert set(kinds) == set(FACT_KINDS.values())


async def test_where_what_is_seldom_said_cannot_be_loaded_it_stands_in_english_until_it_can(floor: Floor) -> None:
    table = await floor.table(Table().dealt(1, 2))
    screen = await floor.screen(locale="es-ES")
    word = screen.page.locator(".word p")
    await expect(screen.page.locator(".strip .phase")).to_have_text("repartido")
    await screen.page.route("**/rarely.es.js*", lambda route: route.abort())
    async with screen.page.expect_event("requestfailed"):
        table.play.press(Button.VOID)
    await expect(word).to_have_text(table.play.state.prompt)
    await screen.page.unroute("**/rarely.es.js*")
    assert table.play.rule(Ruling.VOID).accepted
    await expect(word).to_contain_text("Ronda anulada: el crupier pide anular")
    assert {text for text in screen.errors if "ERR_FAILED" not in text} == set()
    screen.errors.clear()  # the browser says that it could not load the file
