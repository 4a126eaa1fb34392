// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {get, post} from "./connection.js";
import {el, pidLink, replace, setText, table} from "./dom.js";
import {age, clock, exact, shortType} from "./figures.js";
import {incidents, keepOpen} from "./overview.js";

const REFRESH_MILLIS_MIN = 2000;

/** All that is known of one process. */
export function processPage(app, pid) {
  const status = el("p", {role: "status", class: "small muted"}, "");
  const body = el("div", {});
  const buttons = el("p", {class: "buttons"},
    el("button", {type: "button", id: "cancel", onclick: () => end("cancel")}, "Cancel"),
    el("button", {type: "button", id: "terminate", class: "danger", onclick: () => end("terminate")}, "Terminate"));
  buttons.hidden = true;
  let timer = null;
  let closed = false;
  let shown = "";

  const all = new Set();
  const element = el("div", {}, el("div", {class: "head"}, el("h1", {class: "mono"}, pid), status, buttons), body);

  async function end(how) {
    const words = how === "cancel"
      ? "It is asked to end, with a signal, and may take its time."
      : "It is ended at its next step boundary, without being asked.";
    const reason = await app.confirm((how === "cancel" ? "Cancel " : "Terminate ") + pid + "?", words,
      how === "cancel" ? "Cancel it" : "Terminate it");
    if (reason === null) {
      return;
    }
    try {
      await post(how, {pid, reason});
      setText(status, how === "cancel" ? "It was asked to end." : "It was told to end.");
      load();
    } catch (error) {
      app.problem(error.message);
    }
  }

  async function load() {
    clearTimeout(timer);
    let pause = REFRESH_MILLIS_MIN;
    try {
      const data = await get("process", {pid});
      if (closed) {
        return;
      }
      pause = Math.max(pause, data.refreshMillis || 0);
      show(data);
      app.problem("");
    } catch (error) {
      if (!closed) {
        app.problem(error.message);
      }
    }
    timer = closed ? null : setTimeout(load, pause);
  }

  function show(data) {
    const text = JSON.stringify(data);
    if (text === shown) {
      return;
    }
    shown = text;
    buttons.hidden = !(data.alive && app.overview && app.overview.control);
    if (!data.alive) {
      setText(status, "It is not alive: it has ended, or there never was one.");
    }
    keepOpen(body, () => replace(body,
      data.alive && el("div", {class: "columns"}, about(data.process), relations(data)), attributes(data),
      data.alive && children(data), trace(data), troubles(data, all)));
  }

  load();
  return {
    title: pid,
    element,
    update(overview) {
      buttons.hidden = buttons.hidden || !overview.control;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function row(name, value, id) {
  return [el("dt", {}, name), el("dd", {id}, value)];
}

function about(process) {
  return el("section", {"aria-labelledby": "about-title"}, el("h2", {id: "about-title"}, "State"),
    el("dl", {},
      row("State", el("span", {class: "t-" + process.state}, process.state.toLowerCase()), "process-state"),
      row("Messages waiting", exact(process.queue), "process-queue"),
      row("Yields in flight", exact(process.yields), "process-yields"),
      row("Steps", exact(process.steps), "process-steps"),
      row("Age", age(process.ageMillis)),
      row("Worker", process.worker < 0 ? "none yet" : process.worker),
      row("Type", el("span", {class: "mono"}, process.type)),
      row("Method", el("span", {class: "mono"}, process.method)),
      row("Parent", process.parent ? pidLink(process.parent, "parent") : "none: started from outside")));
}

function chips(values, make) {
  return values.length === 0 ? el("span", {class: "muted"}, "none")
    : el("ul", {class: "chips"}, values.map(value => el("li", {}, make ? make(value) : value)));
}

function some(count, values, make) {
  return [chips(values, make), count > values.length && el("span", {class: "small muted"}, "of " + exact(count))];
}

function relations(data) {
  return el("section", {"aria-labelledby": "relations-title"}, el("h2", {id: "relations-title"}, "Relations"),
    data.names === undefined ? el("p", {class: "empty"}, "A scheduler without a node knows no names, links and monitors.")
      : el("dl", {},
        row("Names", chips(data.names), "process-names"),
        row("Groups", chips(data.groups)),
        row("Linked to", some(data.linkCount, data.links, pid => pidLink(pid)), "process-links"),
        row("Watched by", some(data.monitorCount, data.monitors, pid => pidLink(pid)), "process-monitors"),
        row("Traps exits", data.trapsExits ? "yes" : "no")));
}

function attributes(data) {
  const entries = Object.entries(data.attributes || {});
  return entries.length > 0 && el("section", {"aria-labelledby": "attributes-title"},
    el("h2", {id: "attributes-title"}, "Attributes"),
    el("dl", {id: "attributes"}, entries.map(([name, value]) => row(name, el("span", {class: "mono"}, value)))));
}

function children(data) {
  return el("section", {"aria-labelledby": "children-title"},
    el("h2", {id: "children-title"}, "Children: " + exact(data.childCount)),
    data.children.length === 0 ? el("p", {class: "empty"}, "none alive")
      : table("Children",
        ["Process", "State", "Type", "Steps", "Waiting"].map((name, i) =>
          el("th", {scope: "col", class: i > 2 ? "num" : null}, name)),
        data.children.map(child => el("tr", {},
          el("th", {scope: "row"}, pidLink(child.pid, child.pid)),
          el("td", {class: "t-" + child.state}, child.state.toLowerCase()),
          el("td", {class: "type", title: child.type}, shortType(child.type)),
          el("td", {class: "num"}, exact(child.steps)),
          el("td", {class: "num"}, exact(child.queue))))));
}

function trace(data) {
  if (!data.traced) {
    return data.alive && el("p", {class: "small muted"}, "Its events are not traced. Wrap the process with a Tracer to"
      + " see what it gets.");
  }
  return el("section", {"aria-labelledby": "trace-title"}, el("h2", {id: "trace-title"}, "Latest events"),
    data.events.length === 0 ? el("p", {class: "empty"}, "none yet")
      : table("Latest events", ["Time", "Event", "Content"].map(name => el("th", {scope: "col"}, name)),
        data.events.map(event => el("tr", {class: "event"},
          el("td", {class: "muted"}, clock(event.time)), el("td", {}, event.what),
          el("td", {class: "mono"}, event.detail)))));
}

function troubles(data, all) {
  const kinds = [["Slow steps", data.slowSteps], ["Failures", data.failures], ["Dead letters", data.deadLetters]]
    .filter(([, list]) => list && list.length > 0);
  return kinds.length > 0 && el("section", {"aria-labelledby": "wrong-title"},
    el("h2", {id: "wrong-title"}, "What went wrong lately"),
    kinds.map(([title, list]) => incidents(title, list.length, list, all)));
}
