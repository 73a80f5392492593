// What an SMSC has read: every submit with what became of it, how often each number was submitted, and the messages that
// it has put together. With a file, a submit is in the file before it is answered, so the count outlives a SIGKILL.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Reads the record of an SMSC, also of one that was killed. */
export function readRecord(file) {
  const record = new Record();
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const line of lines) if (line) record.keep(JSON.parse(line));
  return record;
}

export class Record {
  submits = [];
  messages = [];
  /** What no phone could show: parts that came twice, or texts that could not be read. */
  faults = [];
  #file;
  #counts = new Map();
  #unfinished = new Map();

  static open(file) {
    const record = file ? readRecord(file) : new Record();
    record.#file = file;
    return record;
  }

  add(submit) {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(submit)}\n`);
    this.keep(submit);
  }

  keep(submit) {
    this.submits.push(submit);
    const count = this.#counts.get(submit.to) ?? { tried: 0, taken: 0 };
    count.tried += 1;
    if (submit.status === 0) count.taken += 1;
    this.#counts.set(submit.to, count);
    if (submit.status === 0) this.#assemble(submit);
  }

  /** How many submits named each number (`tried`), and how many of these the SMSC took (`taken`). A part is a submit. */
  get counts() {
    return Object.fromEntries(this.#counts);
  }

  /** The messages of which parts are missing. */
  get unfinished() {
    return [...this.#unfinished.values()].map(({ parts, ...message }) => ({ ...message, have: parts.size }));
  }

  #assemble({ n, from, to, dataCoding, part, fault }) {
    if (fault) return this.faults.push({ n, to, fault });
    const { how, reference, total, number, text } = part;
    if (total === 1) return this.messages.push({ n, from, to, text, parts: 1, how, dataCoding });
    const key = JSON.stringify([from, to, reference, total]);
    const message = this.#unfinished.get(key) ?? { n, from, to, how, dataCoding, total, parts: new Map() };
    if (message.parts.has(number)) return this.faults.push({ n, to, fault: `part ${number} came twice` });
    message.parts.set(number, text);
    this.#unfinished.set(key, message);
    if (message.parts.size === total) this.#finish(key, message);
  }

  #finish(key, { parts, total, ...message }) {
    this.#unfinished.delete(key);
    const text = Array.from({ length: total }, (_, index) => parts.get(index + 1)).join("");
    this.messages.push({ ...message, text, parts: total });
  }
}
