// One snapshot -> the page. Text is set as text, never as markup.
import { place } from "./seats.js";

const $ = (id) => document.getElementById(id);
let timer = null; // {total, left, running, rate, since}
let seatCount = 0;

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text; // what has not changed is not read aloud again
}

export function label(words, master) {
  $("share").querySelector(".label").textContent = words.share;
  $("share").title = words.share;
  $("theme").querySelector(".label").textContent = words.theme;
  $("theme").title = words.theme;
  $("heard").querySelector(".label").textContent = `◂ ${words.heard}${words.colon}`;
  $("table").querySelector("h2").textContent = words.seats;
  $("boards").querySelector("h2").textContent = words.boards;
  $("counters").querySelector("h2").textContent = words.counters;
  $("timer").setAttribute("aria-label", words.timer);
  $("night").querySelector(".label").textContent = words.dark;
  $("code").querySelector("p").textContent = words.share_how;
  $("qr").alt = words.share_how;
  $("code").querySelector("button").textContent = words.close;
  $("sheet").hidden = !master;
  $("sheet").querySelector("h2").textContent = words.sheet;
  $("whispers").querySelector("h3").textContent = words.whispers;
  if (!$("sentence").textContent) setText($("sentence"), words.waiting);
}

export function draw(s, words) {
  document.title = s.phase ? `${s.phase} · ${s.title}` : s.title;
  setText($("title"), s.title);
  setText($("phase"), s.phase);
  const state = s.paused ? `❚❚ ${words.paused}` : s.muted ? `🔇︎ ${words.muted}` : s.dark ? `☾ ${words.dark}` : "";
  $("state").hidden = !state;
  setText($("state"), state);
  drawSaid(s, words);
  drawSeats(s.seats);
  timer = s.timer ? { ...s.timer, since: performance.now() } : null;
  setText($("stopped"), timer && !timer.running ? words.stopped : "");
  tick();
  drawVote(s.vote, words);
  $("texts").replaceChildren(...s.texts.map((text) => make("p", "", text)));
  $("boards").lastElementChild.replaceChildren(...s.boards.map(board));
  $("counters").hidden = !s.counters.length;
  $("counters").querySelector("dl").replaceChildren(...s.counters.map(counter));
  $("night").hidden = !s.dark;
  document.body.classList.toggle("dark", s.dark && !document.body.classList.contains("master"));
}

function drawSaid(s, words) {
  const sentence = $("sentence");
  sentence.dataset.manner = s.said.manner;
  sentence.toggleAttribute("data-long", s.said.text.length > 130);
  setText(sentence, s.said.text || words.waiting || "");
  $("heard").hidden = !s.heard;
  setText($("heard").querySelector("q"), s.heard);
}

function drawSeats(seats) {
  const list = $("seats");
  list.replaceChildren(...seats.map((seat) => {
    const node = make("li");
    for (const mark of seat.marks) node.toggleAttribute(`data-${mark.kind}`, true);
    node.append(make("span", "name", seat.name));
    if (seat.value) node.append(make("span", "value", seat.value));
    for (const mark of seat.marks) {
      const line = make("span", `mark ${mark.kind}`);
      line.append(make("b", "", mark.sign), ` ${mark.word}`);
      node.append(line);
    }
    return node;
  }));
  seatCount = seats.length;
  $("table").toggleAttribute("data-few", seatCount <= 9);
  $("table").toggleAttribute("data-many", seatCount > 12);
  $("table").toggleAttribute("data-huge", seatCount > 48);
  place($("table"), list);
}

function drawVote(vote, words) {
  $("vote").hidden = !vote;
  if (!vote) return;
  setText($("about"), vote.about ? `${words.vote}, ${vote.about}` : words.vote);
  const counts = [make("span", "yes", `${vote.yes ?? "…"} ${words.yes}`)];
  if (vote.no !== null) counts.push(" ", make("span", "no", `${vote.no} ${words.no}`));
  $("counts").replaceChildren(...counts);
  setText($("needed"), vote.needed !== null ? `${words.needed} ${vote.needed}` : "");
}

function board(b) {
  const node = make("div", "board");
  const title = make("h3", "", b.word);
  title.append(make("span", "", `${b.filled} / ${b.cells.length}`));
  const cells = make("ol");
  cells.setAttribute("aria-hidden", "true"); // the title has the number
  b.cells.forEach((cell, n) => cells.append(make("li", n < b.filled ? "filled" : "", cell)));
  node.append(title, cells);
  return node;
}

function counter(c) {
  const node = make("div");
  node.append(make("dt", "", c.word), make("dd", "", c.of ? `${c.value} / ${c.of}` : `${c.value}`));
  return node;
}

export function drawSheet(sheet, words) {
  const latest = [...sheet.whispers].reverse();
  $("whispers").querySelector("ol").replaceChildren(...latest.map((text) => make("li", "", text)));
  $("entries").replaceChildren(...sheet.entries.map((entry) => {
    const node = make("div");
    const list = make("ol");
    for (const line of entry.lines) {
      list.append(make("li", "", line === entry.current ? `▸ ${line} (${words.now})` : line));
    }
    node.append(make("h3", "", entry.word), list);
    return node;
  }));
}

// The clock runs here between two snapshots.
export function tick() {
  $("timer").hidden = !timer;
  if (!timer) return;
  const passed = timer.running ? ((performance.now() - timer.since) / 1000) * timer.rate : 0;
  const left = Math.max(timer.left - passed, 0);
  const seconds = Math.ceil(left);
  setText($("clock"), `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  $("timer").style.setProperty("--share", timer.total ? (100 * left) / timer.total : 0);
}

addEventListener("resize", () => { if (seatCount) place($("table"), $("seats")); });
