// The games to choose from, each with its first position.
import { h, put } from "../dom.js";
import { thumbnail } from "../board.js";
import { position } from "../positions.js";

export function gallery(shell, catalogue) {
  const filter = h("input", { type: "search", placeholder: "Find a game", "aria-label": "find a game" });
  const cards = catalogue.games.map((game) => card(shell, game));
  const own = h("div", { class: "gallery" }), boards = h("div", { class: "gallery" }), others = h("div", { class: "gallery" });
  for (const each of cards) (each.game.own ? own : boards).append(each.node);
  const othersTitle = h("h2", { hidden: true }, "Trees and other models of games");
  filter.addEventListener("input", () => {
    const text = filter.value.trim().toLowerCase();
    for (const each of cards) each.node.hidden = !`${each.game.game} ${each.game.title} ${each.game.about}`.toLowerCase().includes(text);
  });
  const node = h("div", { class: "gallery-room" },
    h("div", { class: "gallery-head" }, h("div", {}, h("h1", {}, "What shall we play?"), h("p", { class: "note" }, "Every game can be played, watched, explained, reviewed and ranked.")), filter),
    own.childNodes.length ? [h("h2", {}, "Your games"), own, h("h2", {}, "Games")] : null, boards, othersTitle, others);
  fetchAll(cards, (each) => {
    each.node.classList.add("wordy");
    if (each.game.own) return;
    others.append(each.node);
    othersTitle.hidden = false;
  });
  return node;
}

function card(shell, game) {
  const picture = h("div", { class: "card-picture skeleton" });
  const [, said] = /^[^:;]{1,22}[:;]\s*(.*)$/s.exec(game.about) || [null, game.about];
  const about = (said[0] || "").toUpperCase() + said.slice(1).replaceAll("`", "");
  const node = shell.link({ room: "play", game: game.game, moves: [] },
    [picture, h("span", { class: "card-title" }, game.title || game.game), h("span", { class: "card-about" }, about)], "game-card");
  node.setAttribute("data-game", game.game);
  return { game, node, picture };
}

/** The pictures come one after the other, so that the server stays free for whoever has clicked already. */
async function fetchAll(cards, onwordy) {
  const waiting = [...cards];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!next.node.isConnected && cards.some((each) => each.node.isConnected)) continue;
      try {
        const found = await position({ game: next.game.game, moves: [] });
        if (found.board || found.picture) put(next.picture, thumbnail(found));
        else onwordy(next);
      } catch {
        onwordy(next);
      }
      next.picture.classList.remove("skeleton");
    }
  };
  await Promise.all([work(), work()]);
}
