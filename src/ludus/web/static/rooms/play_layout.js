// What stands where in the room Play.
import { button, copy, field, h, put } from "../dom.js";
import { post, tokenFragment } from "../api.js";
import { gamePicker, playerPicker } from "../picker.js";
import * as words from "../words.js";
import { number, signed } from "../format.js";
import { seatIcon } from "../board.js";
import { isDecided } from "../known.js";
import { where } from "../address.js";

/** The elements of the room, and functions that bring them up to date. */
export function layout(room) {
  const { shell, catalogue } = room;
  const board = h("div", { class: "board-box" });
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const waiting = h("div", { class: "progress", role: "progressbar", "aria-label": "getting ready", hidden: true });
  const players = h("div", { class: "players" });
  const played = h("div", { class: "played-box" });
  const legal = h("div", {});
  const bar = h("div", { class: "ahead" });
  const actions = h("div", { class: "actions" });
  const back = h("div", { class: "row look-back" });
  const head = h("div", { class: "room-head" });
  const node = h("div", { class: "room play" }, head,
    h("section", { class: "stage" }, bar, board, back),
    h("section", { class: "side" }, h("div", { class: "card" }, status, waiting, actions, legal),
      h("div", { class: "card" }, players), h("div", { class: "card" }, h("h3", {}, "The game so far"), played, texts(room))));
  put(head, h("h1", { class: "sr" }, "Play"), gamePicker(catalogue, room.here && room.here.game, (game) => shell.go({ room: "play", game, moves: [] })),
    shell.link({ room: "play", moves: [] }, "All games", "quiet-link"));
  return {
    node, board, played, legal,
    status: (text, kind) => {
      put(status, kind === "busy" || kind === "preparing" ? h("span", { class: "spinner" }) : null, text);
      status.className = `status ${kind === "preparing" ? "busy" : kind}`;
      waiting.hidden = kind !== "preparing";
    },
    players: (now) => drawPlayers(room, players, now, head),
    update: () => { drawSeats(room, players); drawBar(room, bar); drawActions(room, actions); drawBack(room, back); },
  };
}

function drawPlayers(room, box, now, head) {
  const select = head.querySelector(".game-select");
  if (select && select.value !== room.here.game) select.replaceWith(gamePicker(room.catalogue, room.here.game, (game) => room.shell.go({ room: "play", game, moves: [] })));
  put(box, h("h3", {}, "Players"), now.map((player, turn) => h("div", { class: `player seat-${turn}` },
    h("span", { class: "player-name" }, h("i", { class: `seat-dot seat-${turn}`, "data-seat": turn, "aria-hidden": "true" }), words.SIDES[turn]),
    playerPicker(room.catalogue, player, (spec) => room.setPlayers(turn === 0 ? [spec, now[1]] : [now[0], spec]), { person: true, label: `${words.SIDES[turn].toLowerCase()} player` }))),
  button("Swap sides", () => room.swap(), { class: "small quiet" }));
}

/** Each side has the piece that it plays with, once it stands on the board. */
function drawSeats(room, box) {
  for (const dot of box.querySelectorAll("[data-seat]")) {
    const icon = seatIcon(room.now, Number(dot.dataset.seat));
    put(dot, icon);
    dot.classList.toggle("drawn", Boolean(icon));
  }
}

/** Who is ahead, and who says so. */
function drawBar(room, box) {
  const { now, verdict } = room;
  const first = verdict ? words.toFirst(verdict.value, verdict.turn) : null;
  const share = words.share(first, verdict && verdict.scale);
  const meter = h("div", { class: "ahead-bar", role: "img" }, h("div", { class: "ahead-first" }));
  meter.firstChild.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
  const ends = h("div", { class: "ahead-ends", "aria-hidden": "true" }, [0, 1].map((turn) => h("span", { class: "player-name" }, h("i", { class: `seat-dot seat-${turn}` }), words.SIDES[turn])));
  const winner = room.resigned !== null ? 1 - room.resigned : now && now.over ? now.winner : undefined;
  if (winner !== undefined) {
    const said = winner === null ? "The game is drawn" : `${words.side(winner)} has won`;
    meter.firstChild.style.setProperty("--share", winner === null ? "50%" : winner === 0 ? "100%" : "0%");
    meter.setAttribute("aria-label", said);
    return put(box, ends, meter, h("p", { class: "ahead-words" }, h("b", {}, said), h("span", { class: "note" }, room.resigned !== null ? " by resignation" : " by the rules of the game")));
  }
  if (!verdict || first === null) {
    meter.classList.add("unknown");
    meter.setAttribute("aria-label", "nobody has said yet who is ahead");
    return put(box, ends, meter, h("p", { class: "ahead-words note" }, "No search has judged this game yet."));
  }
  const ahead = Math.abs(first) < 1e-9 ? "Even" : first > 0 ? "First is ahead" : "Second is ahead";
  const value = (verdict.proven && verdict.said) || isDecided(verdict) ? `${words.side(verdict.turn)}: ${verdict.said}` : signed(first);
  const title = words.whose("the value of the position", { ...verdict, turn: 0 });
  meter.setAttribute("aria-label", `${ahead}: ${value}, ${title}`);
  meter.title = title;
  const when = verdict.ply === room.here.moves.length ? "now" : `at ply ${verdict.ply}`;
  return put(box, ends, meter, h("p", { class: "ahead-words", title }, h("b", {}, ahead), " ", h("span", { class: "value" }, value), h("span", { class: "note" }, ` says ${verdict.player}, ${when}`)));
}

function drawActions(room, box) {
  const { mine } = room;
  const plies = room.here.moves.length;
  const watch = room.spectating && !(room.now && room.now.over) ? [
    button(room.running ? "❚❚ Pause" : "▶ Play", () => room.run(!room.running), { class: "primary" }),
    button("Step", () => room.step(), { disabled: room.running }),
    h("label", { class: "inline", title: "Pause between two moves" }, "Delay", h("input", { type: "range", min: 0, max: 3000, step: 100, value: room.delay, "aria-label": "delay between moves", oninput: (event) => { room.delay = Number(event.target.value); } })),
  ] : null;
  put(box, watch,
    button("New game", () => room.newGame(), { class: room.now && room.now.over ? "primary" : "" }),
    button("Take back", () => room.takeBack(), { disabled: !plies }),
    room.spectating ? null : [button("Hint", () => room.askHint(), { disabled: !mine }), button("Resign", () => room.resign(), { disabled: !mine || !plies })],
    room.now && room.now.over && plies ? room.shell.link({ ...room.here, room: "review", more: {} }, "Review this game", "button") : null);
}

function drawBack(room, box) {
  const { view } = room;
  const plies = room.here.moves.length, at = view ? view.ply : plies;
  put(box, button("«", () => room.look(0), { class: "small", disabled: at === 0, "aria-label": "first position" }),
    button("‹", () => room.look(at - 1), { class: "small", disabled: at === 0, "aria-label": "one ply back" }),
    h("span", { class: "note ply-count", title: "plies played" }, view ? `${at} of ${plies}` : number(plies)),
    button("›", () => room.look(at + 1), { class: "small", disabled: at === plies, "aria-label": "one ply forward" }),
    button("»", () => room.look(plies), { class: "small", disabled: at === plies, "aria-label": "last position" }),
    view ? button("Play from here", () => room.playFromHere(), { class: "small primary" }) : null);
}

/** The game and the position as text, to copy and to paste. */
function texts(room) {
  const { shell } = room;
  const said = (words_) => shell.say(words_);
  const area = h("textarea", { rows: 3, placeholder: "Paste a position, or the moves of a game", "aria-label": "paste a position or a game", maxlength: 100000, spellcheck: "false" });
  const record = () => shell.attempt(async () => {
    const { game, moves } = where(room.here);
    const names = room.players.map((player) => (player === words.PERSON ? "a person" : player));
    const found = await post("/api/record", { ...where(room.here), game, moves, players: names });
    area.value = found.text;
    await copy(found.text, said);
  });
  const load = () => shell.attempt(async () => {
    const text = area.value.trim();
    if (!text) return;
    const found = await post("/api/text", { game: room.here.game, text });
    room.go({ state: found.state, moves: found.moves || [] });
  });
  return h("details", { class: "texts" }, h("summary", {}, "Copy and paste"),
    h("div", { class: "row wrap" }, button("Copy position", () => { area.value = room.now.state; copy(room.now.state, said); }, { class: "small" }),
      button("Copy game", record, { class: "small" }),
      button("Copy link", () => copy(location.href + tokenFragment(), said), { class: "small", title: "With the key that opens this page" })),
    field("Text", area), button("Load", load, { class: "small primary" }));
}
