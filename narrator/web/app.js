// The stream and what surrounds the picture: theme, the code to share, coming back after sleep. Drawing is in draw.js.
import { draw, drawSheet, label, tick } from "./draw.js";

const QUIET = 25000; // ms without a word after which the stream is opened again; the server beats every ten seconds
const $ = (id) => document.getElementById(id);
let words = {};
let stream = null;
let last = 0; // when something came
let ended = false;
let wait = 1000; // ms before the next try

function connect() {
  if (stream) stream.close();
  last = Date.now();
  stream = new EventSource("stream");
  stream.addEventListener("hello", (event) => hello(JSON.parse(event.data)));
  stream.addEventListener("state", (event) => state(JSON.parse(event.data)));
  stream.addEventListener("sheet", (event) => { alive(); drawSheet(JSON.parse(event.data), words); });
  stream.addEventListener("beat", alive);
  stream.addEventListener("bye", () => { stream.close(); lost(); later(); });
  stream.onerror = () => {
    lost();
    if (stream.readyState === EventSource.CLOSED) later(); // refused: the browser does not try again by itself
  };
}

function later() {
  wait = Math.min(wait * 1.6, 10000);
  last = Date.now() - QUIET + wait; // the watch below opens it again
}

function alive() {
  last = Date.now();
  wait = 1000;
  $("lost").hidden = true;
}

function lost() {
  $("lost").textContent = (ended ? words.over : words.lost) || "…";
  $("lost").hidden = false;
}

function hello(data) {
  alive();
  words = data.words;
  document.documentElement.lang = data.language;
  document.body.classList.toggle("master", data.master);
  label(words, data.master);
  const corner = $("corner");
  corner.hidden = !data.lan || data.master; // others could not open the address of this machine alone
  if (!corner.hidden) corner.querySelector("img").src = "qr.svg";
  corner.querySelector("figcaption").textContent = words.share_how;
}

function state(snapshot) {
  alive();
  ended = snapshot.ended;
  draw(snapshot, words);
}

function again() {
  if (document.visibilityState === "visible" && Date.now() - last > 12000) connect();
}

document.addEventListener("visibilitychange", again);
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
addEventListener("online", connect);
setInterval(() => { if (Date.now() - last > QUIET) connect(); }, 1000);
setInterval(tick, 250);

// ---- light and dark

function kept() {
  try { return localStorage.getItem("theme"); } catch { return null; }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

setTheme(kept());
$("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
  try { localStorage.setItem("theme", dark ? "light" : "dark"); } catch { /* for this visit only */ }
});

// ---- the code to share

$("share").addEventListener("click", () => {
  $("qr").src = "qr.svg";
  $("code").showModal();
});

connect();
