// Where the seats stand: on an ellipse where that leaves everybody room, else along a frame; clockwise, the first at the top.

const GAP = 8; // px between two cards at least
const CROWD = 24; // more than that do not sit around anything: they are listed clockwise

export function place(table, list) {
  const cards = [...list.children];
  table.classList.toggle("crowd", cards.length > CROWD);
  if (!cards.length || cards.length > CROWD) {
    table.style.height = "";
    return;
  }
  const width = table.clientWidth;
  const fixed = getComputedStyle(table).getPropertyValue("min-height") === "0px"; // a television: nothing may scroll
  const sizes = cards.map((card) => ({ w: card.offsetWidth, h: card.offsetHeight }));
  const tall = Math.max(...sizes.map((size) => size.h));
  const height = fixed ? table.clientHeight : Math.max(width * 0.62, (tall + GAP) * 4);
  table.style.height = fixed ? "100%" : `${height}px`;
  table.style.removeProperty("--hub");
  table.style.removeProperty("--ring");
  const round = width < 560 ? null : ellipse(sizes, width, height);
  if (round && apart(round, sizes)) put(cards, round);
  else frame(table, cards, sizes, width, fixed ? height : 0);
}

function put(cards, spots) {
  cards.forEach((card, n) => {
    card.style.setProperty("--x", `${spots[n].x}px`);
    card.style.setProperty("--y", `${spots[n].y}px`);
  });
}

// Equal steps along the ellipse.
function ellipse(sizes, width, height) {
  const rx = (width - Math.max(...sizes.map((size) => size.w))) / 2 - 4;
  const ry = (height - Math.max(...sizes.map((size) => size.h))) / 2 - 4;
  const steps = 720;
  const lengths = [0];
  for (let k = 1; k <= steps; k += 1) {
    const [a, b] = [(2 * Math.PI * (k - 1)) / steps, (2 * Math.PI * k) / steps];
    lengths.push(lengths[k - 1] + Math.hypot(rx * (Math.sin(b) - Math.sin(a)), ry * (Math.cos(b) - Math.cos(a))));
  }
  return sizes.map((_, n) => {
    const wanted = (lengths[steps] * n) / sizes.length;
    const angle = (2 * Math.PI * lengths.findIndex((length) => length >= wanted)) / steps;
    return { x: width / 2 + rx * Math.sin(angle), y: height / 2 - ry * Math.cos(angle) };
  });
}

function apart(spots, sizes) {
  return spots.every((a, i) => spots.slice(0, i).every((b, j) => (
    Math.abs(a.x - b.x) >= (sizes[i].w + sizes[j].w) / 2 + GAP / 2
    || Math.abs(a.y - b.y) >= (sizes[i].h + sizes[j].h) / 2 + GAP / 2
  )));
}

// A row above, a column on either side, a row below, about as crowded as each other; on a phone one seat above and one below.
// `height` 0: as high as needed.
function frame(table, cards, sizes, width, height) {
  const n = cards.length;
  const broad = sizes[0].w;
  const most = Math.max(Math.floor((width + GAP) / (broad + GAP)), 1);
  const room = height || width * 0.7;
  let plan = divided(n, 1, sizes);
  for (let row = 2; width >= 560 && row <= most; row += 1) {
    const next = divided(n, row, sizes);
    if (crowded(next, row, most, room) >= crowded(plan, row - 1, most, room)) break;
    plan = next;
  }
  const full = height || Math.max(plan.needed, width < 560 ? 0 : room);
  const spots = [];
  const across = (seats, y, back) => seats.forEach((seat, k) => {
    const at = back ? seats.length - 1 - k : k;
    spots[seat] = { x: (width * (2 * at + 1)) / (2 * seats.length), y };
  });
  const down = (seats, x, from, to) => {
    const spare = (to - from - seats.reduce((sum, seat) => sum + sizes[seat].h + GAP, 0)) / Math.max(seats.length, 1);
    let y = from;
    for (const seat of seats) {
      y += sizes[seat].h + GAP + spare;
      spots[seat] = { x, y: y - (sizes[seat].h + GAP + spare) / 2 };
    }
  };
  across(plan.top, plan.head / 2, false);
  across(plan.bottom, full - plan.foot / 2, true);
  down(plan.right, width - broad / 2 - 1, plan.head + GAP, full - plan.foot - GAP);
  down([...plan.left].reverse(), broad / 2 + 1, plan.head + GAP, full - plan.foot - GAP);
  put(cards, spots);
  if (!height) table.style.height = `${full}px`;
  const hub = Math.max(width - 2 * broad - 4 * GAP, 80);
  table.style.setProperty("--hub", `${hub}px`);
  table.style.setProperty("--ring", `${Math.max(Math.min(hub, (full - plan.head - plan.foot) * 0.55, 280), 76)}px`);
}

function crowded(plan, row, most, room) {
  return Math.max(row / most, plan.needed / room);
}

// Who is where, the first seat in the middle of the row above; and how high that is.
function divided(n, row, sizes) {
  const top = Math.min(row, n);
  const bottom = n > 4 ? Math.min(row - ((n - top - row) % 2 ? 1 : 0), n - top) : 0;
  const sides = n - top - bottom;
  const start = n - Math.floor((top - 1) / 2); // the seat that stands first in the row above
  const order = sizes.map((_, k) => (start + k) % n);
  const right = Math.ceil(sides / 2);
  const parts = {
    top: order.slice(0, top),
    right: order.slice(top, top + right),
    bottom: order.slice(top + right, top + right + bottom),
    left: order.slice(top + right + bottom),
  };
  const tallest = (seats) => Math.max(0, ...seats.map((seat) => sizes[seat].h));
  const column = (seats) => seats.reduce((sum, seat) => sum + sizes[seat].h + GAP, 0);
  const [head, foot] = [tallest(parts.top), tallest(parts.bottom)];
  return { ...parts, head, foot, needed: head + foot + 2 * GAP + Math.max(column(parts.right), column(parts.left), 170) };
}
