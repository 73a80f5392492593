import { Operations } from "./operations.mjs";
import type { CallOptions } from "./transport.d.mts";
import type { BulkSend, Erasure, Balance, ImportedNumbers, Message, PatternSend, PhonebookSend, ProofKeys, Send, SentMessage, Transaction, WebhookEvent } from "./types.d.mts";

export type { Answer, CallOptions, ClientOptions, Remarks, RequestOptions } from "./transport.d.mts";
export type * from "./types.d.mts";

/** The version of this library. */
export declare const VERSION: string;

export interface SendOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters, a random UUID if left out. Sends with the same key and the same body within 24
   * hours make one message. Give a key of your own, like `order-17-paid`, if your program may repeat a send by itself.
   */
  idempotencyKey?: string;
}

/** A fault of one member of the request. */
export interface FieldError {
  /** A JSON pointer into the body, like `/recipients/1`. */
  pointer: string;
  detail: string;
}

/**
 * A client of one account. It needs `fetch` and WebCrypto only: Node.js 20, workers and browsers have them.
 *
 * A request is tried again after a failure of the network, a 429 of the rate limit and a 503. The client waits `Retry-After`, and
 * gives up after `maxAttempts`. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent and paid
 * once. Another `POST` that would be done twice, like `issueKey`, is tried again after such a 429 only.
 *
 * Every call may throw `ApiError` and `NetworkError`. A list is an iterator over all its pages.
 */
export declare class Client extends Operations {
  /** Sends one text to up to 1,000 numbers. */
  send(body: Send, options?: SendOptions): Promise<SentMessage>;
  /** Sends a pattern, filled in once, to one number or up to 1,000. */
  sendPattern(body: PatternSend, options?: SendOptions): Promise<SentMessage>;
  /** Sends one text, filled in for each number, to up to 10,000 numbers of phonebooks. */
  sendPhonebook(body: PhonebookSend, options?: SendOptions): Promise<SentMessage>;
  /** Sends up to 1,000 texts, each to its own number. */
  sendBulk(body: BulkSend, options?: SendOptions): Promise<SentMessage>;
  /**
   * Asks for a message until it is `DONE` or `CANCELED`, less and less often, and returns it. Waits for `timeoutMs`, two
   * minutes if left out, and then throws `NotDoneError`.
   */
  waitForMessage(uid: string, options?: CallOptions & { timeoutMs?: number }): Promise<Message>;
  /** The account's money: the `wallet` of `getAccountInfo`. */
  getBalance(options?: CallOptions): Promise<Balance>;
  /** Erases a number from all that the account has. The key needs the scope `erasure`. */
  startErasure(number: string, options?: CallOptions): Promise<Erasure>;
  /**
   * Adds the numbers of a CSV file of up to 5 MiB to a phonebook, or updates them. `number` is the title of the column with the
   * numbers, if Peyk does not know it or several columns may be it.
   */
  importNumbers(
    id: string,
    file: string | Uint8Array | Blob,
    options?: CallOptions & { number?: string },
  ): Promise<ImportedNumbers>;
  /** The numbers of a phonebook, as a CSV file. */
  exportNumbers(id: string, options?: CallOptions): Promise<Uint8Array>;
  /** The entries of the ledger that `listTransactions` lists with the same filters, as a CSV file. */
  exportTransactions(
    options?: CallOptions & { type?: Transaction["type"]; from?: string; to?: string; message?: string },
  ): Promise<Uint8Array>;
}

/** All that this library throws, but for wrong arguments. */
export declare class PeykError extends Error {
  /**
   * The key of the send that failed; `null` if it was no send. After a `NetworkError`, a 500 or a 503 nobody knows
   * whether the send was accepted: repeat it later with this key.
   */
  idempotencyKey: string | null;
}

/** Peyk has answered with an error. `message` has its title, its code and its detail. */
export declare class ApiError extends PeykError {
  /** The status of HTTP. */
  status: number;
  /** What a program decides by, like 2001: too little money. docs/api.md has all codes. */
  code: number;
  /** The kind of error, in words. */
  title: string;
  /** What to mend, for people. */
  detail: string;
  /** The fault of each member of the request; empty if the error is not about members. */
  errors: FieldError[];
  /** Finds the request in the service's log. */
  requestId: string | null;
  /** Seconds to wait before the next try, if the server has said so. */
  retryAfter: number | null;
}

/** No answer came, or not in time, or not all of it. */
export declare class NetworkError extends PeykError {}

/** `waitForMessage` has waited as long as it may, and the message has not ended. It may still go on. */
export declare class NotDoneError extends PeykError {
  /** The message as it was then. */
  last: Message;
}

/** A text is no proof, or no proof of what it should prove. */
export declare class ProofError extends PeykError {
  /**
   * What a program decides by. `kid`: no key has signed it, so fetch the keys anew, once. `expired`: it was good. Else what
   * is wrong: `proof` (its form), `alg`, `typ`, `crit`, `signature`, `iss`, `aud`, `sub`, `purpose`, `jti`, `exp` or `test`.
   */
  reason: string;
}

/** A webhook is not from Peyk, or is too old. */
export declare class SignatureError extends PeykError {}

/** The headers of a request: `Headers`, or an object with names in upper or lower case, whose values may be lists. */
export type HeadersLike =
  | { entries(): Iterable<[string, string]> }
  // `Headers`, where the program's `lib` has no `dom.iterable`.
  | { forEach(use: (value: string, name: string) => void): void }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Verifies that a webhook is from Peyk and new. `body` is the body as it came, before any parsing. `secrets` is the
 * endpoint's secret (`whsec_…`), or several of them while you change it. `headers` may be a promise, as Next.js gives them.
 *
 * @throws SignatureError if it is not, if a header is missing, or if the time is more than `toleranceSeconds` (default
 * 300) from `now` (seconds since 1970).
 * @throws TypeError if a secret is missing or malformed. An environment may give `undefined`.
 */
export declare function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike | PromiseLike<HeadersLike>,
  secrets: string | readonly string[] | undefined,
  options?: { toleranceSeconds?: number; now?: number },
): Promise<true>;

/** Verifies a webhook as `verifyWebhook` does, and returns its event. Its `type` says what its `data` are. */
export declare function readWebhook(...webhook: Parameters<typeof verifyWebhook>): Promise<WebhookEvent>;

/** What a proof says. */
export interface ProofContent {
  iss: "peyk";
  /** The number whose owner has entered the right code, in E.164. */
  sub: string;
  /** The id of the account that may take the proof. */
  aud: string;
  /** The id of the verification. Take each one once if a proof must not be used twice. */
  jti: string;
  /** What the code was for. */
  purpose: string;
  /** When the code was checked, in seconds since 1970. */
  iat: number;
  /** When the proof ends. */
  exp: number;
  /** There for proofs of test keys only. */
  test?: true;
}

/**
 * Checks a proof without a request, and returns what it says. `keys` is what `getProofKeys` returns.
 *
 * audience: the id of your account, which `getAccountInfo` shows.
 * purpose, recipient: what the proof must be about; the recipient in E.164. What is left out may be anything.
 * allowTest: whether proofs of test keys are good. Everybody knows the codes of test keys, so never in production.
 * now: seconds since 1970.
 *
 * @throws ProofError if it is no proof, or one of something else.
 * @throws TypeError if `audience` or `keys` is missing.
 */
export declare function verifyProof(
  token: string,
  keys: ProofKeys,
  options: { audience: string; purpose?: string; recipient?: string; allowTest?: boolean; now?: number },
): Promise<ProofContent>;
