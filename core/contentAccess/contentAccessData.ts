import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { orStale, Resource, type ResourceState } from "../kernel/resource.ts";
import { combineState, type State } from "../kernel/state.ts";
import { deferTask, mapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Account } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import {
  type AnnouncedContentAccess,
  ContentAccessAnswer,
  contentAccessFallback,
  getContentAccess,
  getPreferences,
  mayAccessContent,
  Preferences,
} from "./contentAccessEndpoints.ts";
import { failureMessages } from "./contentAccessMessages.ts";
import { type ContentAccessView, isContentAccessOn } from "./contentAccessView.ts";

export interface ContentAccessDataDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly account: { readonly account$: State<Account | null> };
}

/** Returns the problem of a failure, whose message depends on it. */
export const toProblem =
  (toMessages: (failure: Failure) => FallbackMessages) =>
  (failure: Failure): Problem =>
    problemOf(toMessages(failure))(failure);

const readAccessProblem = toProblem(failureMessages.readAccess);
const readPreferencesProblem = toProblem(failureMessages.readPreferences);

/** After a canceled request the fallback values show; they are neither stored nor sent (D46). */
const toShownAccess = ({
  value,
  status,
  failure,
}: ResourceState<ContentAccessAnswer | null>): Pick<ContentAccessView, "access" | "origin"> =>
  value === null && failure?.kind === "cancelled"
    ? { access: contentAccessFallback, origin: "fallback" }
    : { access: value, origin: status === "stale" ? "old" : "server" };

/** The settings on the server: whether it may access content, and the features that do. */
export class ContentAccessData {
  readonly access: Resource<ContentAccessAnswer | null>;
  readonly preferences: Resource<Preferences | null>;
  readonly view$: State<ContentAccessView>;

  constructor({ call, clock, store, account }: ContentAccessDataDeps) {
    this.access = new Resource<ContentAccessAnswer | null>({
      initial: null,
      fetch: call(getContentAccess)(),
      cache: createCache(store, clock, storedKeys.cachedContentAccess, ContentAccessAnswer),
    });
    this.preferences = new Resource<Preferences | null>({
      initial: null,
      fetch: call(getPreferences)(),
      cache: createCache(store, clock, storedKeys.cachedAiPreferences, Preferences),
    });
    this.view$ = combineState(
      [this.access.state$, this.preferences.state$, this.preferences.pending$, account.account$],
      (access, { value }, pending, details): ContentAccessView => ({
        ...toShownAccess(access),
        preferences: access.value === null ? null : value,
        pending,
        isEligible:
          access.value?.contentAccessEligible ??
          (details === null ? null : mayAccessContent(details.subscription.tier)),
      }),
    );
  }

  /** True if the server's settings are unknown. */
  isFallback(): boolean {
    return this.view$.value.origin === "fallback";
  }

  /** Loads the features where content access is on. */
  loadPreferences(by: "load" | "loadIfOld" = "load"): TE.TaskEither<Problem, void> {
    return deferTask(() =>
      isContentAccessOn(this.view$.value)
        ? pipe(orStale(this.preferences, this.preferences[by]), mapResult(E.mapLeft(readPreferencesProblem)))
        : TE.right<Problem, void>(undefined),
    );
  }

  load(by: "load" | "loadIfOld"): TE.TaskEither<Problem, void> {
    return pipe(
      orStale(this.access, this.access[by]),
      TE.orElse((failure) => (this.isFallback() ? TE.right(undefined) : TE.left(readAccessProblem(failure)))),
      TE.chain(() => this.loadPreferences(by)),
    );
  }

  /** Shows what the server has announced. */
  show({ preferences, ...access }: AnnouncedContentAccess): void {
    this.access.accept(() => access);
    this.preferences.accept(() => (access.contentAccessEnabled ? preferences : null));
  }

  setOwner(email: string | null): void {
    this.access.setOwner(email);
    this.preferences.setOwner(email);
  }
}
