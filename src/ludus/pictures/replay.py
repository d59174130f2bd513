"""Games to look at on a page, position by position: with a slider, arrow keys and a button that plays them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ludus.pictures.boards import CELL
from ludus.pictures.marks import changes, text_changes

FRAMES = 200
"""The most positions of a game that are shown; of a longer one, the first and the last half of them."""

SCRIPT = """
const games = [...document.querySelectorAll(".replay")].map(box => {
  const frames = box.querySelectorAll("figure");
  const slider = box.querySelector("input"), button = box.querySelector("button");
  let timer = null;
  const show = () => frames.forEach((frame, i) => { frame.hidden = i != slider.value; });
  const step = by => { slider.value = +slider.value + by; show(); };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "\\u25b6 play"; };
  const play = () => {
    if (timer) return stop();
    if (+slider.value >= frames.length - 1) slider.value = 0;
    button.textContent = "\\u23f8 pause"; show();
    timer = setInterval(() => { step(1); if (+slider.value >= frames.length - 1) stop(); }, 700);
  };
  slider.max = frames.length - 1; slider.value = frames.length - 1; show();
  slider.addEventListener("input", () => { stop(); show(); });
  button.addEventListener("click", play);
  return {box, step, stop, play};
});
const tabs = document.querySelectorAll(".tabs button");
let shown = 0;
const open = n => {
  games.forEach((game, i) => { game.box.hidden = i != n; game.stop(); });
  tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i == n));
  shown = n;
};
tabs.forEach((tab, i) => tab.addEventListener("click", () => open(i)));
if (games.length) open(0);
document.addEventListener("keydown", event => {
  if (!games.length || event.target.tagName == "INPUT" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key == "ArrowLeft") games[shown].step(-1);
  else if (event.key == "ArrowRight") games[shown].step(1);
  else return;
  games[shown].stop(); event.preventDefault();
});
"""


@dataclass(frozen=True)
class Frame:
    """A position: what led to it, who made that move (0 or 1; None: nobody), and its picture.

    The picture is SVG, or a board of letters; empty if the game draws none.
    """

    words: str
    seat: int | None = None
    svg: str = ""
    text: str = ""


@dataclass(frozen=True)
class Replay:
    """A game: what it shows, the names of those who move first and second after the opening, and its positions."""

    title: str
    players: tuple[str, str]
    result: str
    frames: Sequence[Frame]


def replays_html(replays: Sequence[Replay]) -> list[str]:
    """The games under one heading; those that draw nothing are told in words."""
    if not replays:
        return []
    if not any(frame.svg or frame.text for frame in replays[0].frames):
        told = [f"<h3>{escape(_title(replay))}</h3>{_moves(replay)}" for replay in replays]
        return ["<h2>Games</h2>", *told]
    tabs = "".join(f'<button type="button">{escape(replay.title)}</button>' for replay in replays)
    keys = "Arrow keys step through the game. The last move is marked; values are to the player who moves."
    boxes = [_replay(replay) for replay in replays]
    note = f'<p class="note">{keys}</p>'
    return ["<h2>Games</h2>", f'<p class="tabs">{tabs}</p>', *boxes, note, f"<script>{SCRIPT}</script>"]


def _title(replay: Replay) -> str:
    return f"{replay.title}: {replay.players[0]} against {replay.players[1]}, {replay.result}"


def _moves(replay: Replay) -> str:
    return f"<ol>{''.join(f'<li>{escape(frame.words)}</li>' for frame in replay.frames[1:])}</ol>"


def _replay(replay: Replay) -> str:
    put: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    figures, before = [], None
    for frame in replay.frames:
        picture, pieces = _picture(before, frame)
        if frame.seat is not None:
            put[frame.seat].update(pieces)
        figures.append(f"<figure><figcaption>{escape(frame.words)}</figcaption>{picture}</figure>")
        before = frame
    if len(figures) > FRAMES:
        figures = [*figures[: FRAMES // 2], *figures[-FRAMES // 2 :]]
    slider = '<input type="range" min="0" aria-label="ply">'
    control = f'<p><button type="button">▶ play</button> {slider}</p>'
    return f'<div class="replay">{_legend(replay, put)}{control}{"".join(figures)}</div>'


def _picture(before: Frame | None, frame: Frame) -> tuple[str, list[str]]:
    """A position as HTML with the last move marked, and the pieces that were put on the board."""
    if frame.svg:
        return changes(before.svg, frame.svg) if before is not None and before.svg else (frame.svg, [])
    marked, put = text_changes(before.text, frame.text) if before is not None else (escape(frame.text), [])
    return f"<pre>{marked}</pre>", put


def _legend(replay: Replay, put: tuple[Counter[str], Counter[str]]) -> str:
    """Who moves first and second, each with the piece that it puts on the board most often, if these differ."""
    most = [max(count, key=lambda piece: (count[piece], piece)) if (count := pieces) else "" for pieces in put]
    icons = ["", ""] if most[0] == most[1] else [_icon(piece) for piece in most]
    names = [f"{icon}<b>{escape(name)}</b>" for icon, name in zip(icons, replay.players, strict=True)]
    return f"<p>{names[0]} moves first, {names[1]} second: {escape(replay.result)}.</p>"


def _icon(piece: str) -> str:
    if not piece.startswith("<"):
        return f"<code>{escape(piece)}</code> " if piece else ""
    box = f'viewBox="{-CELL / 2:g} {-CELL / 2:g} {CELL} {CELL}" width="22" height="22" text-anchor="middle"'
    return f'<svg class="icon" {box} aria-hidden="true">{piece}</svg> '
