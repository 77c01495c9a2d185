import type { Db } from "../store/database.ts";
import type { Passage } from "./passage.ts";

/** A mail that was taken for a mask, and what became of it there. */
export interface PassedMail {
  readonly passage: Passage;
  /** Whether it was sent on, at once or with the hourly mail. */
  readonly forwarded: boolean;
  readonly archived: boolean;
  readonly answered: boolean;
}

/** Adds to figures in the transaction of the mails that are counted; all mails of one commit come together. */
export type CountMails = (db: Db, mails: readonly PassedMail[], now: number) => Promise<void>;

export const countNothing: CountMails = async () => {};
