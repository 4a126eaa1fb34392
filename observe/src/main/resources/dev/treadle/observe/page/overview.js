// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {get} from "./connection.js";
import {el, pidLink, replace, setText, table} from "./dom.js";
import {bytes, clock, delay, exact, rounded} from "./figures.js";
import {Sparkline} from "./chart.js";

const SHOWN = 6;
const INCIDENTS_MILLIS = 3000;
const STATES = ["RUNNING", "READY", "BLOCKED", "IDLE", "COMPLETE"];

class Tile {
  constructor(label, id) {
    this.value = el("div", {class: "value", id}, "–");
    this.note = el("div", {class: "note"}, "");
    this.chart = new Sparkline(label + " over the last two minutes");
    this.element = el("div", {class: "card tile"}, el("div", {class: "label"}, label), this.value, this.note,
      this.chart.element);
  }

  show(value, note, values) {
    setText(this.value, value);
    setText(this.note, note);
    this.chart.show(values);
  }
}

/** What happens now: rates, delays, workers, states, and what went wrong. */
export function overviewPage(app) {
  const steps = new Tile("Steps per second", "steps-rate");
  const messages = new Tile("Messages per second", "messages-rate");
  const wait = new Tile("Ready to run within (99 of 100)", "delay-p99");
  const alive = new Tile("Processes alive", "alive");
  const delays = el("div", {class: "small", id: "delays"});
  const figures = el("dl", {class: "small"});
  const states = el("div");
  const workers = el("div");
  const troubles = el("div", {id: "troubles"});
  const all = new Set();
  let incidentsSeen = null;
  let incidentsAt = 0;

  const element = el("div", {},
    el("h1", {}, "Overview"),
    el("div", {class: "tiles"}, steps.element, messages.element, wait.element, alive.element),
    el("div", {class: "columns"},
      el("section", {"aria-labelledby": "states-title"}, el("h2", {id: "states-title"}, "Processes by state"), states),
      el("section", {"aria-labelledby": "figures-title"}, el("h2", {id: "figures-title"}, "Figures"), delays, figures)),
    el("section", {"aria-labelledby": "workers-title"}, el("h2", {id: "workers-title"}, "Workers"), workers),
    el("section", {"aria-labelledby": "trouble-title"}, el("h2", {id: "trouble-title"}, "What went wrong"), troubles));

  function update(data) {
    steps.show(rounded(data.rates.steps), exact(data.totals.steps) + " in all", data.history.steps);
    messages.show(rounded(data.rates.messages), exact(data.totals.messages) + " in all", data.history.messages);
    wait.show(data.delay.count ? delay(data.delay.p99) : "–",
      "last " + Math.round(data.delay.windowSeconds) + " s, sampled", data.history.delayP99);
    alive.show(exact(data.totals.alive), rounded(data.rates.starts) + " started, " + rounded(data.rates.ends)
      + " ended per second", data.history.alive);
    replace(states, data.hosts.map(host => stateBar(host, data.hosts.length > 1)));
    showFigures(data);
    replace(workers, workerTable(data));
    showTroubles(data);
  }

  function showFigures(data) {
    setText(delays, data.delay.count
      ? "Ready to run: half within " + delay(data.delay.p50) + ", 99 % within " + delay(data.delay.p99)
        + ", 99.9 % within " + delay(data.delay.p999)
      : "No ready-to-run delays measured in the last seconds");
    const rows = [
      ["Events", data.rates.events, data.totals.events],
      ["Commands", data.rates.yields, data.totals.yields],
      ["Steals", data.rates.steals, data.totals.stealsWon],
      ["Parks", data.rates.parks, data.totals.parks],
      ["Dead letters", data.rates.deadLetters, data.totals.deadLetters],
    ];
    replace(figures,
      rows.map(([name, rate, total]) => [el("dt", {}, name),
        el("dd", {"data-figure": name, "data-total": total}, rounded(rate) + "/s, " + exact(total) + " in all")]),
      el("dt", {}, "Late answers"), el("dd", {}, exact(data.totals.lateAnswers)),
      el("dt", {}, "Heap"), el("dd", {}, bytes(data.memory.used) + " of " + bytes(data.memory.max)));
  }

  async function showTroubles(data) {
    const seen = JSON.stringify(data.incidents || null);
    if (seen === incidentsSeen || data.time - incidentsAt < INCIDENTS_MILLIS) {
      return;
    }
    incidentsSeen = seen;
    incidentsAt = data.time;
    if (!data.incidents) {
      replace(troubles, el("p", {class: "empty"}, "Nobody listens. Give the schedulers an Incidents listener, and this"
        + " dashboard too, to see slow steps with their stacks, failures and dead letters."));
      return;
    }
    try {
      const log = await get("incidents");
      keepOpen(troubles, () => replace(troubles,
        incidents("Slow steps", data.incidents.slowSteps, log.slowSteps, all),
        incidents("Failures", data.incidents.failures, log.failures, all),
        incidents("Dead letters", data.incidents.deadLetters, log.deadLetters, all)));
    } catch (error) {
      incidentsSeen = null;
      app.problem(error.message);
    }
  }

  return {title: "Overview", element, update};
}

function stateBar(host, named) {
  const parts = STATES.filter(state => host.states[state] > 0);
  return el("div", {"data-host": host.name},
    named && el("div", {class: "small muted"}, host.name),
    el("div", {class: "states", "aria-hidden": "true"}, parts.map(state => {
      const part = el("i", {class: "s-" + state});
      part.style.flexGrow = host.states[state]; // set by script, which the content policy lets pass
      return part;
    })),
    el("ul", {class: "legend small"}, STATES.filter(state => state !== "COMPLETE" || host.states[state] > 0).map(state =>
      el("li", {}, el("i", {class: "s-" + state}),
        el("a", {href: "#/processes/state=" + state.toLowerCase(), "data-key": host.name + state},
          state.toLowerCase()), " ",
        el("span", {"data-state": state}, exact(host.states[state]))))),
    host.stateAgeMillis > 1500 && el("p", {class: "small muted"}, "counted " + Math.round(host.stateAgeMillis / 1000)
      + " s ago"));
}

function workerTable(data) {
  const heads = ["Worker", "Does", "Steps/s", "Ready", "Steals/s", "Parks/s"].map((name, i) =>
    el("th", {scope: "col", class: i > 1 ? "num" : null}, name));
  const rows = data.hosts.flatMap(host => host.workers.map(worker => el("tr", {},
    el("th", {scope: "row"}, host.name + " " + worker.index + (worker.spare ? " (spare)" : "")),
    el("td", {}, worker.running
      ? ["runs ", pidLink(worker.running, host.name + worker.index)]
      : el("span", {class: "t-" + worker.activity}, worker.activity.toLowerCase())),
    el("td", {class: "num"}, rounded(worker.stepsPerSecond || 0)),
    el("td", {class: "num"}, exact(worker.queue || 0)),
    el("td", {class: "num"}, rounded(worker.stealsPerSecond || 0)),
    el("td", {class: "num"}, rounded(worker.parksPerSecond || 0)))));
  return table("Workers", heads, rows);
}

/** A list of what went wrong; each opens to show more. The first few, until somebody wants them all. */
export function incidents(title, count, list, all) {
  const shown = all.has(title) ? list : list.slice(0, SHOWN);
  const box = el("div", {},
    el("h3", {class: "small"}, title + ": " + exact(count)),
    list.length === 0 && el("p", {class: "empty small"}, "none"),
    shown.map(incident),
    shown.length < list.length && el("button", {type: "button", class: "more", "data-key": "more" + title, onclick() {
      all.add(title);
      box.replaceWith(incidents(title, count, list, all));
    }}, "Show the latest " + list.length));
  return box;
}

function incident(each) {
  return el("details", {"data-incident": each.time + each.pid + each.what},
    el("summary", {class: "small"}, el("span", {class: "muted"}, clock(each.time)), " ", pidLink(each.pid), " ",
      each.what),
    el("pre", {tabindex: "0"}, each.details.join("\n")));
}

/** Runs what replaces incidents, and opens those again that were open. */
export function keepOpen(element, change) {
  const open = new Set([...element.querySelectorAll("details[open]")].map(each => each.dataset.incident));
  change();
  for (const each of element.querySelectorAll("details")) {
    each.open = open.has(each.dataset.incident);
  }
}
