// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

import {svg} from "./dom.js";

const WIDTH = 240;
const HEIGHT = 38;
const POINTS_MIN = 30;

/** A small chart of one figure over the last two minutes. What it shows is said in words beside it. */
export class Sparkline {
  constructor(title) {
    this.area = svg("path", {class: "area"});
    this.line = svg("path", {class: "line"});
    this.element = svg("svg", {class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      role: "img", "aria-label": title},
    svg("line", {x1: 0, x2: WIDTH, y1: HEIGHT - 0.5, y2: HEIGHT - 0.5}), this.area, this.line);
  }

  /** Shows values, the oldest first; as wide as they are once there are enough. */
  show(values) {
    const points = Math.max(values.length, POINTS_MIN);
    if (values.length < 2) {
      return;
    }
    const most = Math.max(...values, 1e-9);
    const step = WIDTH / (points - 1);
    const start = WIDTH - (values.length - 1) * step;
    const places = values.map((value, i) =>
      (start + i * step).toFixed(1) + " " + (HEIGHT - 2 - value / most * (HEIGHT - 6)).toFixed(1));
    this.line.setAttribute("d", "M" + places.join("L"));
    this.area.setAttribute("d", `M${start.toFixed(1)} ${HEIGHT}L${places.join("L")}L${WIDTH} ${HEIGHT}Z`);
  }
}
