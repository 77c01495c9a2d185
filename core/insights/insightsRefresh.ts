import { pipe } from "fp-ts/lib/function.js";
import {
  EMPTY,
  filter,
  interval,
  map,
  merge,
  type Observable,
  Subscription,
  switchMap,
  tap,
  throttleTime,
} from "rxjs";
import { ageMs } from "../kernel/age.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { isFetchFailed } from "../kernel/resource.ts";
import type { State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { lifetimesMs } from "../storage/storedKeys.ts";
import type { InsightsQuery } from "./insightsQuery.ts";

/** The interval at which visible insights are refreshed (IN6). */
const refreshIntervalMs = 300_000;
const changeThrottleMs = 2_000;

const accountResources: readonly string[] = ["insights", "account", "keys", "content-access"];
const maskResources: readonly string[] = ["masks", "mask", "rules"];

/** True if a change may alter figures at all. */
const isRelevant = ({ resource, action }: DataUpdate): boolean =>
  action !== "connected" && (accountResources.includes(resource) || maskResources.includes(resource));

/** True if a relevant change may alter the figures of one mask, or of all (null). */
const concerns = ({ resource, resourceId }: DataUpdate, maskId: MaskId | null): boolean =>
  maskId === null || accountResources.includes(resource) || resourceId === undefined || resourceId === maskId;

export interface InsightsRefreshDeps {
  readonly query: InsightsQuery;
  readonly clock: Clock;
  readonly updates$: Observable<DataUpdate>;
  readonly connectivity: { readonly online$: State<boolean> };
  /** True while the user sees the figures. */
  readonly isShown$: State<boolean>;
}

/** Loads figures again that are old or have changed, while they are shown. */
export class InsightsRefresh {
  readonly #deps: InsightsRefreshDeps;
  /** True when a change arrived while the figures were hidden. */
  #isOutdated = false;
  #isLoading = false;
  #isReloadQueued = false;
  /** The changes of other masks than the selected one, with their times. */
  #changesElsewhere: readonly (readonly [DataUpdate, number])[] = [];

  constructor(deps: InsightsRefreshDeps) {
    this.#deps = deps;
  }

  /** True if the figures shown are as new as they have to be. */
  isFresh(): boolean {
    const { query, clock } = this.#deps;
    const { maskId, status, askedAt } = query.snapshot$.value;
    const changedAt = this.#changesElsewhere.flatMap(([update, at]) =>
      concerns(update, maskId) ? [at] : [],
    );
    return (
      status === "ready" &&
      ageMs(askedAt ?? 0, clock.now()) < lifetimesMs.insights &&
      Math.max(0, ...changedAt) <= (askedAt ?? 0)
    );
  }

  /** Begins anew for another user. */
  forget(): void {
    this.#changesElsewhere = [];
    this.#isOutdated = false;
    if (this.#deps.isShown$.value && !this.isFresh()) this.#reload(false);
  }

  start(): Subscription {
    const { updates$, isShown$ } = this.#deps;
    const running = new Subscription();
    running.add(
      updates$
        .pipe(filter((update) => isRelevant(update) && !this.#concernsSelected(update)))
        .subscribe((update) => this.#noteElsewhere(update)),
    );
    running.add(
      this.#changes$()
        .pipe(filter(() => !isShown$.value))
        .subscribe(() => {
          this.#isOutdated = true;
        }),
    );
    running.add(isShown$.pipe(switchMap((isShown) => (isShown ? this.#whileShown$() : EMPTY))).subscribe());
    return running;
  }

  /** Loads the figures, by itself where `quiet`; a call meanwhile loads them once more afterwards. */
  #reload(quiet: boolean): void {
    if (this.#isLoading) {
      this.#isReloadQueued = true;
      return;
    }
    this.#isLoading = true;
    this.#isOutdated = false;
    this.#isReloadQueued = false;
    startTask(
      pipe(
        this.#deps.query.load(quiet),
        tapResult(() => {
          this.#isLoading = false;
          if (this.#isReloadQueued) this.#reload(true);
        }),
      ),
    );
  }

  #concernsSelected(update: DataUpdate): boolean {
    return concerns(update, this.#deps.query.snapshot$.value.maskId);
  }

  /** Emits the changes that may alter the selected figures. */
  #changes$(): Observable<DataUpdate> {
    return this.#deps.updates$.pipe(filter((update) => isRelevant(update) && this.#concernsSelected(update)));
  }

  #noteElsewhere(update: DataUpdate): void {
    const others = this.#changesElsewhere.filter(([{ resourceId }]) => resourceId !== update.resourceId);
    this.#changesElsewhere = [...others, [update, this.#deps.clock.now()]];
  }

  #whileShown$(): Observable<unknown> {
    const { query, clock, connectivity } = this.#deps;
    if (this.#isOutdated || !this.isFresh()) this.#reload(false);
    const changed$ = this.#changes$().pipe(
      throttleTime(changeThrottleMs, clock.scheduler, { leading: true, trailing: true }),
    );
    const backOnline$ = failedBackOnline(
      connectivity.online$,
      query.snapshot$.pipe(map(isFetchFailed)),
      clock.scheduler,
    );
    return merge(changed$, backOnline$, interval(refreshIntervalMs, clock.scheduler)).pipe(
      tap(() => this.#reload(true)),
    );
  }
}
