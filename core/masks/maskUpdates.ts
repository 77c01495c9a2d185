import { buffer, filter, map, type Observable, type SchedulerLike, share, throttleTime } from "rxjs";
import type { DataUpdate } from "../realtime/messages.ts";
import type { MaskId } from "./mask.ts";

/** A burst of updates is answered once in this time. */
const updateWindowMs = 250;

/** More masks than this are read as one list. */
const fewMasks = 3;

/** What is to be read again: the masks of these ids, or all. */
export type MasksToRead = readonly MaskId[] | "all";

/** Nothing at all. */
export const nothingToRead: MasksToRead = [];

export const isNothing = (what: MasksToRead): boolean => what !== "all" && what.length === 0;

/** What is to be read when both are. */
export const bothToRead = (a: MasksToRead, b: MasksToRead): MasksToRead =>
  a === "all" || b === "all" ? "all" : fewOrAll(new Set([...a, ...b]));

const fewOrAll = (ids: ReadonlySet<MaskId>): MasksToRead => (ids.size > fewMasks ? "all" : [...ids]);

const concernsMasks = ({ resource }: DataUpdate): boolean => resource === "masks" || resource === "mask";

const toRead = (updates: readonly DataUpdate[]): MasksToRead => {
  const ids = new Set(updates.flatMap(({ resourceId }) => resourceId ?? []));
  const isWhole = updates.some(({ resourceId }) => resourceId === undefined);
  return isWhole ? "all" : fewOrAll(ids);
};

/** Gathers updates of masks: at most one list, or three single masks, are to be read every 250 ms (RT13). */
export const gathered = (
  updates$: Observable<DataUpdate>,
  scheduler: SchedulerLike,
): Observable<MasksToRead> => {
  const ours$ = updates$.pipe(filter(concernsMasks), share());
  const windowEnd$ = ours$.pipe(throttleTime(updateWindowMs, scheduler, { leading: false, trailing: true }));
  return ours$.pipe(
    buffer(windowEnd$),
    filter((updates) => updates.length > 0),
    map(toRead),
  );
};
