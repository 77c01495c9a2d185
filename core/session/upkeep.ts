import {
  distinctUntilChanged,
  EMPTY,
  interval,
  map,
  merge,
  type Observable,
  of,
  skip,
  switchMap,
} from "rxjs";
import { hourMs } from "../kernel/durations.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { SessionItems } from "./sessionItems.ts";

/** A session that ends within this is refreshed (SE4). */
const refreshWithinMs = hourMs;
/** A validation older than this is repeated (SE4). */
const validateAfterMs = 1_800_000;
/** At the start, only one younger than this is good enough (SE3). */
const skipValidationMs = 30_000;
/** How often there is a look at the two, besides whenever the tab comes into view or online. */
const lookEachMs = 60_000;

export type Care = "refresh" | "validate";

interface Needs {
  readonly items: SessionItems;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly visible$: State<boolean>;
  readonly isSignedIn$: Observable<boolean>;
}

const isTooOldAtStart = (ageMs: number): boolean => ageMs >= skipValidationMs;
const isTooOld = (ageMs: number): boolean => ageMs > validateAfterMs;

/** What the session needs, whenever it needs it (SE3, SE4). A tab that nobody sees, or that is offline, waits. */
export const careFor = ({ items, clock, online$, visible$, isSignedIn$ }: Needs): Observable<Care> => {
  const needed = (isOver: (ageMs: number) => boolean): readonly Care[] => {
    const now = clock.now();
    if (!online$.value || !visible$.value) return [];
    if (items.expiresAt() - now <= refreshWithinMs) return ["refresh"];
    return isOver(now - items.validatedAt()) ? ["validate"] : [];
  };
  const looks$ = merge(
    of(isTooOldAtStart),
    merge(online$.pipe(skip(1)), visible$.pipe(skip(1)), interval(lookEachMs, clock.scheduler)).pipe(
      map(() => isTooOld),
    ),
  );
  return isSignedIn$.pipe(
    distinctUntilChanged(),
    switchMap((isSignedIn) => (isSignedIn ? looks$ : EMPTY)),
    switchMap(needed),
  );
};
