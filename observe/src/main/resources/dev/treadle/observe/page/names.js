// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {get} from "./connection.js";
import {el, pidLink, replace, setText} from "./dom.js";
import {counted, exact} from "./figures.js";

const REFRESH_MILLIS_MIN = 3000;
const TYPING_MILLIS = 250;

/** Names and groups of a node, and the members of a group that was opened. */
export function namesPage(app) {
  const search = el("input", {type: "search", id: "name-search", maxlength: 200, autocomplete: "off"});
  const names = el("div", {id: "names"});
  const groups = el("div", {id: "groups"});
  const count = el("p", {class: "small muted", role: "status"}, "");
  const open = new Set();
  let timer = null;
  let closed = false;
  let shown = "";

  const element = el("div", {},
    el("h1", {}, "Names and groups"),
    el("div", {class: "bar", role: "search"},
      el("div", {class: "grow"}, el("label", {for: "name-search"}, "Search"), search)),
    count,
    el("div", {class: "columns"},
      el("section", {"aria-labelledby": "names-title"}, el("h2", {id: "names-title"}, "Names"), names),
      el("section", {"aria-labelledby": "groups-title"}, el("h2", {id: "groups-title"}, "Groups"), groups)));

  async function load() {
    clearTimeout(timer);
    let pause = REFRESH_MILLIS_MIN;
    try {
      const data = await get("names", {q: search.value});
      pause = Math.max(pause, data.refreshMillis || 0);
      delete data.refreshMillis; // changes when nothing else does
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
      setText(count, "A scheduler without a node has no names and groups.");
      return;
    }
    setText(count, counted(data.nameCount, "name") + ", " + counted(data.groupCount, "group")
      + (data.nameCount > data.names.length || data.groupCount > data.groups.length ? "; search to see more" : ""));
    replace(names, data.names.length === 0 ? el("p", {class: "empty"}, "none")
      : el("table", {}, el("tbody", {}, data.names.map(each =>
        el("tr", {}, el("th", {scope: "row"}, each.name), el("td", {}, pidLink(each.pid, "name" + each.name)))))));
    replace(groups, data.groups.length === 0 ? el("p", {class: "empty"}, "none") : data.groups.map(group));
  }

  function group(each) {
    const members = el("div", {});
    const details = el("details", {open: open.has(each.name)},
      el("summary", {"data-key": "group" + each.name}, each.name, " ",
        el("span", {class: "muted small"}, counted(each.size, "member"))),
      members);
    const fill = async () => {
      try {
        const data = await get("group", {name: each.name});
        replace(members, el("ul", {class: "chips"}, data.members.map(pid => el("li", {}, pidLink(pid)))),
          data.size > data.members.length && el("p", {class: "small muted"}, "and "
            + exact(data.size - data.members.length) + " more"));
      } catch (error) {
        app.problem(error.message);
      }
    };
    details.addEventListener("toggle", () => {
      if (details.open) {
        open.add(each.name);
        fill();
      } else {
        open.delete(each.name);
      }
    });
    return details;
  }

  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, TYPING_MILLIS);
  });
  load();

  return {
    title: "Names and groups",
    element,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
