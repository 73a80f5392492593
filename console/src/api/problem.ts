import type { components } from "./schema.d.ts";

export type ProblemDocument = components["schemas"]["Problem"];

/** A request that Peyk has refused. */
export class Problem extends Error {
  readonly document: ProblemDocument;

  constructor(document: ProblemDocument) {
    super(document.detail);
    this.document = document;
  }
}

/** The problem of an answer that is an error. A machine on the way may have answered in Peyk's place, with something else. */
export async function problemOf(response: Response): Promise<Error> {
  try {
    const document: ProblemDocument = await response.json();
    if (typeof document.detail === "string") return new Problem(document);
  } catch {
    // It is no JSON.
  }
  return new Error(`${response.status} ${response.statusText}`);
}

/** The request was answered, and nothing has changed by it. What has failed on the way or in the service may be done all the same. */
export const isRefusal = (error: unknown) => error instanceof Problem && error.document.status < 500;

/** The key of the session lacks a scope. */
export const isForbidden = (error: unknown) => error instanceof Problem && error.document.status === 403;

/** Something stands against it. */
export const isConflict = (error: unknown) => error instanceof Problem && error.document.status === 409;

export const isUnauthorized = (error: unknown) => error instanceof Problem && error.document.status === 401;
