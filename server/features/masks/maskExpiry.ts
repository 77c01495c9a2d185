import type { Selectable } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Expiry, NewExpiry } from "../../../core/masks/maskExpiry.ts";
import type { MasksTable } from "./maskTables.ts";

/** The columns of an expiry. */
type ExpiryColumns = Pick<
  Selectable<MasksTable>,
  "expiry" | "expires_at" | "idle_ms" | "mails_left" | "expiry_from" | "expiry_warned_for"
>;

/** Returns the columns of a new expiry, which counts from now; null ends the one before. */
export const expiryColumns = (expiry: NewExpiry | null, now: number): ExpiryColumns => ({
  expiry: expiry && JSON.stringify(expiry),
  expires_at: expiry?.at ?? null,
  idle_ms: expiry?.idleDays === undefined ? null : expiry.idleDays * dayMs,
  mails_left: expiry?.mails ?? null,
  expiry_from: expiry && now,
  expiry_warned_for: null,
});

type ExpiryRow = Pick<ExpiryColumns, "expiry" | "mails_left" | "idle_ms" | "expiry_from"> & {
  readonly last_used_at: number | null;
};

/** Returns the expiry of a row, with what is left until then; null without one. */
export const toExpiry = (row: ExpiryRow): Expiry | null =>
  row.expiry === null
    ? null
    : {
        ...(JSON.parse(row.expiry) as NewExpiry),
        ...(row.mails_left === null ? {} : { mailsLeft: row.mails_left }),
        ...(row.idle_ms === null
          ? {}
          : { idleAt: Math.max(row.last_used_at ?? 0, row.expiry_from ?? 0) + row.idle_ms }),
      };

/** True if an edit sends the expiry that the mask has: then its counts go on. */
export const isSameExpiry = (stored: string | null, edited: NewExpiry | null): boolean => {
  const conditions = (expiry: NewExpiry | null) =>
    expiry && [expiry.at, expiry.mails, expiry.idleDays, expiry.firstSender ?? false, expiry.then];
  const before = stored === null ? null : (JSON.parse(stored) as NewExpiry);
  return JSON.stringify(conditions(before)) === JSON.stringify(conditions(edited));
};
