import type { components } from "./schema.d.ts";

export type ProblemDocument = components["schemas"]["Problem"];

/** A request that Peyk has refused. */
export class Problem extends Error {
  readonly document: ProblemDocument;
  /** Whether it was to change something. */
  readonly isChange: boolean;

  constructor(document: ProblemDocument, isChange: boolean) {
    super(document.detail);
    this.document = document;
    this.isChange = isChange;
  }
}

/** A machine on the way has answered in Peyk's place. */
export class Unserved extends Error {
  readonly status: number;
  readonly isChange: boolean;

  constructor({ status, statusText }: Response, isChange: boolean) {
    super(`${status} ${statusText}`);
    this.status = status;
    this.isChange = isChange;
  }
}

/** The problem of an answer that is an error. */
export async function problemOf(response: Response, method: string): Promise<Error> {
  // An estimate changes nothing, although its body makes it a POST.
  const isChange = method !== "GET" && !response.url.endsWith("/estimate");
  try {
    const document: ProblemDocument = await response.json();
    if (typeof document.detail === "string") return new Problem(document, isChange);
  } catch {
    // It is no JSON.
  }
  return new Unserved(response, isChange);
}

/** The request was answered, and nothing has changed by it. What has failed on the way or in the service may be done all the same. */
export const isRefusal = (error: unknown) => error instanceof Problem && error.document.status < 500;

/** The key of the session lacks a scope. */
export const isForbidden = (error: unknown) => error instanceof Problem && error.document.status === 403;

/** Something stands against it. */
export const isConflict = (error: unknown) => error instanceof Problem && error.document.status === 409;

export const isUnauthorized = (error: unknown) => error instanceof Problem && error.document.status === 401;
