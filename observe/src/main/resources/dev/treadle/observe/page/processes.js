// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {get} from "./connection.js";
import {el, pidLink, replace, setText} from "./dom.js";
import {age, exact, shortType} from "./figures.js";

const PAGE = 50;
const TYPING_MILLIS = 250;
const REFRESH_MILLIS_MIN = 2000;

const COLUMNS = [
  {key: "pid", name: "Process"},
  {key: "state", name: "State"},
  {key: "type", name: "Type"},
  {key: "method", name: "Method", wide: true},
  {key: "steps", name: "Steps", number: true, most: true},
  {key: "queue", name: "Waiting", number: true, most: true},
  {key: "yields", name: "Yields", number: true, most: true, wide: true},
  {key: "age", name: "Age", number: true, most: true},
  {key: "worker", name: "Worker", number: true, wide: true},
];

/** All processes: the server sorts, searches and cuts, so that there may be a million. */
export function processesPage(app, argument) {
  const wanted = {q: "", state: "", sort: "pid", desc: "false", offset: "0", ...Object.fromEntries(new URLSearchParams(argument))};
  const search = el("input", {type: "search", id: "search", value: wanted.q, maxlength: 200, autocomplete: "off",
    placeholder: "pid, type, method, name, attribute"});
  const state = el("select", {id: "state"}, ["", "running", "ready", "blocked", "idle"].map(value =>
    el("option", {value, selected: wanted.state === value}, value || "any")));
  const count = el("p", {class: "small muted", role: "status", id: "count"}, "");
  const heads = el("tr", {});
  const rows = el("tbody", {});
  const before = el("button", {type: "button", id: "before"}, "Before");
  const next = el("button", {type: "button", id: "next"}, "Next");
  const place = el("span", {class: "small muted"}, "");
  let timer = null;
  let asked = null;

  const element = el("div", {},
    el("h1", {}, "Processes"),
    el("section", {"aria-label": "Processes"},
      el("div", {class: "bar", role: "search"},
        el("div", {class: "grow"}, el("label", {for: "search"}, "Search"), search),
        el("div", {}, el("label", {for: "state"}, "State"), state)),
      count,
      el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of processes"},
        el("table", {id: "processes"}, el("thead", {}, heads), rows)),
      el("div", {class: "pager"}, before, next, place)));

  function showHeads() {
    replace(heads, COLUMNS.map(column => {
      const sorted = wanted.sort === column.key;
      return el("th", {scope: "col", class: (column.number ? "num" : "") + (column.wide ? " wide" : ""),
        "aria-sort": sorted ? (wanted.desc === "true" ? "descending" : "ascending") : null},
      el("button", {type: "button", "data-key": column.key, onclick: () => sortBy(column, sorted)}, column.name));
    }));
  }

  function sortBy(column, sorted) {
    wanted.desc = String(sorted ? wanted.desc !== "true" : Boolean(column.most));
    wanted.sort = column.key;
    wanted.offset = "0";
    showHeads();
    load();
  }

  async function load() {
    clearTimeout(timer);
    if (asked) {
      asked.abort();
    }
    const mine = new AbortController();
    asked = mine;
    let pause = REFRESH_MILLIS_MIN;
    try {
      const data = await get("processes", {...wanted, limit: PAGE}, mine.signal);
      show(data);
      pause = Math.max(pause, data.refreshMillis);
      app.problem("");
    } catch (error) {
      if (mine.signal.aborted) {
        return;
      }
      app.problem(error.message);
    }
    timer = setTimeout(load, pause);
  }

  function show(data) {
    const offset = Number(wanted.offset);
    setText(count, exact(data.matching) + (data.matching === 1 ? " process" : " processes")
      + (wanted.q || wanted.state ? " found" : ""));
    replace(rows, data.processes.map(row));
    if (data.processes.length === 0) {
      rows.append(el("tr", {}, el("td", {colspan: COLUMNS.length, class: "empty"}, "None.")));
    }
    const reachable = Math.min(data.matching, data.depthMax);
    before.disabled = offset === 0;
    next.disabled = offset + PAGE >= reachable;
    setText(place, data.matching === 0 ? "" : exact(offset + 1) + " to " + exact(offset + data.processes.length)
      + (data.matching > data.depthMax ? "; pages go to " + exact(data.depthMax) + ", search to find more" : ""));
  }

  function row(process) {
    return el("tr", {"data-pid": process.pid},
      el("th", {scope: "row"}, pidLink(process.pid, process.pid),
        (process.names || []).map(name => el("div", {class: "small"}, name))),
      el("td", {class: "t-" + process.state}, process.state.toLowerCase()),
      el("td", {class: "type", title: process.type}, shortType(process.type)),
      el("td", {class: "wide"}, process.method),
      el("td", {class: "num"}, exact(process.steps)),
      el("td", {class: "num"}, exact(process.queue)),
      el("td", {class: "num wide"}, exact(process.yields)),
      el("td", {class: "num"}, age(process.ageMillis)),
      el("td", {class: "num wide"}, process.worker < 0 ? "–" : process.worker));
  }

  function turn(by) {
    wanted.offset = String(Math.max(0, Number(wanted.offset) + by));
    load();
  }

  search.addEventListener("input", () => {
    wanted.q = search.value;
    wanted.offset = "0";
    clearTimeout(timer);
    timer = setTimeout(load, TYPING_MILLIS);
  });
  state.addEventListener("change", () => {
    wanted.state = state.value;
    wanted.offset = "0";
    load();
  });
  before.addEventListener("click", () => turn(-PAGE));
  next.addEventListener("click", () => turn(PAGE));
  showHeads();
  load();

  return {
    title: "Processes",
    element,
    close() {
      clearTimeout(timer);
      asked.abort();
    },
  };
}
