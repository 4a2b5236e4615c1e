// What can go wrong. No message holds anything that was sent or remembered.

import type { Code } from "./codes.ts";

/** Any failure of this client. */
export class MemoryCenterError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** Memory Center could not be reached, or the connection was lost; what was asked may have happened. */
export class ConnectionFailed extends MemoryCenterError {}

/** The answer, or the end of an operation, did not come in time. */
export class TimedOut extends MemoryCenterError {}

/** A message is not learned from yet: record an answer to it, or end the session. */
export class TurnIsOpen extends MemoryCenterError {}

/** Something answered that is not Memory Center. */
export class UnexpectedAnswer extends MemoryCenterError {}

/** A receipt was altered, is signed with another key, or does not prove an erasure yet; the message says which. */
export class ReceiptInvalid extends MemoryCenterError {}

/** An operation ended without having done what was asked. */
export class OperationFailed extends MemoryCenterError {
  readonly status: "failed" | "cancelled";

  constructor(status: "failed" | "cancelled") {
    super(status);
    this.status = status;
  }
}

/** A problem document (RFC 9457), as Memory Center answers it. */
export interface ProblemDocument {
  code?: string;
  title?: string;
  detail?: string;
  details?: Record<string, unknown>;
  errors?: Record<string, unknown>[];
  request_id?: string;
}

/** Memory Center refused a request. */
export class ApiError extends MemoryCenterError {
  readonly status: number;
  /** Stable; a newer server may know more of them. */
  readonly code: Code | (string & {});
  readonly title: string;
  /** An English sentence more, or nothing. */
  readonly detail: string;
  /** Further ids, times and numbers. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The places of faults in the request. */
  readonly errors: readonly Record<string, unknown>[];
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, problem: ProblemDocument) {
    const code = problem.code ?? `http_${status}`;
    const title = problem.title ?? "";
    super(`${status} ${code}: ${title}`);
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = problem.detail ?? "";
    this.details = problem.details ?? {};
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
  }
}

/** 401: the token is missing, wrong or expired. */
export class Unauthenticated extends ApiError {}

/** 403: the token is not good for this, or a consent is missing. */
export class Forbidden extends ApiError {}

/** 404: it does not exist, was forgotten, or is another person's. */
export class NotFound extends ApiError {}

/** 409: it contradicts what there is; `code` says how. */
export class Conflict extends ApiError {}

/** 410: it was there, and was forgotten or has expired. */
export class Gone extends ApiError {}

/** 412: somebody changed it since `version`. */
export class Changed extends ApiError {}

/** 422: the request is wrong; `errors` says where. */
export class ValidationFailed extends ApiError {}

/** 429: too many requests; they were repeated already. */
export class TooManyRequests extends ApiError {}

/** 5xx: Memory Center, or a database of it, failed or is busy. */
export class ServerFailed extends ApiError {}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Gone,
  412: Changed,
  422: ValidationFailed,
  429: TooManyRequests,
};

/** Return the error for a problem document. */
export function apiError(status: number, problem: ProblemDocument): ApiError {
  const kind = BY_STATUS[status] ?? (status >= 500 ? ServerFailed : ApiError);
  return new kind(status, problem);
}
