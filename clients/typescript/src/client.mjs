import { ApiError, NetworkError, PeykError } from "./errors.mjs";

export const VERSION = "0.1.0";

/** The first wait before a retry that the server gave no time for. It doubles with each one. */
const firstWaitMs = 500;
const retried = new Set([429, 503]);
const recipientsPerPage = 200;

/** Others could read the key and the messages on their way. */
function refuseExposed(baseUrl) {
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback))
    throw new TypeError("baseUrl must begin with https://; http:// is for this machine only");
}

export class Client {
  #baseUrl;
  #headers;
  #limits;

  constructor({ apiKey, baseUrl, timeoutMs = 30_000, maxAttempts = 3, maxRetryAfterMs = 30_000, language }) {
    refuseExposed(baseUrl);
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#headers = new Headers({ authorization: `Bearer ${apiKey}`, "user-agent": `peyk-typescript/${VERSION}` });
    if (language) this.#headers.set("accept-language", language);
    this.#limits = { timeoutMs, maxAttempts, maxRetryAfterMs };
  }

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

  async estimate(body, { signal } = {}) {
    return (await this.#call("POST", "/sms/estimate", { body, signal })).data;
  }

  async getMessage(uid, { signal } = {}) {
    return (await this.#call("GET", `/messages/${encodeURIComponent(uid)}`, { signal })).data;
  }

  async *listRecipients(uid, { status, signal } = {}) {
    const query = new URLSearchParams({ limit: String(recipientsPerPage), ...(status ? { status } : {}) });
    for (let cursor = ""; cursor !== null; ) {
      if (cursor) query.set("cursor", cursor);
      const page = await this.#call("GET", `/messages/${encodeURIComponent(uid)}/recipients?${query}`, { signal });
      yield* page.data;
      cursor = page.meta.nextCursor;
    }
  }

  async getBalance({ signal } = {}) {
    return (await this.#call("GET", "/account/info", { signal })).data.wallet;
  }

  async startErasure(number, { signal } = {}) {
    return (await this.#call("POST", "/erasures", { body: { number }, signal })).data;
  }

  async getErasure(id, { signal } = {}) {
    return (await this.#call("GET", `/erasures/${encodeURIComponent(id)}`, { signal })).data;
  }

  async #send(path, body, { idempotencyKey, signal } = {}) {
    idempotencyKey ??= crypto.randomUUID();
    return (await this.#call("POST", path, { body, idempotencyKey, signal })).data;
  }

  /** Makes a request until it succeeds, fails for good, or has been tried often enough. All tries are the same. */
  async #call(method, path, { body, idempotencyKey = null, signal }) {
    const url = new URL(this.#baseUrl + path);
    const headers = new Headers(this.#headers);
    if (body !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey !== null) headers.set("idempotency-key", idempotencyKey);
    const request = { method, headers, body: JSON.stringify(body), redirect: "manual" };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(url, request, signal);
      } catch (error) {
        if (error instanceof PeykError) error.idempotencyKey = idempotencyKey;
        const waitMs = this.#waitBeforeRetry(error, attempt);
        if (waitMs === null) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  async #attempt(url, request, signal) {
    const { response, text } = await this.#exchange(url, request, signal);
    const json = parse(text);
    if (!response.ok) throw new ApiError(response, json);
    // A success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
    if (json === undefined) throw new NetworkError("the answer is not whole");
    return json;
  }

  async #exchange(url, request, signal) {
    const timeout = AbortSignal.timeout(this.#limits.timeoutMs);
    try {
      const response = await fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      return { response, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${this.#limits.timeoutMs} ms` : (cause.cause ?? cause).message;
      throw new NetworkError(`${request.method} ${url.pathname}: ${reason}`, { cause });
    }
  }

  /** Returns null if the request must not be tried again. */
  #waitBeforeRetry(error, attempt) {
    const isPassing = error instanceof NetworkError || retried.has(error.status);
    if (!isPassing || attempt >= this.#limits.maxAttempts) return null;
    const { maxRetryAfterMs } = this.#limits;
    // A retry that comes too early is refused too. So a wait that is too long is not shortened.
    if (typeof error.retryAfter === "number")
      return error.retryAfter * 1000 <= maxRetryAfterMs ? error.retryAfter * 1000 : null;
    // The random part spreads the clients that have failed together.
    return Math.min(firstWaitMs * 2 ** (attempt - 1), maxRetryAfterMs) * (0.5 + Math.random() / 2);
  }
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

function pause(ms, signal) {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
