import { checked } from "./config.mjs";
import { ApiError, NetworkError, PeykError } from "./errors.mjs";
import { pause } from "./pause.mjs";

export const VERSION = "0.1.0";

/** The first wait before a retry that the server gave no time for. It doubles with each one. */
const firstWaitMs = 500;
/** This answer says that nothing was done. */
const tooManyRequests = 429;
/** This one leaves it open, as no answer does. */
const unavailable = 503;
const itemsPerPage = 200;

/** A value as one piece of a path. What would be no piece, or would lead out of the path, is a mistake of the caller. */
export function segment(value) {
  const text = String(value ?? "");
  if (["", ".", ".."].includes(text)) throw new TypeError(`a part of the path must not be ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

export class Transport {
  #baseUrl;
  #headers;
  #limits;
  #onRemarks;

  constructor(options) {
    const { apiKey, baseUrl, language, onRemarks, ...limits } = checked(options);
    this.#baseUrl = baseUrl;
    this.#headers = new Headers({ authorization: `Bearer ${apiKey}`, "user-agent": `peyk-typescript/${VERSION}` });
    if (language) this.#headers.set("accept-language", language);
    this.#limits = limits;
    this.#onRemarks = onRemarks;
  }

  async request(method, path, { query, body, headers, idempotencyKey = null, repeatable, signal } = {}) {
    const url = this.#urlOf(path, query);
    const verb = method.toUpperCase();
    const request = { method: verb, redirect: "manual", ...this.#contentOf(body, headers, idempotencyKey) };
    const mayRepeat = repeatable ?? (verb !== "POST" || idempotencyKey !== null);
    const answer = await this.#tries(url, request, { idempotencyKey, mayRepeat, signal });
    this.#tellRemarks(`${verb} ${path}`, answer?.meta);
    return answer;
  }

  /** Makes a request until it succeeds, fails for good, or has been tried often enough. All tries are the same. */
  async #tries(url, request, { idempotencyKey, mayRepeat, signal }) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(url, request, signal);
      } catch (error) {
        if (error instanceof PeykError) error.idempotencyKey = idempotencyKey;
        const waitMs = this.#waitBeforeRetry(error, attempt, mayRepeat);
        if (waitMs === null) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  #tellRemarks(request, meta) {
    const { requestId, warnings = [], ignored = [] } = meta ?? {};
    if (warnings.length + ignored.length === 0) return;
    try {
      this.#onRemarks?.({ request, requestId, warnings, ignored });
    } catch (error) {
      // The service has done what was asked. Without its answer, the program would ask again.
      console.error("peyk: onRemarks failed:", error);
    }
  }

  /** All items of a list, page by page. */
  async *pages(path, { query, signal } = {}) {
    let cursor;
    do {
      const page = await this.request("GET", path, { query: { limit: itemsPerPage, ...query, cursor }, signal });
      yield* page.data;
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
  }

  #urlOf(path, query = {}) {
    if (!path.startsWith("/")) throw new TypeError("the path must begin with /");
    const url = new URL(this.#baseUrl + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null)
        url.searchParams.append(name, value instanceof Date ? value.toISOString() : String(value));
    return url;
  }

  #contentOf(body, given, idempotencyKey) {
    const headers = new Headers(this.#headers);
    const isJson = body !== undefined && body !== null && !isRaw(body);
    if (isJson) headers.set("content-type", "application/json");
    if (idempotencyKey !== null) headers.set("idempotency-key", idempotencyKey);
    new Headers(given).forEach((value, name) => {
      headers.set(name, value);
    });
    return { headers, body: isJson ? JSON.stringify(body) : (body ?? undefined) };
  }

  async #attempt(url, request, signal) {
    const { response, bytes } = await this.#exchange(url, request, signal);
    const json = parse(bytes);
    if (!response.ok) throw new ApiError(response, json);
    if (response.status === 204) return null;
    if (response.headers.get("content-type")?.startsWith("text/csv")) return bytes;
    // Another success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
    if (json === undefined) throw new NetworkError("the answer is not whole");
    return json;
  }

  async #exchange(url, request, signal) {
    const timeout = AbortSignal.timeout(this.#limits.timeoutMs);
    try {
      const response = await fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${this.#limits.timeoutMs} ms` : (cause.cause ?? cause).message;
      throw new NetworkError(`${request.method} ${url.pathname}: ${reason}`, { cause });
    }
  }

  /** Returns null if the request must not be tried again. */
  #waitBeforeRetry(error, attempt, mayRepeat) {
    // The limits of a recipient and of a day are 429 too. What they refuse is for the program to decide about.
    const isUndone = error.code === tooManyRequests;
    const isPassing = error instanceof NetworkError || error.status === unavailable;
    if (!(isUndone || (isPassing && mayRepeat)) || attempt >= this.#limits.maxAttempts) return null;
    const { maxRetryAfterMs } = this.#limits;
    // A retry that comes too early is refused too. So a wait that is too long is not shortened.
    if (typeof error.retryAfter === "number")
      return error.retryAfter * 1000 <= maxRetryAfterMs ? error.retryAfter * 1000 : null;
    // The random part spreads the clients that have failed together.
    return Math.min(firstWaitMs * 2 ** (attempt - 1), maxRetryAfterMs) * (0.5 + Math.random() / 2);
  }
}

/** Whether a body goes out as it is, and not as JSON. */
const isRaw = (body) => typeof body === "string" || body instanceof Uint8Array || body instanceof Blob;

function parse(bytes) {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}
