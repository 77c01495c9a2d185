import { filter, firstValueFrom, map, merge, Subject, take, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";

/** Whose month, and how much mail the plan includes. */
export interface Allowance {
  readonly userId: string;
  readonly month: string;
  readonly limit: number;
}

/** One mail more is held; none is left; or the last ones are on their way in, and it is not known if they arrive. */
export type Hold = "held" | "used-up" | "undecided";

/**
 * The mails of a month that were promised at RCPT and are not in the store yet. With it exactly the plan's number
 * passes, and the mail after that is refused before its content is sent (D34). It knows this process; what another
 * one takes meanwhile the store's own condition catches.
 */
export interface Reservations {
  /**
   * Holds one mail for a transaction that holds `own` of the same month already. Where the mails of others decide, it
   * waits for them, 5 s at most: who only holds must not make a sender believe that all is used up.
   */
  readonly hold: (allowance: Allowance, own: number) => Promise<Hold>;
  /** Ends the hold of one mail; the store has since said that at least `received` were used, 0 if it said nothing. */
  readonly settle: (allowance: Allowance, received: number) => void;
}

const waitAtMostMs = 5_000;

interface Account {
  held: number;
  asking: number;
  used: number;
  readonly stored: Promise<number>;
  readonly settled: Subject<void>;
}

/**
 * An account lives while something of it is held, and only then are mails of it stored by this process: so what was
 * read when it began, and what each commit answers, is never out of date by a mail of ours.
 */
export const makeReservations = (
  storedIn: (userId: string, month: string) => Promise<number>,
  clock: Clock,
): Reservations => {
  const accounts = new Map<string, Account>();
  const keyOf = ({ userId, month }: Allowance): string => `${month} ${userId}`;

  const accountOf = (allowance: Allowance): Account => {
    const key = keyOf(allowance);
    const known = accounts.get(key);
    if (known) return known;
    const stored = storedIn(allowance.userId, allowance.month);
    const fresh = { held: 0, asking: 0, used: 0, stored, settled: new Subject<void>() };
    accounts.set(key, fresh);
    return fresh;
  };

  const dropIfUnused = (allowance: Allowance, account: Account): void => {
    if (account.held === 0 && account.asking === 0) accounts.delete(keyOf(allowance));
  };

  const decide = (account: Account, limit: number, own: number): Hold => {
    if (account.used + own >= limit) return "used-up";
    if (account.used + account.held >= limit) return "undecided";
    account.held += 1;
    return "held";
  };

  const decideInTime = async (account: Account, limit: number, own: number): Promise<Hold> => {
    account.used = Math.max(account.used, await account.stored);
    const atOnce = decide(account, limit, own);
    if (atOnce !== "undecided") return atOnce;
    const later = account.settled.pipe(
      map(() => decide(account, limit, own)),
      filter((hold) => hold !== "undecided"),
    );
    const inVain = timer(waitAtMostMs, clock.scheduler).pipe(map((): Hold => "undecided"));
    return firstValueFrom(merge(later, inVain).pipe(take(1)));
  };

  return {
    hold: async (allowance, own) => {
      const account = accountOf(allowance);
      account.asking += 1;
      try {
        return await decideInTime(account, allowance.limit, own);
      } finally {
        account.asking -= 1;
        dropIfUnused(allowance, account);
      }
    },
    settle: (allowance, received) => {
      const account = accounts.get(keyOf(allowance));
      if (!account) return;
      account.held -= 1;
      account.used = Math.max(account.used, received);
      account.settled.next();
      dropIfUnused(allowance, account);
    },
  };
};
