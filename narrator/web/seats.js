// Where the seats stand: on an ellipse where there is room, else in two columns with the first seat at the head.

export function place(table, list) {
  const cards = [...list.children];
  if (!cards.length) return;
  const width = table.clientWidth;
  const size = cards.map((card) => card.offsetHeight);
  const tall = Math.max(...size);
  const broad = cards[0].offsetWidth;
  const fixed = getComputedStyle(table).getPropertyValue("min-height") === "0px" ? table.clientHeight : 0;
  if (width < 560) columns(table, cards, size, width, broad);
  else ellipse(table, cards, width, fixed || Math.max(width * 0.62, tall * (cards.length / 2 + 1)), broad, tall);
}

function put(card, x, y) {
  card.style.setProperty("--x", `${x}px`);
  card.style.setProperty("--y", `${y}px`);
}

// Clockwise: the head, the right column downwards, the foot, the left column upwards.
function columns(table, cards, size, width, broad) {
  const n = cards.length;
  const foot = n > 4 && n % 2 === 0;
  const right = Math.floor((n - 1) / 2);
  const gap = 8;
  const columnOf = (from, to) => cards.slice(from, to).map((_, k) => size[from + k]);
  const sides = [columnOf(1, 1 + right), columnOf(1 + right + (foot ? 1 : 0), n).reverse()];
  const heights = sides.map((side) => side.reduce((sum, h) => sum + h + gap, 0));
  const body = Math.max(...heights, 190);
  put(cards[0], width / 2, size[0] / 2);
  const top = size[0] + gap;
  sides.forEach((side, which) => {
    const spare = (body - heights[which]) / Math.max(side.length, 1);
    let y = top;
    side.forEach((h, k) => {
      const card = which === 0 ? cards[1 + k] : cards[n - 1 - k];
      put(card, which === 0 ? width - broad / 2 - 2 : broad / 2 + 2, y + spare / 2 + h / 2);
      y += h + gap + spare;
    });
  });
  if (foot) put(cards[1 + right], width / 2, top + body + size[1 + right] / 2);
  table.style.height = `${top + body + (foot ? size[1 + right] : 0)}px`;
  table.style.setProperty("--hub", `${Math.max(width - 2 * broad - 16, 90)}px`);
  table.style.setProperty("--ring", `${Math.min(Math.max(width - 2 * broad - 20, 90), 130)}px`);
}

// Equal steps along the ellipse, so that nobody sits on somebody's lap.
function ellipse(table, cards, width, height, broad, tall) {
  const rx = (width - broad) / 2 - 4;
  const ry = (height - tall) / 2 - 4;
  const steps = 720;
  const lengths = [0];
  for (let k = 1; k <= steps; k += 1) {
    const [a, b] = [(2 * Math.PI * (k - 1)) / steps, (2 * Math.PI * k) / steps];
    lengths.push(lengths[k - 1] + Math.hypot(rx * (Math.sin(b) - Math.sin(a)), ry * (Math.cos(b) - Math.cos(a))));
  }
  cards.forEach((card, n) => {
    const wanted = (lengths[steps] * n) / cards.length;
    const angle = (2 * Math.PI * lengths.findIndex((length) => length >= wanted)) / steps;
    put(card, width / 2 + rx * Math.sin(angle), height / 2 - ry * Math.cos(angle));
  });
  table.style.height = getComputedStyle(table).getPropertyValue("min-height") === "0px" ? "100%" : `${height}px`;
  table.style.removeProperty("--hub");
  table.style.removeProperty("--ring");
}
