import { NotDoneError } from "./errors.mjs";
import { Operations } from "./operations.mjs";
import { pause } from "./pause.mjs";
import { segment } from "./transport.mjs";

/** How long the client waits before it asks again for a message: at first, and at most. */
const firstPollMs = 500;
const longestPollMs = 10_000;

export class Client extends Operations {
  send(body, options) {
    return this.#send("/sms/send", body, options);
  }

  sendPattern(body, options) {
    return this.#send("/sms/pattern", body, options);
  }

  sendPhonebook(body, options) {
    return this.#send("/sms/phonebook/send", body, options);
  }

  sendBulk(body, options) {
    return this.#send("/sms/bulk", body, options);
  }

  async waitForMessage(uid, { timeoutMs = 120_000, signal } = {}) {
    const end = performance.now() + timeoutMs;
    for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 1.5, longestPollMs)) {
      const message = await this.getMessage(uid, { signal });
      if (message.status === "DONE" || message.status === "CANCELED") return message;
      const leftMs = end - performance.now();
      if (leftMs <= 0) throw new NotDoneError(message);
      await pause(Math.min(waitMs, leftMs), signal);
    }
  }

  async getBalance(options) {
    return (await this.getAccountInfo(options)).wallet;
  }

  async startErasure(number, { signal } = {}) {
    return (await this.request("POST", "/erasures", { body: { number }, repeatable: true, signal })).data;
  }

  async importNumbers(id, file, { number, signal } = {}) {
    const headers = { "content-type": "text/csv" };
    const options = { query: { number }, body: file, headers, repeatable: true, signal };
    return (await this.request("POST", `/phonebook/${segment(id)}/import`, options)).data;
  }

  exportNumbers(id, { signal } = {}) {
    return this.request("GET", `/phonebook/${segment(id)}/export`, { signal });
  }

  exportTransactions({ signal, ...query } = {}) {
    return this.request("GET", "/account/transactions", { query: { ...query, format: "csv" }, signal });
  }

  async #send(path, body, { idempotencyKey, signal } = {}) {
    idempotencyKey ??= crypto.randomUUID();
    return (await this.request("POST", path, { body, idempotencyKey, signal })).data;
  }
}
