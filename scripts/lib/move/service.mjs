// Asks the service, and waits when it says so.
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../base/client.mjs";
import { Failure } from "../base/command.mjs";

/** The longest that one answer may let the program wait, s. */
const longestWait = 120;
/** How often a 429 and a failure are met before it gives up. */
const mostTries = { limited: 8, down: 5 };
/** Whoever watches is told of a wait as long as this, s. */
const longWait = 10;

/** The service refuses this one request. Others may go on. */
export class Refused extends Error {}

/** Nobody knows whether the service has done what it was asked for. `wait` is how long to wait before looking, s. */
export class Unsure extends Failure {
  constructor(text, wait) {
    super(text);
    this.wait = wait;
  }
}

const pauseUntil = (signal) => (seconds) => sleep(seconds * 1_000, undefined, { signal });

export class Service {
  /** `pause` waits this many seconds. */
  constructor({ url, key, signal, print = () => {}, pause = pauseUntil(signal), send = call }) {
    Object.assign(this, { url, key, signal, print, send, rest: pause });
  }

  /**
   * Asks once more after a 429, and after a failure if `safe` says that a repeat does no harm; a GET does none. `missing` lets a
   * 404 be `null`. Returns the body of the answer, or its text if it has no JSON.
   */
  async ask(method, path, { missing = false, safe = method === "GET", headers, ...options } = {}) {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.attempt(method, path, { ...options, headers: { "accept-language": "en", ...headers } });
      const isLimited = answer?.status === 429;
      const isDown = answer === undefined || answer.status >= 500;
      if (!isLimited && !isDown) return judged(answer, { url: this.url, missing });
      const told = Number.parseInt(answer?.headers.get("retry-after"), 10);
      const wait = Number.isNaN(told) ? 2 ** (tries - 1) : told;
      const said = isLimited ? `asks to wait for ${wait} s` : this.trouble(answer);
      if (isDown && !safe) throw new Unsure(`${this.url} ${said}`, wait);
      if (tries === mostTries[isLimited ? "limited" : "down"] || wait > longestWait)
        throw new Failure(`${this.url} ${said}: run it again later`);
      await this.pause(wait);
    }
  }

  /** All items of a list, page by page. */
  async all(path) {
    const items = [];
    for (let cursor = ""; cursor !== null; ) {
      const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page = await this.ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=200${more}`);
      items.push(...page.data);
      cursor = page.meta.nextCursor;
    }
    return items;
  }

  async pause(seconds) {
    if (seconds >= longWait) this.print(`waiting for ${seconds} s`);
    try {
      await this.rest(seconds);
    } catch (error) {
      throw this.signal?.reason ?? error;
    }
  }

  /** The answer, or `undefined` if none came. */
  async attempt(method, path, options) {
    this.signal?.throwIfAborted();
    try {
      return await this.send(this.url, method, path, { key: this.key, ...options });
    } catch (error) {
      this.error = error.cause?.code ?? error.cause?.message ?? error.message;
    }
  }

  trouble = (answer) => (answer ? `failed with ${answer.status}` : `does not answer: ${this.error}`);
}

function judged({ status, json, text, headers }, { url, missing }) {
  if (status < 400 && headers.get("content-type")?.startsWith("text/csv")) return text;
  if (json === undefined) throw new Failure(`${url} answers ${status} and no JSON: is it Peyk?`);
  if (status < 400) return json;
  if (status === 404 && missing) return null;
  if (status === 401) throw new Failure(`${url} does not know the key in PEYK_API_KEY`);
  if (status === 403) throw new Failure(`${url} refuses the key in PEYK_API_KEY: ${json.detail}`);
  throw new Refused(json.detail ?? `the service answers ${status}`);
}
