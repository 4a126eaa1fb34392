// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

// Makes elements. Text goes in as text alone, whatever it holds: nothing here or elsewhere parses HTML.

/** Makes an element: el("a", {href: "#/", class: "x"}, "text", another). */
export function el(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Makes an SVG element. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child instanceof Node) {
      element.append(child);
    } else if (child !== undefined && child !== null && child !== false) {
      element.append(document.createTextNode(String(child)));
    }
  }
}

/** Puts these in the place of what an element holds. What has the focus keeps it, if it has a data-key. */
export function replace(element, ...children) {
  const focused = document.activeElement;
  const key = focused && element.contains(focused) ? focused.dataset.key : undefined;
  element.replaceChildren();
  append(element, children);
  if (key !== undefined) {
    for (const candidate of element.querySelectorAll("[data-key]")) {
      if (candidate.dataset.key === key) {
        candidate.focus({preventScroll: true});
        break;
      }
    }
  }
}

/** Sets a text, and touches the page only if it is another. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** A link to the page of a process. */
export function pidLink(pid, key) {
  if (!pid) {
    return el("span", {class: "muted"}, "–");
  }
  return el("a", {class: "mono", href: "#/process/" + encodeURIComponent(pid), "data-key": key}, pid);
}

/** A table with a caption for screen readers. */
export function table(caption, heads, rows) {
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el("table", {},
      el("thead", {}, el("tr", {}, heads)),
      el("tbody", {}, rows)));
}
