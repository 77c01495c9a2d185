import type { Task } from "fp-ts/lib/Task.js";
import {
  defer,
  EMPTY,
  exhaustMap,
  filter,
  interval,
  type Observable,
  type SchedulerLike,
  startWith,
  switchMap,
  take,
} from "rxjs";
import type { Domain } from "./domain.ts";

/** New DNS records spread within minutes to hours. */
const checkIntervalMs = 15_000;
/** An hour of repeated checks; afterwards only the user asks again. */
const maxChecks = 240;

/** True if a domain is checked again by itself, because a record is not what it should be. */
export const isAwaitingRecords = ({ records }: Domain): boolean =>
  records.some(({ state }) => state !== "ok");

interface CheckDeps {
  readonly scheduler: SchedulerLike;
  readonly find: (id: string) => Domain | undefined;
  readonly check: (id: string) => Task<unknown>;
}

/** Checks the domain that `id$` names at once, and again and again while a record is missing; null for none. */
export const checkRepeatedly = (
  id$: Observable<string | null>,
  { scheduler, find, check }: CheckDeps,
): Observable<unknown> => {
  const mayHelp = (id: string): boolean => {
    const domain = find(id);
    return domain !== undefined && isAwaitingRecords(domain);
  };
  return id$.pipe(
    switchMap((id) =>
      id === null
        ? EMPTY
        : interval(checkIntervalMs, scheduler).pipe(
            startWith(null),
            take(maxChecks),
            filter((count) => count === null || mayHelp(id)),
            exhaustMap(() => defer(check(id))),
          ),
    ),
  );
};
