// The games to choose from, each with its first position.
import { h, put } from "../dom.js";
import { thumbnail } from "../board.js";
import { position } from "../positions.js";

export function gallery(shell, catalogue) {
  const filter = h("input", { type: "search", placeholder: "Find a game", "aria-label": "find a game" });
  const cards = catalogue.games.map((game) => card(shell, game));
  const groups = [["Your games", cards.filter((each) => each.game.own)], ["Games", cards.filter((each) => !each.game.own)]];
  filter.addEventListener("input", () => {
    const text = filter.value.trim().toLowerCase();
    for (const each of cards) each.node.hidden = !`${each.game.game} ${each.game.title} ${each.game.about}`.toLowerCase().includes(text);
  });
  const node = h("div", { class: "gallery-room" },
    h("div", { class: "gallery-head" }, h("div", {}, h("h1", {}, "What shall we play?"), h("p", { class: "note" }, "Every game can be played, watched, explained, reviewed and ranked.")), filter),
    groups.filter(([, some]) => some.length).map(([title, some]) => [groups[0][1].length ? h("h2", {}, title) : null, h("div", { class: "gallery" }, some.map((each) => each.node))]));
  fetchAll(cards);
  return node;
}

function card(shell, game) {
  const picture = h("div", { class: "card-picture skeleton" });
  const about = game.about.replace(/^[^:;]*[:;]\s*/, (found) => (found.length < 24 ? "" : found));
  const node = shell.link({ room: "play", game: game.game, moves: [] },
    [picture, h("span", { class: "card-title" }, game.title || game.game), h("span", { class: "card-about" }, about)], "game-card");
  node.setAttribute("data-game", game.game);
  return { game, node, picture };
}

/** The pictures come one after the other, so that the server stays free for whoever has clicked already. */
async function fetchAll(cards) {
  const waiting = [...cards];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!next.node.isConnected && cards.some((each) => each.node.isConnected)) continue;
      try {
        put(next.picture, thumbnail(await position({ game: next.game.game, moves: [] })));
      } catch {
        put(next.picture, h("span", { class: "note" }, "no picture"));
      }
      next.picture.classList.remove("skeleton");
    }
  };
  await Promise.all([work(), work()]);
}
