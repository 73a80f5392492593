/** The version of this library. */
export declare const VERSION: string;

export interface ClientOptions {
  /** An API key, `peyk_live_…` or `peyk_test_…`. It belongs on a server: a page in a browser shows it to everybody. */
  apiKey: string;
  /** The address of the service, like `https://sms.example.com`. `http` is for this machine only. */
  baseUrl: string;
  /** Milliseconds that one try may take, from the connection to the last byte of the answer. Default 30,000. */
  timeoutMs?: number;
  /** How often a request is tried at most, the first time included. Default 3. */
  maxAttempts?: number;
  /** The longest `Retry-After`, in milliseconds, that the client waits for. Default 30,000. */
  maxRetryAfterMs?: number;
  /** The language of `title` and `detail` of errors. The service decides if it is left out. */
  language?: "en" | "fa";
}

export interface CallOptions {
  /** Ends the call and its retries. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters, a random UUID if left out. Sends with the same key and the same body within 24
   * hours make one message. Give a key of your own, like `order-17-paid`, if your program may repeat a send by itself.
   */
  idempotencyKey?: string;
}

/** What every send takes. */
export interface SendMembers {
  /** The line to send from. Without it, the account's default line. */
  sourceNumber?: string;
  /** When to send: RFC 3339 or a `Date`, at most 90 days ahead. Without it, at once. */
  sendAt?: string | Date;
  /** Your own reference, up to 64 characters. */
  clientRef?: string;
}

export type Variables = Record<string, string | number>;

export interface Send extends SendMembers {
  message: string;
  /** Up to 1,000 phone numbers, like `09121234567` or `+989121234567`. */
  recipients: string[];
}

export type PatternSend = SendMembers & {
  /** The pattern's slug. */
  pattern: string;
  /** A value for each placeholder of the pattern. */
  variables?: Variables;
} & ({ recipient: string; recipients?: never } | { recipients: string[]; recipient?: never });

export type PhonebookSend = SendMembers & {
  /** The text. `%name%` and `%…%` with an attribute's name are filled in for each number. */
  message: string;
  /** Phone numbers that get nothing. */
  exclude?: string[];
} & ({ phonebook: string; phonebooks?: never } | { phonebooks: string[]; phonebook?: never });

export type BulkItem = { recipient: string } & (
  | { message: string; pattern?: never }
  | { pattern: string; variables?: Variables; message?: never }
);

export interface BulkSend extends SendMembers {
  /** Up to 1,000 texts, each with its recipient. */
  messages: BulkItem[];
}

export type EstimateRequest =
  | { send: Send }
  | { pattern: PatternSend }
  | { phonebook: PhonebookSend }
  | { bulk: BulkSend };

export type MessageType = "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK";
export type MessageStatus = "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED";
export type RecipientStatus =
  | "SCHEDULED"
  | "QUEUED"
  | "SUBMITTED"
  | "UNKNOWN"
  | "DELIVERED"
  | "UNDELIVERED"
  | "EXPIRED"
  | "REJECTED"
  | "CANCELED";

export interface SentRecipient {
  uid: string;
  /** The phone number in E.164, like `+989121234567`. */
  recipient: string;
  status: RecipientStatus;
  /** In the minor unit of the account's currency. */
  cost: number;
}

/** The answer of a send. */
export interface SentMessage {
  uid: string;
  status: MessageStatus;
  type: MessageType;
  sourceNumber: string;
  encoding: "GSM7" | "UCS2";
  /** How many parts the text has. */
  parts: number;
  /** Of all recipients together, in the minor unit of `unit`. */
  cost: number;
  /** The currency, like `IRR`. */
  unit: string;
  clientRef: string | null;
  /** RFC 3339. */
  sendAt: string | null;
  recipients: SentRecipient[];
}

export interface Recipient extends SentRecipient {
  /** RFC 3339. */
  updatedAt: string;
  /** Why the recipient did not get the message, like `ABSENT_SUBSCRIBER`. */
  error?: string;
  /** The recipient's own text, of a send to phonebooks or in bulk. */
  message?: string;
  /** `message` is cut, because it is one of many in a list. */
  textTruncated?: true;
  encoding?: "GSM7" | "UCS2";
  parts?: number;
}

/** A message as it is now. */
export interface Message extends Omit<SentMessage, "recipients"> {
  /** Sent by a test key: nothing was charged or sent. */
  test: boolean;
  /** The text; `null` for a bulk send, where each recipient has one. */
  message: string | null;
  recipientCount: number;
  /** RFC 3339. */
  createdAt: string;
  /** How many recipients have each status. */
  counts: Partial<Record<RecipientStatus, number>>;
  /** The first 100 recipients. */
  recipients: Recipient[];
}

/** A fault of one member of the request. */
export interface FieldError {
  /** A JSON pointer into the body, like `/recipients/1`. */
  pointer: string;
  detail: string;
}

export interface Estimate {
  type: MessageType;
  sourceNumber: string;
  encoding: "GSM7" | "UCS2";
  parts: number;
  /** How many recipients. */
  recipients: number;
  /** In the minor unit of `unit`. */
  cost: number;
  unit: string;
  /** The errors that the send would meet now, like 2001; empty if none. */
  faults: { status: number; code: number; name: string; detail: string; extra: string[]; errors: FieldError[] }[];
}

/** Money in the minor unit of `unit`. */
export interface Balance {
  /** What can be spent. */
  availableBalance: number;
  /** What is reserved for messages on their way. */
  lockedBalance: number;
  /** Available and locked. */
  totalBalance: number;
  unit: string;
}

/** An order to erase a number. */
export interface Erasure {
  id: string;
  /** The last two digits of the number. */
  numberEnding: string;
  /** Operators give orders over all accounts. */
  orderedBy: "ACCOUNT" | "OPERATORS";
  /** `DONE`: nothing has the number any more. An order runs for two hours at least. */
  status: "RUNNING" | "DONE";
  createdAt: string;
  doneAt: string | null;
  /** What the order has met so far. */
  found: {
    recipients: number;
    /** Those of the recipients that had not left. */
    canceled: number;
    /** Texts of other messages, and references, that had the number in them. */
    mentions: number;
    inbound: number;
    events: number;
    phonebookNumbers: number;
    /** Whether the number was on the blacklist. It stays blocked. */
    blacklisted: boolean;
  };
}

/**
 * A client of one account. It needs `fetch` and WebCrypto only: Node.js 20, workers and browsers have them.
 *
 * Every call tries again after a failure of the network, a 429 and a 503, waits `Retry-After`, and gives up after
 * `maxAttempts`. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent and paid
 * once.
 *
 * Every call may throw `ApiError` and `NetworkError`.
 */
export declare class Client {
  constructor(options: ClientOptions);
  /** Sends one text to up to 1,000 numbers. */
  send(body: Send, options?: SendOptions): Promise<SentMessage>;
  /** Sends a pattern, filled in once, to one number or up to 1,000. */
  sendPattern(body: PatternSend, options?: SendOptions): Promise<SentMessage>;
  /** Sends one text, filled in for each number, to up to 10,000 numbers of phonebooks. */
  sendPhonebook(body: PhonebookSend, options?: SendOptions): Promise<SentMessage>;
  /** Sends up to 1,000 texts, each to its own number. */
  sendBulk(body: BulkSend, options?: SendOptions): Promise<SentMessage>;
  /** Says what a send would cost, and what stands against it. Sends nothing. */
  estimate(body: EstimateRequest, options?: CallOptions): Promise<Estimate>;
  /** A message as it is now, with its first 100 recipients. */
  getMessage(uid: string, options?: CallOptions): Promise<Message>;
  /** All recipients of a message, or those of one status. Reads page by page. */
  listRecipients(uid: string, options?: CallOptions & { status?: RecipientStatus }): AsyncGenerator<Recipient, void>;
  getBalance(options?: CallOptions): Promise<Balance>;
  /** Erases a number from all that the account has. The key needs the scope `erasure`. */
  startErasure(number: string, options?: CallOptions): Promise<Erasure>;
  /** An order to erase a number, as it is now. */
  getErasure(id: string, options?: CallOptions): Promise<Erasure>;
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

/** A webhook is not from Peyk, or is too old. */
export declare class SignatureError extends PeykError {}

/** The headers of a request: `Headers`, or an object with names in upper or lower case. */
export type HeadersLike =
  | { entries(): Iterable<[string, string]> }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Verifies that a webhook is from Peyk and new. `body` is the body as it came, before any parsing. `secrets` is the
 * endpoint's secret (`whsec_…`), or several of them while you change it.
 *
 * @throws SignatureError if it is not, if a header is missing, or if the time is more than `toleranceSeconds` (default
 * 300) from `now` (seconds since 1970).
 * @throws TypeError if a secret is missing or malformed.
 */
export declare function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  options?: { toleranceSeconds?: number; now?: number },
): Promise<true>;
