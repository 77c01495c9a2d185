import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Observable } from "rxjs";
import type { Failure } from "../kernel/failure.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** A path from the server's root, or an absolute address after `withBaseAddress`. */
  readonly url: string;
  /** The path as its endpoint declares it, without parameter values; safe to report to the operator. */
  readonly route?: string | undefined;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller shows every failure to the user, or those with these statuses; the pipeline shows no toast for them. */
  readonly silent?: true | readonly number[] | undefined;
  /** Nobody waits for the answer: a 429 is not announced, and the caller repeats the request in its own time. */
  readonly unattended?: boolean | undefined;
  /** Emits when the answer is no longer needed and the request may be aborted. */
  readonly abort$?: Observable<unknown> | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A toast has already shown this error to the user. */
  readonly userNotified?: true;
  /** The operator was told of this error. */
  readonly reported?: true;
}

/** Sends one request with cookies and returns the response, whatever its status; fails with `network` without one. */
export type Http = (request: HttpRequest) => TaskEither<Failure, HttpResponse>;
