/** Whose month, and how much mail the plan includes. */
export interface Allowance {
  readonly userId: string;
  readonly month: string;
  readonly limit: number;
}

/**
 * The mails of a month that were promised at RCPT and are not in the store yet. With it exactly the plan's number
 * passes, and the mail after that is refused before its content is sent (D34). It knows this process; what another
 * one takes meanwhile the store's own condition catches.
 */
export interface Reservations {
  /** Holds one mail; false when none is left. */
  readonly hold: (allowance: Allowance) => Promise<boolean>;
  /** Ends the hold of one mail; the store has since said that at least `received` were used, 0 if it said nothing. */
  readonly settle: (allowance: Allowance, received: number) => void;
}

interface Account {
  held: number;
  asking: number;
  used: number | null;
  readonly stored: Promise<number>;
}

/**
 * An account lives while something of it is held, and only then are mails of it stored by this process: so what was
 * read when it began, and what each commit answers, is never out of date by a mail of ours.
 */
export const makeReservations = (
  storedIn: (userId: string, month: string) => Promise<number>,
): Reservations => {
  const accounts = new Map<string, Account>();
  const keyOf = ({ userId, month }: Allowance): string => `${month} ${userId}`;

  const accountOf = (allowance: Allowance): Account => {
    const key = keyOf(allowance);
    const known = accounts.get(key);
    if (known) return known;
    const fresh = { held: 0, asking: 0, used: null, stored: storedIn(allowance.userId, allowance.month) };
    accounts.set(key, fresh);
    return fresh;
  };

  const dropIfUnused = (allowance: Allowance, account: Account): void => {
    if (account.held === 0 && account.asking === 0) accounts.delete(keyOf(allowance));
  };

  return {
    hold: async (allowance) => {
      const account = accountOf(allowance);
      account.asking += 1;
      try {
        const stored = await account.stored;
        account.used ??= stored;
        const left = account.used + account.held < allowance.limit;
        if (left) account.held += 1;
        return left;
      } finally {
        account.asking -= 1;
        dropIfUnused(allowance, account);
      }
    },
    settle: (allowance, received) => {
      const account = accounts.get(keyOf(allowance));
      if (!account) return;
      account.held -= 1;
      account.used = Math.max(account.used ?? 0, received);
      dropIfUnused(allowance, account);
    },
  };
};
