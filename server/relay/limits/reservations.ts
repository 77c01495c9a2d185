import { filter, firstValueFrom, map, merge, Subject, take, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";

/** A user's month, and the number of mails that the plan includes. */
export interface Allowance {
  readonly userId: string;
  readonly month: string;
  readonly limit: number;
}

/** Reserved, over the limit, or dependent on mails still being received. */
export type ReservationResult = "reserved" | "used-up" | "undecided";

/**
 * Mails that were accepted at RCPT and are not stored yet. With them a user receives exactly the plan's number
 * of mails, and the next is refused before its content is sent (D34). They cover this process only; the store's
 * condition covers others.
 */
export interface Reservations {
  /**
   * Reserves one mail for a transaction that has reserved `ownCount` of the same month. Waits at most 5 s for
   * other transactions when the result depends on them, because a reservation alone does not use up the limit.
   */
  readonly reserve: (allowance: Allowance, ownCount: number) => Promise<ReservationResult>;
  /** Releases one reservation; `received` is the number of used mails the store has reported since, or 0. */
  readonly release: (allowance: Allowance, received: number) => void;
}

const maxWaitMs = 5_000;

interface MonthState {
  reserved: number;
  pending: number;
  used: number;
  readonly stored: Promise<number>;
  readonly released: Subject<void>;
}

/**
 * Creates the reservations. A month's state exists while it has reservations, and this process stores mails
 * only then; so the count that was loaded first, updated by each commit, is never outdated by our own mails.
 */
export const createReservations = (
  loadReceived: (userId: string, month: string) => Promise<number>,
  clock: Clock,
): Reservations => {
  const months = new Map<string, MonthState>();
  const keyOf = ({ userId, month }: Allowance): string => `${month} ${userId}`;

  const monthStateOf = (allowance: Allowance): MonthState => {
    const key = keyOf(allowance);
    const known = months.get(key);
    if (known) return known;
    const stored = loadReceived(allowance.userId, allowance.month);
    const created = { reserved: 0, pending: 0, used: 0, stored, released: new Subject<void>() };
    months.set(key, created);
    return created;
  };

  const dropIfUnused = (allowance: Allowance, state: MonthState): void => {
    if (state.reserved === 0 && state.pending === 0) months.delete(keyOf(allowance));
  };

  const decide = (state: MonthState, limit: number, ownCount: number): ReservationResult => {
    if (state.used + ownCount >= limit) return "used-up";
    if (state.used + state.reserved >= limit) return "undecided";
    state.reserved += 1;
    return "reserved";
  };

  const decideInTime = async (
    state: MonthState,
    limit: number,
    ownCount: number,
  ): Promise<ReservationResult> => {
    state.used = Math.max(state.used, await state.stored);
    const immediate = decide(state, limit, ownCount);
    if (immediate !== "undecided") return immediate;
    const later = state.released.pipe(
      map(() => decide(state, limit, ownCount)),
      filter((hold) => hold !== "undecided"),
    );
    const timeout = timer(maxWaitMs, clock.scheduler).pipe(map((): ReservationResult => "undecided"));
    return firstValueFrom(merge(later, timeout).pipe(take(1)));
  };

  return {
    reserve: async (allowance, ownCount) => {
      const state = monthStateOf(allowance);
      state.pending += 1;
      try {
        return await decideInTime(state, allowance.limit, ownCount);
      } finally {
        state.pending -= 1;
        dropIfUnused(allowance, state);
      }
    },
    release: (allowance, received) => {
      const state = months.get(keyOf(allowance));
      if (!state) return;
      state.reserved -= 1;
      state.used = Math.max(state.used, received);
      state.released.next();
      dropIfUnused(allowance, state);
    },
  };
};
