// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

// Talks to the server. The token is sent as a header, never in a URL, so it is in no log and no history. That is why the
// stream of events is read with fetch: EventSource cannot send headers.

const KEY = "treadle-token";
const RETRY_MILLIS = 2000;

let token = sessionStorage.getItem(KEY);

// http://host:7700/#token=... lets somebody pass on a link; what follows # is not sent to the server.
const given = /^#token=(.+)$/.exec(location.hash);
if (given) {
  setToken(decodeURIComponent(given[1]));
  history.replaceState(null, "", location.pathname + "#/");
}

export function setToken(value) {
  token = value;
  sessionStorage.setItem(KEY, value);
}

function headers(more) {
  return token ? {...more, Authorization: "Bearer " + token} : {...more};
}

/** Thrown when the server says no; its message is what the server said. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function check(response) {
  if (!response.ok) {
    let problem = "the server answered " + response.status;
    try {
      problem = (await response.json()).problem || problem;
    } catch {
      // not ours: a proxy, most likely
    }
    throw new Refusal(response.status, problem);
  }
  return response;
}

/** Asks for something: get("processes", {sort: "steps"}). */
export async function get(what, parameters, signal) {
  const query = new URLSearchParams(parameters || {}).toString();
  const response = await fetch("api/" + what + (query ? "?" + query : ""), {headers: headers(), signal});
  return (await check(response)).json();
}

/** Asks to end a process: post("cancel", {pid, reason}). */
export async function post(what, parameters) {
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch("api/" + what + "?" + query,
    {method: "POST", headers: headers({"X-Treadle-Control": "yes"})});
  return (await check(response)).json();
}

/**
 * Reads the stream of events for ever, and tells of what comes: on.overview(data), on.live(), on.lost(error). Waits before it
 * tries again, unless on.lost says that it need not.
 */
export async function follow(on) {
  for (;;) {
    let again = false;
    try {
      const response = await check(await fetch("api/stream", {headers: headers()}));
      on.live();
      await read(response.body.pipeThrough(new TextDecoderStream()).getReader(), on);
      again = await on.lost(new Error("the server has ended"));
    } catch (error) {
      again = await on.lost(error);
    }
    if (!again) {
      await new Promise(resolve => setTimeout(resolve, RETRY_MILLIS));
    }
  }
}

async function read(reader, on) {
  let text = "";
  for (;;) {
    const {done, value} = await reader.read();
    if (done) {
      return;
    }
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event);
      if (data) {
        on.overview(JSON.parse(data[1]));
      }
    }
  }
}
