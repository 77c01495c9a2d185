import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import {
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  interval,
  map,
  merge,
  Observable,
  Subject,
  type Subscription,
  switchMap,
} from "rxjs";
import { type Failure, isRefused, isUnanswered } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { deferTask, onStarted, startTask, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import { json, type Store, type StoredItem } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { SessionCalls } from "./sessionCalls.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns the ASCII text of base64url (RFC 4648, 5); other characters are passed over. */
const decodeBase64Url = (text: string): string => {
  const bits = [...text]
    .map((character) => alphabet.indexOf(character))
    .filter((value) => value >= 0)
    .map((value) => value.toString(2).padStart(6, "0"))
    .join("");
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
};

const sidPattern = /"sid"\s*:\s*"([\w-]{1,100})"/;

/** Returns the id of a token's session, its claim `sid`, which is no secret; null where the token has none. */
const sessionIdOf = (token: string | null): string | null =>
  sidPattern.exec(decodeBase64Url(token?.split(".")[1] ?? ""))?.[1] ?? null;

/** A logout that the server does not know of. It holds no secret: the browser's cookie authenticates the next attempt. */
const OwedLogout = t.type({
  /** The id of the session that was to end; null where its token does not say it. */
  sessionId: t.union([t.string, t.null]),
});

/** The interval at which a logout that the server has not taken is sent again while there is a network. */
const retryEachMs = 60_000;

/** True if the server may still take the logout: it was not reached, is broken, or is overloaded. */
const isWorthRepeating = (failure: Failure): boolean =>
  isUnanswered(failure) || (failure.kind === "refused" && (failure.status >= 500 || failure.status === 429));

interface OwedLogoutDeps {
  readonly store: Store;
  readonly calls: Pick<SessionCalls, "logOut" | "repeatLogOut" | "endSession">;
  readonly clock: Pick<Clock, "scheduler">;
  readonly online$: State<boolean>;
  readonly state$: Observable<{ readonly kind: "starting" | "signed-out" | "signed-in" }>;
}

/** Remembers a logout until the server has answered it, also across visits. */
export class OwedLogouts {
  readonly #deps: OwedLogoutDeps;
  readonly #owed: StoredItem<t.TypeOf<typeof OwedLogout>>;
  #isSending = false;

  constructor(deps: OwedLogoutDeps) {
    this.#deps = deps;
    this.#owed = deps.store.get(storedKeys.owedLogout, json(OwedLogout));
  }

  /** Logs the session with this token out at the server, and again later when the server does not answer. */
  send(token: string | null): TE.TaskEither<Failure, void> {
    return deferTask(() => {
      const sessionId = sessionIdOf(token);
      this.#isSending = true;
      return pipe(
        this.#deps.calls.logOut,
        tapResult((result) => {
          this.#isSending = false;
          this.#settle(result);
        }),
        onStarted(() => this.#owed.write({ sessionId })),
      );
    });
  }

  /** Repeats an owed logout at the start, when the network is back, and each minute, until the server has answered. */
  start(): Subscription {
    const { online$, clock, state$ } = this.#deps;
    const attempts$ = merge(online$, interval(retryEachMs, clock.scheduler)).pipe(
      filter(() => online$.value && !this.#isSending),
      map(() => this.#owed.read()),
      filter((owed) => owed !== null),
    );
    return state$
      .pipe(
        map(({ kind }) => kind),
        distinctUntilChanged(),
        switchMap((kind) => {
          if (kind === "starting") return EMPTY;
          return attempts$.pipe(
            exhaustMap(({ sessionId }) =>
              kind === "signed-in" ? this.#endListed(sessionId) : this.#repeat(),
            ),
          );
        }),
      )
      .subscribe();
  }

  /** Repeats the logout by the browser's cookie; a sign-in meanwhile aborts it, because its answer deletes the cookie. */
  #repeat(): Observable<never> {
    return new Observable((subscriber) => {
      const abort$ = new Subject<void>();
      pipe(
        this.#deps.calls.repeatLogOut(abort$),
        tapResult((result) => {
          if (!subscriber.closed) this.#settle(result);
          subscriber.complete();
        }),
        startTask,
      );
      return () => abort$.next();
    });
  }

  /** Ends the session by its id, because the cookie is that of a newer session. */
  #endListed(sessionId: string | null): Observable<never> {
    if (sessionId === null) {
      this.#owed.remove();
      return EMPTY;
    }
    return new Observable((subscriber) => {
      pipe(
        this.#deps.calls.endSession(sessionId),
        tapResult((result) => {
          const isGone = E.isLeft(result) && isRefused(result.left, 404);
          this.#settle(isGone ? E.right(undefined) : result);
          subscriber.complete();
        }),
        startTask,
      );
    });
  }

  #settle(result: E.Either<Failure, void>): void {
    if (E.isRight(result) || !isWorthRepeating(result.left)) this.#owed.remove();
  }
}

/** Returns the function that reads the id of a session that was logged out here, which the server does not know yet. */
export const readOwedLogout = (store: Store): (() => string | null) => {
  const owed = store.get(storedKeys.owedLogout, json(OwedLogout));
  return () => owed.read()?.sessionId ?? null;
};
