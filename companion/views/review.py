"""The review of a session: what each decision cost, what luck brought, and where the game was won.

All figures come from `core.review`; this module only words them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.review import (
    CERTAIN,
    KEY_MOMENTS,
    LEVELS,
    Accuracy,
    Alternative,
    Estimate,
    GameReview,
    Grade,
    GraphPoint,
    KindLoss,
    Moment,
    ReviewedDecision,
    Share,
    Step,
    Worth,
)
from companion.core.review_walk import ACTION
from companion.core.text import plural, signed
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.lines import BLANK, WIDTH, Line, Span, cited, figure_lines
from companion.views.plot import Plot, PlotSeries, plot_lines, plot_svg, sparkline
from companion.views.report.document import (
    Block,
    BulletList,
    Heading,
    Paragraph,
    Picture,
    Table,
    TextRun,
    bullet_list,
    paragraph,
    strong,
)
from companion.views.report.report import undone_entries
from companion.views.theme import Tone

_GRADES: tuple[Grade, ...] = ("within error", "inaccuracy", "mistake", "blunder")
_GRADE_HEADS = ("within error", "inaccuracies", "mistakes", "blunders")
WITH_ARTICLE = {"inaccuracy": "an inaccuracy", "mistake": "a mistake", "blunder": "a blunder"}
_COURSE = "The course of the game"
_INDENT = "  "
_SHORT = 3  # mistakes and key moments of the short form
_SPARKS = 60  # most blocks of the graph in one line
_PLAYER = "player"  # option value of a seat played by a person; seats without an option are played by people


class SessionReview(NamedTuple):
    """A review with what its words need of the session.

    Attributes:
        name: Of the session.
        verdict: Of the score, once the game is over; "" before.
        automated: Seats that Companion plays.
        undone: Number of undone actions.
        first, last: Turns that were reviewed; 0 for no limit.
    """

    name: str
    game: Game
    scenario: str
    review: GameReview
    verdict: str = ""
    automated: frozenset[str] = frozenset()
    undone: int = 0
    first: int = 0
    last: int = 0

    def seat(self, seat: str) -> str:
        """The name of a seat; ``you`` for the only one of its game."""
        if len(self.review.seats) == 1 and seat in self.review.seats:
            return "you"
        return self.game.seats.get(seat, seat)

    @property
    def shows_win(self) -> bool:
        """True if chances to win are shown."""
        return self.review.unit == "win"


def session_review(session: SessionState, review: GameReview, first: int = 0, last: int = 0) -> SessionReview:
    """Return a review of a session with what its words need. `first`, `last`: the turns that it is of."""
    game, options = session.game, session.options
    seats = frozenset(seat for seat in game.players.seats if options.get(seat, _PLAYER) != _PLAYER)
    seats -= {one.seat for one in review.decisions if one.by_person}  # as in a simulated game that is played again
    scenario = options.get("scenario", "")
    title = game.scenarios[scenario].title if scenario in game.scenarios else scenario
    verdict = _verdict(session) if review.is_over and not last else ""
    undone = len(undone_entries(session.history))
    return SessionReview(session.info.name, game, title, review, verdict, seats, undone, first, last)


def renumbered(about: SessionReview, numbers: Mapping[int, int]) -> SessionReview:
    """Return a review with other numbers of its actions, such as those of a report."""
    review = about.review
    points = tuple([point._replace(entry=numbers.get(point.entry, point.entry)) for point in review.points])
    steps = tuple([step._replace(entry=numbers.get(step.entry, step.entry)) for step in review.steps])
    decisions = tuple([one._replace(entry=numbers.get(one.entry, one.entry)) for one in review.decisions])
    return about._replace(review=review._replace(points=points, steps=steps, decisions=decisions))


def _verdict(session: SessionState) -> str:
    try:
        return session.game.score(session.position, session.options).verdict.rstrip(".")
    except CompanionError:
        return ""


def step_number(entry: int, reply: int) -> str:
    """Return the number of an answer as `amend` takes it, or of an action as `why` takes it.

    >>> step_number(12, 3), step_number(12, 0)
    ('12.3', '12')
    """
    return f"{entry}.{reply}" if reply else str(entry)


def _percent(share: float, sign: bool = False) -> str:
    return f"{signed(100 * share, 1) if sign else f'{100 * share + 0.0:.1f}'} %"


def amount_text(vp: Estimate, win: Estimate | None, *, sign: bool = True) -> str:
    """Return a chance to win, or VP if none is shown, with its standard error."""
    if win is not None:
        return f"{_percent(win.mean, sign)} to win (+-{100 * win.error:.1f})"
    return f"{signed(vp.mean, 1) if sign else f'{vp.mean + 0.0:.1f}'} VP (+-{vp.error:.1f})"


def cost_text(about: SessionReview, decision: ReviewedDecision) -> str:
    """Return what a decision cost, such as `cost 12.0 % to win (+-2.0)`."""
    return f"cost {amount_text(decision.loss, shown_win(about, decision.win_loss), sign=False)}"


def shown_win(about: SessionReview, win: Estimate | None) -> Estimate | None:
    """Return a chance to win if this review shows any."""
    return win if about.shows_win else None


def part_title(about: SessionReview, share: Share | Moment | Step) -> str:
    """Return the name of a part of the result, such as `Luck, rolled by you`."""
    if share.part == "start":
        return f"Before turn {about.first}" if about.first else "At the start"
    if share.part == "luck":
        return f"Luck, rolled by {'you' if share.who == 'player' else 'Companion'}"
    if share.part == "decisions":
        name = about.seat(share.who)
        by = " (Companion)" if share.who in about.automated else ""
        return "Your decisions" if name == "you" else f"Decisions of {name}{by}"
    return {"corrections": "Corrections at the table", "not reviewed": "Actions not reviewed", "rest": "Rest"}[share.part]


def result_title(about: SessionReview) -> str:
    """Return the name of the sum of all parts."""
    return f"After turn {about.last}" if about.last else "Result" if about.review.is_over else "Now"


def result_sentence(about: SessionReview) -> str:
    """Return who won, what was expected at the start, and which part made most of the difference."""
    review, (start, *others) = about.review, about.review.shares()
    seat = about.seat(review.seats[0])
    of = "" if seat == "you" else f" for {seat}"
    expected = amount_text(start.vp, shown_win(about, start.win), sign=False)
    head = about.verdict or f"{result_title(about)}: {_worth_amount(about, review.result)}{of}"
    return f"{head}. {part_title(about, start)}: {expected}{of}. {_difference(about, others)}"


def _worth_amount(about: SessionReview, worth: Worth) -> str:
    return amount_text(worth.vp_estimate, shown_win(about, worth.win_estimate), sign=False)


def _difference(about: SessionReview, shares: Sequence[Share]) -> str:
    """Return the part that moved the result most, in its direction; or that none stands out from its error."""

    def figure(share: Share) -> Estimate:
        return shown_win(about, share.win) or share.vp

    total = sum(figure(share).mean for share in shares)
    sign = 1 if total >= 0 else -1
    largest = max(shares, key=lambda share: sign * figure(share).mean, default=None)
    if largest is None or sign * figure(largest).mean < CERTAIN * figure(largest).error or not figure(largest).mean:
        return "No part stands out from its error."
    amount = amount_text(largest.vp, shown_win(about, largest.win))
    if largest.part == "rest":
        seat = about.seat(about.review.seats[0])
        whose = "your positions" if seat == "you" else f"the positions of {seat}"
        judged = "underrated" if total >= 0 else "overrated"
        return f"Most of the difference is the rest, {amount}: the look ahead {judged} {whose} on the way."
    return f"Most of the difference: {_in_sentence(part_title(about, largest))}, {amount}."


def _estimate_cells(about: SessionReview, vp: Estimate, win: Estimate | None, sign: bool = True) -> tuple[str, ...]:
    """Return chance to win and VP with their errors; without the chance if none is shown."""
    chance = ("", "") if win is None else (_percent(win.mean, sign), f"{100 * win.error:.1f}")
    values = (signed(vp.mean, 1) if sign else f"{vp.mean + 0.0:.1f}", f"{vp.error:.1f}")
    return (*chance, *values) if about.shows_win else values


def _estimate_heads(about: SessionReview) -> tuple[str, ...]:
    return ("to win", "+-", "VP", "+-") if about.shows_win else ("VP", "+-")


def sum_table(about: SessionReview) -> Table:
    """Return the parts of the result, each with its standard error; the last row is their sum."""
    review, heads = about.review, _estimate_heads(about)
    rows = [
        (part_title(about, share), *_estimate_cells(about, share.vp, shown_win(about, share.win), share.part != "start"))
        for share in review.shares()
    ]
    result = review.result
    cells = _estimate_cells(about, result.vp_estimate, shown_win(about, result.win_estimate), sign=False)
    rows.append((result_title(about), *cells))
    return Table(("It adds up", *heads), tuple(rows), frozenset(range(1, len(heads) + 1)), True)


def accuracy_table(about: SessionReview) -> Table | None:
    """Return accuracy and grades of each seat; None if no decision was compared."""
    rows = [_accuracy_cells(about.seat(accuracy.seat), accuracy) for accuracy in about.review.accuracies()]
    automated = about.review.accuracies(by_person=False)
    for accuracy in automated:
        name = "Companion" if len(automated) == 1 else f"{about.seat(accuracy.seat)} (Companion)"
        rows.append(_accuracy_cells(name, accuracy))
    head = ("Decisions of", "accuracy", "all", *_GRADE_HEADS)
    return Table(head, tuple(rows), frozenset(range(1, len(head)))) if rows else None


def _accuracy_cells(name: str, accuracy: Accuracy) -> tuple[str, ...]:
    counts = [str(accuracy.grades.get(grade, 0)) for grade in _GRADES]
    return (name, f"{accuracy.mean:.0f} +-{accuracy.error:.0f}", str(accuracy.decisions), *counts)


def whose_figures(about: SessionReview) -> str:
    """Return whose figures are shown, and what their errors are."""
    seat = about.seat(about.review.seats[0])
    return f"The figures are {'yours' if seat == 'you' else f'those of {seat}'}; +- is the standard error."


def summary_blocks(about: SessionReview) -> list[Block]:
    """Return the result in one paragraph, the sum, and the accuracy of each seat."""
    blocks: list[Block] = [paragraph(strong(result_sentence(about))), paragraph(whose_figures(about)), sum_table(about)]
    table = accuracy_table(about)
    return [*blocks, table] if table else [*blocks, paragraph("No decision had an alternative to compare.")]


def moment_title(about: SessionReview, moment: Moment) -> str:
    """Return the number of a moment, its turn, and what was done."""
    return f"{step_number(moment.entry, moment.reply)} {turn_text(about, moment.turn)}{moment.text}"


def moment_runs(about: SessionReview, moment: Moment) -> tuple[TextRun, ...]:
    """Return a moment with its number, what it changed, and the reason."""
    head = moment_title(about, moment)
    changed = f"{amount_text(moment.vp, shown_win(about, moment.win))}, {_mover(about, moment)}"
    return (strong(head), TextRun(f": {changed}.{f' {_better_text(moment.reason)}' if moment.reason else ''}"))


def _mover(about: SessionReview, moment: Moment) -> str:
    """Return who rolled or decided, such as `rolled by you`."""
    if moment.part == "luck":
        return f"rolled by {'you' if moment.who == 'player' else 'Companion'}"
    return f"decided by {about.seat(moment.who)}"


def _in_sentence(title: str) -> str:
    return title[:1].lower() + title[1:]


def as_sentence(text: str) -> str:
    """Return a reason as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def because(decision: ReviewedDecision) -> str:
    """Return the reason of a decision without its first part, which repeats what is best and by how much; "" for no more."""
    parts = _reason_parts(decision.reason)
    return parts[2] if parts and parts[0] == decision.best else decision.reason


def _reason_parts(reason: str) -> tuple[str, str, str] | None:
    """Return what is best, how far it is ahead, and why; None for a reason without them."""
    best, found, rest = reason.partition(" is ahead by ")
    amount, _, why = rest.partition(": ")
    return (best, amount, why) if found and amount.endswith((" world", " worlds")) else None


def _better_text(reason: str) -> str:
    """Return the reason of a moment as a sentence that begins with what was better.

    >>> _better_text("move on is ahead by 2.0 VP (+-0.5) in 16 worlds: the road is open")
    'Better: move on, by 2.0 VP (+-0.5) in 16 worlds: the road is open.'
    """
    if not (parts := _reason_parts(reason)):
        return as_sentence(reason)
    best, amount, why = parts
    return as_sentence(f"better: {best}, by {amount}{f': {why}' if why else ''}")


def turn_text(about: SessionReview, turn: int) -> str:
    """Return a turn before what was done in it, such as `turn 3, `."""
    title = about.game.track_title("turn") or "Turn"
    return f"{title.casefold()} {turn}, " if turn else ""


def decision_title(about: SessionReview, decision: ReviewedDecision) -> str:
    """Return the number of a decision, what was asked, and what was taken: `4.2 target: 8-66-B`."""
    seat = "" if about.seat(decision.seat) == "you" else f"{about.seat(decision.seat)}, "
    asked = f"{decision.key.replace('_', ' ')}: " if decision.reply else ""
    number = step_number(decision.entry, decision.reply)
    return f"{number} {seat}{turn_text(about, decision.turn)}{asked}{decision.taken}"


def _cited_title(about: SessionReview, decision: ReviewedDecision) -> str:
    return cited(decision_title(about, decision), decision.rule)


def mistake_runs(about: SessionReview, decision: ReviewedDecision) -> tuple[TextRun, ...]:
    """Return a decision with its grade, its cost, what was better, and the reason."""
    grade, better = about.review.grade(decision), f"better: {decision.best}"
    why = because(decision)
    because_text = f" {as_sentence(why)}" if why else ""
    return (
        strong(_cited_title(about, decision)),
        TextRun(f": {WITH_ARTICLE[grade]}, {cost_text(about, decision)}; {better}.{because_text}"),
    )


def alternatives_table(about: SessionReview, decision: ReviewedDecision) -> Table:
    """Return the alternatives of a decision, the best first, with how far each is behind."""
    heads = (*_estimate_heads(about), "behind", "+-", "")
    rows = [
        (
            f"{one.text}{f' ({one.plan})' if one.plan else ''}",
            *_estimate_cells(about, one.vp, shown_win(about, one.win), sign=False),
            *_estimate_cells(about, one.loss, shown_win(about, one.win_loss), sign=False)[:2],
            _remark(about, decision, one),
        )
        for one in decision.alternatives
    ]
    return Table(("Alternative", *heads), tuple(rows), frozenset(range(1, len(heads))))


def _remark(about: SessionReview, decision: ReviewedDecision, alternative: Alternative) -> str:
    """Return whether an alternative was taken, is the best, or may be as good."""
    if alternative.is_taken:
        return "taken"
    if alternative.text == decision.best:
        return "best"
    is_small = about.review.grade(alternative) == "good"
    return "within error" if not is_small and about.review.is_within_error(decision, alternative) else ""


def moment_blocks(about: SessionReview, most: int, level: int) -> list[Block]:
    """Return the key moments, the greatest change first."""
    moments = about.review.moments(most)
    title = Heading(level, "Where the game was decided")
    return [title, BulletList(tuple(moment_runs(about, moment) for moment in moments))] if moments else []


def kind_title(key: str) -> str:
    """Return the name of a kind of decision: of the choice of an action, or of a question."""
    return "choice of an action" if key == ACTION else key.replace("_", " ")


def kinds_table(about: SessionReview) -> Table | None:
    """Return what each kind of decision lost, the greatest loss first; None for fewer than two kinds."""
    kinds = about.review.losses_by_kind()
    rows = []
    for kind in kinds:
        seat = about.seat(kind.seat)
        title = kind_title(kind.key) if seat == "you" else f"{seat}, {kind_title(kind.key)}"
        lost = _estimate_cells(about, kind.loss, shown_win(about, kind.win_loss), sign=False)[:2]
        rows.append((title, str(kind.decisions), str(kind.mistakes), *lost))
    head = ("Kind of decision", "all", "mistakes", "lost" if about.shows_win else "VP lost", "+-")
    return Table(head, tuple(rows), frozenset(range(1, len(head)))) if len(rows) > 1 else None


def mistake_blocks(about: SessionReview, level: int) -> list[Block]:
    """Return the losses by kind of decision, each mistake of any grade with its alternatives, then what is within error."""
    review, kinds = about.review, kinds_table(about)
    blocks: list[Block] = []
    for decision in review.mistakes():
        blocks += [Paragraph(mistake_runs(about, decision)), alternatives_table(about, decision)]
    uncertain = [one for one in review.decisions if one.by_person and review.grade(one) == "within error"]
    if uncertain:
        blocks.append(paragraph("Within error: more worlds would be needed to say whether these cost anything."))
        blocks.append(bullet_list(_uncertain_text(about, decision) for decision in uncertain))
    head: list[Block] = [Heading(level, "What decisions cost"), *([kinds] if kinds else [])]
    return [*head, *(blocks or [paragraph("No decision was found to cost anything.")])]


def _uncertain_text(about: SessionReview, decision: ReviewedDecision) -> str:
    behind = amount_text(decision.loss, shown_win(about, decision.win_loss), sign=False)
    return f"{_cited_title(about, decision)}: within error of {decision.best}, {behind} behind."


def review_plot(about: SessionReview) -> Plot:
    """Return the expectation of the first seat over the game; a turn is 1 wide."""
    points = about.review.points
    turns = list(dict.fromkeys(point.turn for point in points[1:]))
    counts = {turn: sum(point.turn == turn for point in points[1:]) for turn in turns}
    done = dict.fromkeys(turns, 0)
    series = [(0.0, _graph_value(about, points[0].vp, points[0].win))]
    for point in points[1:]:
        done[point.turn] += 1
        x = turns.index(point.turn) + done[point.turn] / counts[point.turn]
        series.append((x, _graph_value(about, point.vp, point.win)))
    seat = about.seat(about.review.seats[0])
    of = "Your" if seat == "you" else f"{seat}:"
    title = f"{of} chance to win, %" if about.shows_win else f"{of} expected VP"
    labels = tuple((index + 1.0, str(turn)) for index, turn in enumerate(turns))
    low, high = (0, 100) if about.shows_win else (None, None)
    return Plot(title, about.game.track_title("turn").casefold(), (PlotSeries("", tuple(series)),), low, high, labels)


def _graph_value(about: SessionReview, vp: Estimate, win: Estimate | None) -> float:
    return round(100 * win.mean, 1) if about.shows_win and win is not None else round(vp.mean, 1)


def graph_text(about: SessionReview) -> str:
    """Return the graph as one row of blocks, with its lowest and highest value."""
    plot = review_plot(about)
    values = [value for _, value in plot.series[0].points]
    apart = max(1, -(-len(values) // _SPARKS))
    row = [*values[::apart], *(values[-1:] if (len(values) - 1) % apart else [])]
    return f"{plot.title}: {sparkline(row)} ({min(values):g} to {max(values):g})"


def omission_texts(about: SessionReview) -> list[str]:
    """Return what was not reviewed, and why; where the board was corrected; and how closely it was looked at."""
    review, level = about.review, LEVELS[about.review.level]
    texts = [f"{plural(count, 'action')} not reviewed: {reason}." for reason, count in review.skipped.items()]
    if about.undone:
        texts.append(f"{plural(about.undone, 'undone action')} left out: what was undone is not reviewed.")
    for before, after in zip(review.points, review.points[1:], strict=False):
        if after.segment != before.segment:
            texts.append(f"Action {after.entry} corrects the board by hand: a new segment begins there.")
    if any(step.part == "luck" and step.who == "player" for step in review.steps):
        texts.append("What you rolled or drew by hand counts as luck like any other roll or draw.")
    worlds = f"Level {review.level}: {plural(level.worlds, 'world')} for each point"
    return [*texts, f"{worlds}, at most {plural(level.alternatives, 'alternative')} of a decision."]


def detail_blocks(about: SessionReview, level: int, graph: Iterable[Block]) -> list[Block]:
    """Return key moments, mistakes, graph and omissions under headings of a level."""
    return [
        *moment_blocks(about, KEY_MOMENTS, level),
        *mistake_blocks(about, level),
        Heading(level, _COURSE),
        *graph,
        Heading(level, "What was reviewed"),
        bullet_list(omission_texts(about)),
    ]


def review_blocks(about: SessionReview, *, level: int = 1, drawn: bool = False) -> list[Block]:
    """Return the whole review as a document. `level`: of its heading. `drawn`: with the graph as a picture."""
    head: list[Block] = [Heading(level, "Review", "review")]
    if level == 1:
        named = " - ".join(filter(None, [f"Session {about.name}", about.scenario]))
        head = [Heading(1, f"Review of {about.game.title}"), paragraph(f"{named}.")]
    plot = review_plot(about)
    graph: list[Block] = [Picture("review", plot_svg(plot), plot.title)] if drawn else [paragraph(graph_text(about))]
    return [*head, *summary_blocks(about), *detail_blocks(about, level + 1, graph)]


def short_blocks(about: SessionReview) -> list[Block]:
    """Return the result, the sum, the accuracy, and the few decisions and moments that mattered most."""
    mistakes, moments = about.review.mistakes()[:_SHORT], about.review.moments(_SHORT)
    blocks = summary_blocks(about)
    if mistakes:
        blocks += [Heading(2, "What cost most"), BulletList(tuple(mistake_runs(about, decision) for decision in mistakes))]
    if moments:
        blocks += moment_blocks(about, _SHORT, 2)
    return blocks


def review_lines(about: SessionReview, *, details: bool = False, columns: int = WIDTH) -> list[Line]:
    """Return the review for a screen of so many columns: the short form, or with `details` all of it."""
    if not details:
        return [*_block_lines(short_blocks(about), columns), BLANK, Line(graph_text(about)), *_omission_lines(about)]
    plot = plot_lines(review_plot(about), columns)
    blocks = [*summary_blocks(about), *detail_blocks(about, 2, ())]
    graph = next(index for index, block in enumerate(blocks) if isinstance(block, Heading) and block.text == _COURSE)
    return [*_block_lines(blocks[: graph + 1], columns), *plot, *_block_lines(blocks[graph + 1 :], columns)]


def action_lines(about: SessionReview, entry: int, columns: int = WIDTH) -> list[Line]:
    """Return the decisions of an action with their alternatives, for a screen of so many columns."""
    decisions = [one for one in about.review.decisions if one.entry == entry]
    if not decisions:
        return [Line(f"Action {entry} had no decision with alternatives to compare")]
    blocks: list[Block] = []
    for decision in decisions:
        blocks += [Paragraph(_decision_runs(about, decision)), alternatives_table(about, decision)]
    return list(_block_lines(blocks, columns))


def _decision_runs(about: SessionReview, decision: ReviewedDecision) -> tuple[TextRun, ...]:
    """Return a decision of any grade in one paragraph."""
    grade = about.review.grade(decision)
    if grade in WITH_ARTICLE:
        return mistake_runs(about, decision)
    said = _uncertain_text(about, decision) if grade == "within error" else f"{_cited_title(about, decision)}: good."
    return (TextRun(said),)


def _omission_lines(about: SessionReview) -> list[Line]:
    """Return the number of actions that were not reviewed."""
    left_out = sum(about.review.skipped.values())
    return [Line(f"{plural(left_out, 'action')} not reviewed: companion review --details", "dim")] if left_out else []


def _block_lines(blocks: Sequence[Block], columns: int) -> Iterator[Line]:
    """Return blocks as lines for the screen; pictures are left out."""
    before: Block | None = None
    for block in blocks:
        if isinstance(block, Heading) or isinstance(before, Table):
            yield BLANK
        before = block
        if isinstance(block, Heading):
            yield Line(block.text, "title")
        elif isinstance(block, Table):
            yield from _table_lines(block, columns)
        elif isinstance(block, Paragraph):
            yield _run_line(block.runs)
        elif isinstance(block, BulletList):
            yield from (_run_line(runs).with_lead("- ") for runs in block.items)


def _run_line(runs: Sequence[TextRun]) -> Line:
    """Return runs as one line, the strong ones as headings."""
    spans, text = list[Span](), ""
    for run in runs:
        if run.style:
            spans.append(Span(len(text), len(text + run.text), "title"))
        text += run.text
    return Line(text, spans=tuple(spans))


def _table_lines(table: Table, columns: int) -> Iterator[Line]:
    """Return the rows of a table."""
    for index, lines in enumerate(figure_lines([table.head, *table.rows], columns, _INDENT)):
        tone: Tone = "dim" if index == 0 else "title" if _is_total(table, index) else ""
        yield from (line._replace(tone=tone) for line in lines)


def _is_total(table: Table, index: int) -> bool:
    return table.total and index == len(table.rows)


def review_data(about: SessionReview) -> JsonDict:
    """Return the review as JSON data. VP and chances to win are those of the first seat, of a decision those of its seat."""
    review = about.review
    return {
        "level": review.level,
        "unit": review.unit,
        "seats": list(review.seats),
        "over": review.is_over,
        "said": result_sentence(about),
        "result": _worth_data(about, review.result),
        "shares": [
            {"part": share.part, "who": share.who, "title": part_title(about, share), **_value_data(about, share.vp, share.win)}
            for share in review.shares()
        ],
        "accuracies": [
            {"by_person": by_person, **accuracy._asdict(), "grades": dict(accuracy.grades)}
            for by_person in (True, False)
            for accuracy in review.accuracies(by_person=by_person)
        ],
        "moments": [
            {**dict(zip(Moment._fields[:7], moment, strict=False)), **_value_data(about, moment.vp, moment.win)}
            for moment in review.moments()
        ],
        "kinds": [
            {**dict(zip(KindLoss._fields[:4], kind, strict=False)), **_loss_data(about, kind.loss, kind.win_loss)}
            for kind in review.losses_by_kind()
        ],
        "decisions": [_decision_data(about, decision) for decision in review.decisions],
        "points": [
            {**dict(zip(GraphPoint._fields[:4], point, strict=False)), **_value_data(about, point.vp, point.win)}
            for point in review.points
        ],
        "left_out": [{"why": reason, "many": count} for reason, count in review.skipped.items()],
        "undone": about.undone,
    }


def _value_data(about: SessionReview, vp: Estimate, win: Estimate | None) -> JsonDict:
    shown = shown_win(about, win)
    return {
        "vp": vp.mean,
        "vp_error": vp.error,
        "win": None if shown is None else shown.mean,
        "win_error": None if shown is None else shown.error,
    }


def _worth_data(about: SessionReview, worth: Worth) -> JsonDict:
    return _value_data(about, worth.vp_estimate, worth.win_estimate)


def _loss_data(about: SessionReview, loss: Estimate, win_loss: Estimate | None) -> JsonDict:
    shown = shown_win(about, win_loss)
    return {
        "loss": loss.mean,
        "loss_error": loss.error,
        "win_loss": None if shown is None else shown.mean,
        "win_loss_error": None if shown is None else shown.error,
    }


def _decision_data(about: SessionReview, decision: ReviewedDecision) -> JsonDict:
    return {
        **dict(zip(ReviewedDecision._fields[:10], decision, strict=False)),  # up to the best answer
        "grade": about.review.grade(decision),
        **_loss_data(about, decision.loss, decision.win_loss),
        "reason": decision.reason,
        "by_person": decision.by_person,
        "alternatives": [
            {
                "text": one.text,
                **_value_data(about, one.vp, one.win),
                **_loss_data(about, one.loss, one.win_loss),
                "taken": one.is_taken,
                "plan": one.plan,
            }
            for one in decision.alternatives
        ],
    }
