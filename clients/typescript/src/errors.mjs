// What goes wrong. index.d.mts documents the members.

export class PeykError extends Error {
  name = "PeykError";
  idempotencyKey = null;
}

export class ApiError extends PeykError {
  name = "ApiError";

  constructor({ status, headers }, answer) {
    // A machine in between may have answered, not Peyk. Then this is no problem document.
    const problem = Number.isInteger(answer?.code) ? answer : {};
    const title = problem.title ?? "Unexpected answer";
    const detail = problem.detail ?? `The server answered ${status} without a problem document.`;
    const code = problem.code ?? status;
    super(`${title} (${code}): ${detail}`);
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = problem.errors ?? [];
    this.requestId = problem.meta?.requestId ?? headers.get("x-request-id");
    this.retryAfter = seconds(headers.get("retry-after"));
  }
}

/** Peyk writes `Retry-After` in whole seconds. */
const seconds = (header) => (/^\d{1,9}$/.test(header ?? "") ? Number(header) : null);

export class NetworkError extends PeykError {
  name = "NetworkError";
}

export class NotDoneError extends PeykError {
  name = "NotDoneError";

  constructor(last) {
    super(`The message ${last.uid} is still ${last.status}.`);
    this.last = last;
  }
}

export class ProofError extends PeykError {
  name = "ProofError";

  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

export class SignatureError extends PeykError {
  name = "SignatureError";
}
