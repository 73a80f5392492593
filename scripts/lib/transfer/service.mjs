// The steps by which a service moves, as its API has them (`/admin/transfer`). Each may be repeated, so each is asked again when no
// answer comes.
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../base/command.mjs";
import { Refused, Service } from "../move/service.mjs";

const path = "/admin/transfer";
/** Objects of one request. */
const atOnce = 50;
/** How often objects are asked whether they stand still, ms. */
const pause = 250;

export class Moving {
  constructor(options) {
    this.service = new Service(options);
  }

  async ask(method, rest, body) {
    try {
      return (await this.service.ask(method, path + rest, { body, safe: true, keepAlive: true })).data;
    } catch (error) {
      if (error instanceof Refused) throw new Failure(`${this.service.url}: ${error.message}`);
      throw error;
    }
  }

  /** Whether the service moves. With `counts` also what there is to move, for which it reads all accounts and all usage. */
  state = ({ counts = false } = {}) => this.ask("GET", `?counts=${counts}`);

  /** Begins to give (`OUT`) or to take data (`IN`), or ends either (`NONE`). */
  turn = (direction) => this.ask("PUT", "", { direction });

  /** Keeps that all rows of this archive are in. */
  agree = (agreed) => this.ask("PUT", "", { direction: "IN", agreed });

  /** Freezes or thaws objects of a store. Returns how each is. */
  async set(store, names, state, more = {}) {
    const found = [];
    for (let begin = 0; begin < names.length; begin += atOnce) {
      const objects = names.slice(begin, begin + atOnce);
      found.push(...(await this.ask("POST", "/objects", { store, objects, state, ...more })).objects);
    }
    return found;
  }

  /**
   * Freezes objects that give their rows. What they have under way gets so many ms to end, and is dropped then. Returns those that
   * have rows, each with the parts of its schema.
   */
  async freeze(store, names, patience) {
    const until = performance.now() + patience;
    const found = await this.set(store, names, "FROZEN");
    let busy = found.filter((one) => one.busy).map(({ object }) => object);
    while (busy.length > 0 && performance.now() < until) {
      await sleep(pause);
      busy = (await this.set(store, busy, "FROZEN")).filter((one) => one.busy).map(({ object }) => object);
    }
    if (busy.length > 0) await this.set(store, busy, "FROZEN", { now: true });
    return found.filter((one) => !one.new).map(({ object, parts }) => ({ store, object, parts }));
  }

  /** The pages of a store's rows, from a place on. */
  async *pages(store, object, from) {
    yield* this.pagesFrom({ store, object }, await this.page({ store, object }, from));
  }

  /** The first page of a store, or the one from a place on. */
  page = ({ store, object }, from) => this.ask("POST", "/rows", { store, object, from });

  /** This page and those behind it. */
  async *pagesFrom(of, first) {
    for (let page = first; ; page = await this.page(of, page.next)) {
      yield page;
      if (page.next === null) return;
    }
  }

  insert = (page) => this.ask("POST", "/insert", page);

  /** These columns of the rows of a table of the directory, in the order of its keys: of all, or of those behind a key. */
  async *rowsOf(name, columns, key = null) {
    for await (const { tables } of this.pages("DIRECTORY", undefined, JSON.stringify([name, key]))) {
      const table = tables.find(({ table }) => table === name);
      const places = columns.map((column) => table?.columns.indexOf(column));
      for (const row of (table?.rows ?? []).map((text) => JSON.parse(text))) yield places.map((place) => row[place]);
      if (tables.some(({ table }) => table !== name)) return;
    }
  }

  /** The ids of all accounts, closed ones too. */
  async accounts() {
    const ids = [];
    for await (const [id] of this.rowsOf("account", ["id"])) ids.push(id);
    return ids;
  }

  /** The names of the objects of carriers. */
  async carrierObjects(accounts) {
    const { carrierObjects, sandboxes } = await this.state();
    return [...carrierObjects, ...sandboxes.flatMap((name) => accounts.map((account) => `${name}/${account}`))];
  }
}
