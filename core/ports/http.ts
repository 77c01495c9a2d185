import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Observable } from "rxjs";
import type { Failure } from "../kernel/failure.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** A path from the server's root, or an absolute address once `identity` has resolved it. */
  readonly url: string;
  /** The path as its endpoint declares it, without what is filled in: all that may be told of it elsewhere. */
  readonly route?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whoever asks tells the user of every failure: nothing else says anything about it. */
  readonly quiet?: true | undefined;
  /** When this emits, nobody waits for the answer any more and the request may be aborted. */
  readonly abandoned$?: Observable<unknown> | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The user has been told of this refusal already. */
  readonly told?: true;
}

/**
 * Sends one request, cookies included, and answers whatever status came back.
 * Fails with `network` only when there was no answer at all.
 */
export type Http = (request: HttpRequest) => TaskEither<Failure, HttpResponse>;
