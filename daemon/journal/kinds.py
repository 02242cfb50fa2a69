"""The public names of everything that is written to the journal and to MQTT, in one table.

A name that was once written to a journal or sent to a broker is kept permanently. A changed meaning gets a new name.
A class in this table is always written with its name, even where only this class is possible. So a second choice can
be added later, and old journals stay readable.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.table import carry_over, facts, inputs, round_facts
from daemon.table.big_draw import facts as big_draw_facts
from daemon.table.big_draw import inputs as big_draw_inputs
from daemon.table.big_raise import facts as big_raise_facts
from daemon.table.blackjack import facts as blackjack_facts
from daemon.table.games import PROCEDURES
from drivers import commands, events

_INPUTS: Final[dict[type, str]] = {
    inputs.Configured: "configured",
    inputs.DayBegan: "day-began",
    inputs.JournalDoubted: "journal-doubted",
    inputs.JournalRestored: "journal-restored",
    events.DeviceReport: "device-report",
    inputs.Request: "request",
}

_DEVICE_EVENTS: Final[dict[type, str]] = {
    events.LinkUp: "link-up",
    events.LinkLost: "link-lost",
    events.SetupFailed: "setup-failed",
    events.WentStale: "went-stale",
    events.CameBack: "came-back",
    events.Restarted: "restarted",
    events.EventsLost: "events-lost",
    events.Anomaly: "anomaly",
    events.DeckLoaded: "deck-loaded",
    events.ShuffleStarted: "shuffle-started",
    events.ShuffleFinished: "shuffle-finished",
    events.PacketDispensed: "packet-dispensed",
    events.PacketRemoved: "packet-removed",
    events.RemainderEjected: "remainder-ejected",
    events.CardDrawn: "card-drawn",
    events.CutCardDrawn: "cut-card-drawn",
    events.CardReturned: "card-returned",
    events.ReadFailed: "read-failed",
    events.DealCleared: "deal-cleared",
    events.ShoeLockChanged: "shoe-lock-changed",
    events.ButtonPressed: "button-pressed",
    events.KeyPressed: "key-pressed",
    events.StakeSeen: "stake-seen",
    events.FaultRaised: "fault-raised",
    events.FaultCleared: "fault-cleared",
    events.ModeChanged: "mode-changed",
    events.CommandAnswered: "command-answered",
}

_ACTIONS: Final[dict[type, str]] = {
    inputs.Bet: "bet",
    inputs.ClearBets: "clear-bets",
    inputs.Decide: "decide",
    big_draw_inputs.ChooseGame: "choose-game",
    big_draw_inputs.PassButton: "pass-button",
    big_draw_inputs.Claim: "claim",
    big_draw_inputs.MoveButton: "move-button",
    inputs.Press: "press",
    inputs.EnterCards: "enter-cards",
    inputs.ReportIrregularity: "report-irregularity",
    inputs.StubCount: "stub-count",
    inputs.Rule: "rule",
    inputs.VoidRound: "void-round",
    inputs.ClearAlert: "clear-alert",
    inputs.OpenTable: "open-table",
    inputs.CloseTable: "close-table",
    inputs.OrderReshuffle: "reshuffle",
    inputs.LoadShoe: "load-shoe",
    inputs.ChangeGame: "change-game",
    inputs.ChangeDeck: "change-deck",
    inputs.CountDeck: "count-deck",
}

_DEVICE_COMMANDS: Final[dict[type, str]] = {
    commands.SetMode: "set-mode",
    commands.Dispense: "dispense",
    commands.EjectRemainder: "eject-remainder",
    commands.Reshuffle: "reshuffle",
    commands.Lock: "lock",
    commands.Unlock: "unlock",
    commands.SetLamp: "set-lamp",
}

_CARRIED: Final[dict[type, str]] = {
    carry_over.CarryOver: "carried-over",
}

_GAME_OPTIONS: Final[dict[type, str]] = {procedure.play.options: game.value for game, procedure in PROCEDURES.items()}

FACT_KINDS: Final[MappingProxyType[type, str]] = MappingProxyType(
    {
        round_facts.RoundOpened: "round-opened",
        round_facts.BetPlaced: "bet-placed",
        round_facts.BetsCleared: "bets-cleared",
        round_facts.BetRemoved: "bet-removed",
        round_facts.BettingClosed: "betting-closed",
        round_facts.HandDealt: "hand-dealt",
        round_facts.HandDelivered: "hand-delivered",
        round_facts.RemainderCollected: "remainder-collected",
        round_facts.StubCountAsked: "stub-count-asked",
        round_facts.DeckAccounted: "deck-accounted",
        round_facts.IrregularityFound: "irregularity-found",
        round_facts.RoundHeld: "round-held",
        round_facts.RoundInterrupted: "round-interrupted",
        round_facts.RulingGiven: "ruling-given",
        round_facts.CardsEntered: "cards-entered",
        round_facts.CardsAsked: "cards-asked",
        round_facts.HandSettled: "hand-settled",
        round_facts.WinToVerify: "win-to-verify",
        round_facts.DealerPrompted: "dealer-prompted",
        round_facts.SeatReconciled: "seat-reconciled",
        round_facts.RoundSettled: "round-settled",
        round_facts.RoundVoided: "round-voided",
        big_raise_facts.UpCardShown: "up-card-shown",
        round_facts.PlayerDecided: "player-decided",
        round_facts.SeatSelected: "seat-selected",
        big_raise_facts.DealerHandShown: "dealer-hand-shown",
        big_raise_facts.CommunityShown: "community-shown",
        big_raise_facts.PlayerCardsShown: "player-cards-shown",
        big_raise_facts.FoldSettled: "fold-settled",
        round_facts.ShoeLoaded: "shoe-loaded",
        round_facts.CardBurned: "card-burned",
        round_facts.CutCardOut: "cut-card-out",
        round_facts.ShoeChangeDue: "shoe-change-due",
        round_facts.StakeCorrected: "stake-corrected",
        big_draw_facts.ButtonMoved: "button-moved",
        big_draw_facts.FirstFiveClaimed: "first-five-claimed",
        big_draw_facts.GameChosen: "game-chosen",
        big_draw_facts.FirstFiveSettled: "first-five-settled",
        round_facts.CardDealt: "card-dealt",
        blackjack_facts.DealerPeeked: "dealer-peeked",
        blackjack_facts.DealerCardsShown: "dealer-cards-shown",
        round_facts.WagerTaken: "wager-taken",
        facts.TableConfigured: "table-configured",
        facts.JournalContinued: "journal-continued",
        facts.TableOpened: "table-opened",
        facts.TableClosed: "table-closed",
        facts.GameChanged: "game-changed",
        facts.DeckChanged: "deck-changed",
        facts.DeckCountOrdered: "deck-count-ordered",
        facts.ReshuffleOrdered: "reshuffle-ordered",
        facts.AlertRaised: "alert-raised",
        facts.AlertCleared: "alert-cleared",
        facts.ButtonRefused: "button-refused",
        facts.DeckShuffled: "deck-shuffled",
        facts.BatchOut: "batch-out",
        facts.DeviceUp: "device-up",
        facts.DeviceLost: "device-lost",
        facts.DeviceSetupFailed: "device-setup-failed",
        facts.DeviceStale: "device-stale",
        facts.DeviceCameBack: "device-came-back",
        facts.DeviceRestarted: "device-restarted",
        facts.DeviceEventsLost: "device-events-lost",
        facts.DeviceFaulted: "device-faulted",
        facts.DeviceFaultCleared: "device-fault-cleared",
        facts.DeviceAnomaly: "device-anomaly",
        facts.DeviceModeChanged: "device-mode-changed",
    }
)
"""The name of each fact: the last part of its topic, and the type in its envelope."""

KINDS: Final[MappingProxyType[type, str]] = MappingProxyType(
    _INPUTS | _DEVICE_EVENTS | _ACTIONS | _DEVICE_COMMANDS | _CARRIED | _GAME_OPTIONS | FACT_KINDS
)
"""The name of every class that is written with one."""
