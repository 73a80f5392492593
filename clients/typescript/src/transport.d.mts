export interface ClientOptions {
  /**
   * An API key, `peyk_live_…` or `peyk_test_…`. It belongs on a server: a page in a browser shows it to everybody. The client
   * refuses `undefined`, which an environment may give, with words.
   */
  apiKey: string | undefined;
  /** The address of the service, like `https://sms.example.com`. `http` is for this machine, and for `plainHttpHosts`. */
  baseUrl: string | undefined;
  /** Milliseconds that one try may take, from the connection to the last byte of the answer. Default 30,000. */
  timeoutMs?: number;
  /** How often a request is tried at most, the first time included. Default 3. */
  maxAttempts?: number;
  /** The longest `Retry-After`, in milliseconds, that the client waits for. Default 30,000. */
  maxRetryAfterMs?: number;
  /** The language of `title` and `detail` of errors. The service decides if it is left out. */
  language?: "en" | "fa";
  /**
   * Hosts that the client calls by `http` too, like `["peyk"]` in a network of containers. Whoever reads that network reads the
   * key and the messages.
   */
  plainHttpHosts?: readonly string[];
  /** Called after each answer with remarks. Without it, nobody hears of them. */
  onRemarks?: (remarks: Remarks) => void;
}

/** What the service has done and may not have been meant so, of one answer. */
export interface Remarks {
  /** The method and the path, like `POST /sms/send`. */
  request: string;
  requestId: string;
  /** Sentences, such as of a text with a placeholder of another service. */
  warnings: string[];
  /** The members and parameters of the request that the service does not know. */
  ignored: string[];
}

export interface CallOptions {
  /** Ends the call and its retries. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface RequestOptions extends CallOptions {
  /** The query, by names. What is `undefined` or `null` is left out. */
  query?: Record<string, string | number | boolean | Date | null | undefined>;
  /** What becomes JSON; a text, bytes or a `Blob` go out as they are, and `headers` says what they are. */
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string | null;
  /**
   * Whether the request may be tried again when nobody knows whether it was carried out. Left out: yes, unless it is a
   * `POST` without an idempotency key.
   */
  repeatable?: boolean;
}

/** A whole answer. */
export interface Answer {
  data: any;
  meta: { requestId: string; nextCursor?: string | null; warnings?: string[]; ignored?: string[] };
}

/** Makes requests. */
export declare class Transport {
  constructor(options: ClientOptions);
  /**
   * Makes a request that the library has no method for, with the same retries and errors. `path` is that of the API,
   * like `/messages`. Returns the whole answer, `null` after a 204, and the bytes of a file.
   */
  request<T = any>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** All items of a list that the library has no method for, page by page. */
  pages<T = any>(path: string, options?: Pick<RequestOptions, "query" | "signal">): AsyncGenerator<T, void>;
}
