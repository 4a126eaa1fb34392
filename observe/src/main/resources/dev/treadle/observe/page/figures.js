// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

// Writes numbers for people to read.

const UNITS = ["", "k", "M", "G", "T", "P"];

/** A count in full: 100,000. */
export function exact(count) {
  return Math.round(count).toLocaleString("en-US");
}

/** A count with its noun: 1 name, 2 names. */
export function counted(count, noun) {
  return exact(count) + " " + noun + (count === 1 ? "" : "s");
}

/** Three digits of a count and its unit: 1.04M. */
export function rounded(count) {
  let scaled = count;
  let unit = 0;
  while (scaled >= 999.5 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit++;
  }
  const decimals = unit === 0 ? (scaled < 9.95 && scaled !== Math.round(scaled) ? 1 : 0)
    : scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return scaled.toFixed(decimals) + UNITS[unit];
}

/** A short time in the unit that fits: 131 µs. */
export function delay(nanos) {
  if (nanos < 1e3) {
    return digits(nanos) + " ns";
  }
  if (nanos < 1e6) {
    return digits(nanos / 1e3) + " µs";
  }
  if (nanos < 1e9) {
    return digits(nanos / 1e6) + " ms";
  }
  return digits(nanos / 1e9) + " s";
}

function digits(value) {
  return value < 9.95 && value !== Math.round(value) ? value.toFixed(1) : value.toFixed(0);
}

/** A long time: 3 d 4 h. */
export function age(millis) {
  const seconds = Math.floor(millis / 1000);
  if (seconds < 60) {
    return seconds + " s";
  }
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  }
  if (seconds < 86400) {
    return Math.floor(seconds / 3600) + " h " + Math.floor(seconds % 3600 / 60) + " min";
  }
  return Math.floor(seconds / 86400) + " d " + Math.floor(seconds % 86400 / 3600) + " h";
}

/** Bytes: 120 MB. */
export function bytes(count) {
  return rounded(count).replace(/[kMGTP]?$/, unit => " " + unit + "B");
}

/** The time of day, in the zone of the reader. */
export function clock(millis) {
  return new Date(millis).toLocaleTimeString([], {hour12: false});
}

/** A class name without its package, since the table is narrow; the title has it in full. */
export function shortType(type) {
  const lambda = type.indexOf("$$Lambda");
  const name = lambda > 0 ? type.slice(0, lambda) + " lambda" : type;
  return name.slice(name.lastIndexOf(".") + 1).replaceAll("$", ".");
}
