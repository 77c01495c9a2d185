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
import { hourMs } from "../kernel/durations.ts";
import type { Domain } from "./domain.ts";

/** New DNS records spread within minutes to hours. */
export const recordCheckMs = 15_000;
/** After so many hours of repeated checks only the user asks again. */
const checkedHours = 1;
export const maxRecordChecks = (checkedHours * hourMs) / recordCheckMs;

/** Says how records that are missing are looked for while `where` is open. */
export const awaitedRecords = (where: string): string =>
  `New records take minutes to hours to spread. They are looked up again every ${recordCheckMs / 1_000} seconds while this ${where} is open, for at most ${checkedHours * 60} minutes.`;

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
        : interval(recordCheckMs, scheduler).pipe(
            startWith(null),
            take(maxRecordChecks),
            filter((count) => count === null || mayHelp(id)),
            exhaustMap(() => defer(check(id))),
          ),
    ),
  );
};
