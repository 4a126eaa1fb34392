// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

// Shows one page at a time, by what stands behind the # of the address. A page is an object with element, title, and, if it
// wants, update(overview) for each new sample and close().

import {follow, setToken} from "./connection.js";
import {setText} from "./dom.js";
import {overviewPage} from "./overview.js";
import {processesPage} from "./processes.js";
import {processPage} from "./process.js";
import {treePage} from "./tree.js";
import {namesPage} from "./names.js";

const byId = id => document.getElementById(id);

const app = {
  overview: null,
  /** Says what went wrong; nothing takes the words away. */
  problem(message) {
    byId("problem").hidden = !message;
    setText(byId("problem"), message || "");
  },
  confirm,
};

let page = null;
let path = null;

function pageFor(route) {
  const [name, ...rest] = route.split("/");
  const argument = decodeURIComponent(rest.join("/"));
  switch (name) {
    case "processes": return processesPage(app, argument);
    case "process": return processPage(app, argument);
    case "tree": return treePage(app);
    case "names": return namesPage(app);
    default: return overviewPage(app);
  }
}

function navigate() {
  const route = location.hash.replace(/^#\/?/, "");
  if (route === "main" || route === path) {
    byId("main").focus(); // the skip link
    return;
  }
  const first = path === null;
  path = route;
  if (page && page.close) {
    page.close();
  }
  app.problem("");
  page = pageFor(route);
  document.title = page.title + " – Treadle";
  byId("main").replaceChildren(page.element);
  for (const link of document.querySelectorAll("nav a")) {
    const target = link.getAttribute("href").replace(/^#\/?/, "");
    const current = route.split("/")[0] === target || (route.startsWith("process/") && target === "processes");
    current ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  if (!first) {
    byId("main").focus(); // so that a screen reader begins with the new page
  }
  if (app.overview && page.update) {
    page.update(app.overview);
  }
}

function showConnection(state, text) {
  byId("connection").className = "connection " + state;
  setText(byId("connection-text"), text);
}

function askForToken() {
  const dialog = byId("token-dialog");
  return new Promise(resolve => {
    byId("token-form").onsubmit = event => {
      event.preventDefault(); // it is sent as a header, with the next request
      setToken(byId("token").value.trim());
      dialog.close();
    };
    dialog.onclose = resolve;
    dialog.showModal();
    byId("token").select();
  });
}

/** Asks whether to do what cannot be undone; gives the reason, or null for no. */
function confirm(title, text, action) {
  const dialog = byId("confirm-dialog");
  setText(byId("confirm-title"), title);
  setText(byId("confirm-text"), text);
  setText(byId("confirm-yes"), action);
  byId("confirm-reason").value = "";
  return new Promise(resolve => {
    let reason = null;
    byId("confirm-yes").onclick = () => {
      reason = byId("confirm-reason").value;
      dialog.close();
    };
    byId("confirm-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(reason);
    dialog.showModal();
    byId("confirm-no").focus();
  });
}

window.addEventListener("hashchange", navigate);
navigate();

follow({
  live() {
    showConnection("live", "live");
  },
  overview(data) {
    app.overview = data;
    showConnection("live", "live");
    setText(byId("name"), data.name);
    if (page.update) {
      page.update(data);
    }
  },
  async lost(error) {
    if (error.status === 401) {
      showConnection("lost", "needs a token");
      await askForToken();
      path = null;
      navigate();
      return true;
    }
    showConnection("lost", error.status ? error.message : "not connected, trying again");
    return false;
  },
});
