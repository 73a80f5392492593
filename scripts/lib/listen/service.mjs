// The endpoint for the webhooks of an account whose events a program on this machine is to get, as the API shows it.
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../base/client.mjs";
import { Failure } from "../base/command.mjs";

/** No name below `.example` is anybody's, so an event that waits for it leaves the service for nobody. */
const nowhere = "https://listen.peyk.example/";
const most = 200;

/** The endpoints of an account. `key` may use them. */
export class Service {
  constructor({ base, key }) {
    Object.assign(this, { base, key });
  }

  /** Makes an endpoint, in place of one that an interrupted run on this machine has left. */
  async open({ url, events }) {
    const description = `npm run listen on ${hostname()}: ${url}`.slice(0, 500);
    const { data } = await this.ask("GET", "/webhook?limit=200");
    for (const old of data) if (old.description === description) await this.close(old.id);
    return (await this.ask("POST", "/webhook", { url: nowhere, events, description })).data;
  }

  close(id) {
    return this.ask("DELETE", `/webhook/${id}`);
  }

  /** What waits for the endpoint and is not among `seen`, the oldest first: each as the body that the service would post. */
  async next(id, seen) {
    const fresh = [];
    let cursor = "";
    while (cursor !== null) {
      const { data, meta } = await this.ask("GET", `/webhook/${id}/deliveries?limit=${most}${cursor}`);
      const unseen = data.filter((delivery) => !seen.has(delivery.id));
      fresh.unshift(...unseen.toReversed());
      const goesOn = meta.nextCursor !== null && unseen.length === data.length;
      cursor = goesOn ? `&cursor=${encodeURIComponent(meta.nextCursor)}` : null;
    }
    return fresh;
  }

  /** The body of a request, byte for byte. */
  async bodyOf(id, delivery) {
    return (await this.ask("GET", `/webhook/${id}/deliveries/${delivery}`)).data.body;
  }

  /** Asks until the service has the tokens and the time for it. */
  async ask(method, path, body) {
    for (;;) {
      const { status, headers, text, json } = await this.reach(method, path, body);
      if (status === 429 || status === 503) await sleep(Number(headers.get("retry-after") ?? 1) * 1_000);
      else if (status < 300 || isGone(method, status)) return json;
      else
        throw new Failure(
          `${this.base} has refused ${method} ${path.split("?")[0]}: ${status} ${json?.detail ?? text}`,
        );
    }
  }

  async reach(method, path, body) {
    try {
      return await call(this.base, method, path, { key: this.key, body });
    } catch (error) {
      throw new NoAnswer(`${this.base} does not answer: ${error.cause?.code ?? error.cause?.message ?? error.message}`);
    }
  }
}

/** Whether a request has removed what somebody else has removed before. */
const isGone = (method, status) => method === "DELETE" && status === 404;

/** The service does not answer: it may be starting again. */
export class NoAnswer extends Failure {}
