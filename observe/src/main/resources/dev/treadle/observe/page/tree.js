// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {get} from "./connection.js";
import {el, pidLink, replace} from "./dom.js";
import {exact} from "./figures.js";

const REFRESH_MILLIS_MIN = 2000;

/** Supervisors and their children. Lists in lists that open and close: every keyboard and reader knows them. */
export function treePage(app) {
  const body = el("div", {id: "tree"});
  const closedOnes = new Set();
  let timer = null;
  let closed = false;
  let shown = "";

  const element = el("div", {}, el("h1", {}, "Supervision"), el("section", {"aria-label": "Supervision tree"}, body));

  async function load() {
    let pause = REFRESH_MILLIS_MIN;
    try {
      const data = await get("tree");
      pause = Math.max(pause, data.refreshMillis || 0);
      const text = JSON.stringify(data);
      if (!closed && text !== shown) {
        shown = text;
        show(data);
      }
      app.problem("");
    } catch (error) {
      app.problem(error.message);
    }
    timer = closed ? null : setTimeout(load, pause);
  }

  function show(data) {
    if (!data.isNode) {
      replace(body, el("p", {class: "empty"}, "A scheduler without a node has no supervisors."));
    } else if (data.supervisors.length === 0) {
      replace(body, el("p", {class: "empty"}, "Node " + data.node + " has no supervisors."));
    } else {
      replace(body, el("ul", {class: "tree"}, data.supervisors.map(entry => item(entry))));
    }
  }

  function item(entry) {
    const label = [el("strong", {}, entry.id), " ", entry.pid ? pidLink(entry.pid, "tree" + entry.pid) : "", " ",
      el("span", {class: "small t-" + entry.state}, entry.state.toLowerCase()),
      entry.restarts > 0 && el("span", {class: "small t-STOPPING"}, ", restarted " + times(entry.restarts))];
    if (!entry.children) {
      return el("li", {}, label);
    }
    const key = entry.pid || entry.id;
    const details = el("details", {open: !closedOnes.has(key)},
      el("summary", {"data-key": "open" + key}, label, el("span", {class: "small muted"}, " " + about(entry))),
      el("ul", {}, entry.children.map(item), rest(entry)));
    details.addEventListener("toggle", () => details.open ? closedOnes.delete(key) : closedOnes.add(key));
    return el("li", {}, details);
  }

  load();
  return {
    title: "Supervision",
    element,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function about(entry) {
  const states = Object.entries(entry.childStates).map(([state, count]) => exact(count) + " " + state.toLowerCase());
  return "(" + entry.strategy.toLowerCase().replaceAll("_", "-") + ", " + (states.join(", ") || "no children")
    + (entry.restartsInAll > 0 ? ", has restarted " + times(entry.restartsInAll) : "") + ")";
}

function rest(entry) {
  const hidden = entry.childCount - entry.children.length;
  return hidden > 0 && el("li", {class: "small muted"}, "and " + exact(hidden) + " more; those that need a look come first");
}

function times(count) {
  return count === 1 ? "once" : exact(count) + " times";
}
