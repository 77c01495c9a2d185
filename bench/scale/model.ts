import { dayMs } from "../../core/kernel/durations.ts";

/** What the size of an installation follows from. */
export interface Installation {
  readonly users: number;
  readonly masksEach: number;
  /** Mails of all users a day. */
  readonly mailsADay: number;
}

/** Of each user in the installations that are made. */
export const masksEach = 10;

/** For how many days the row of a finished mail is kept; on PostgreSQL its day is dropped up to a day later. */
export const finishedDays = 7;
/** The busiest moment of a day beside its mean. */
const peak = 4;
/** Bytes of a mail, for what passes the network. */
const mailBytes = 75_000;

/** The tables that grow with an installation. */
export const modelled = [
  "users",
  "destinations",
  "masks",
  "mask_addresses",
  "mask_statistics",
  "queue",
] as const;
export type Modelled = (typeof modelled)[number];

/** Bytes of a row with its share of all indexes, as found with 10,000 masks on PostgreSQL 15 after a vacuum. */
const bytesOfRow: Readonly<Record<Modelled, number>> = {
  users: 400,
  destinations: 390,
  masks: 390,
  mask_addresses: 200,
  mask_statistics: 190,
  queue: 270,
};

/** What a mail costs, whatever the size of the installation. */
export interface MailCosts {
  /** Milliseconds of a processor in a Bauta process. */
  readonly cpuMs: number;
  /** Transactions of the database, reads of one statement among them. */
  readonly transactions: number;
  /** Rows that are inserted, updated or deleted. */
  readonly rows: number;
}

/** A mail of 10 kB from one sender to one destination in one process under load, as found with 10,000 masks. */
export const mailCosts: MailCosts = { cpuMs: 1.8, transactions: 4.4, rows: 15.5 };

/** Returns the rows of each table. */
export const rowsOf = ({
  users,
  masksEach,
  mailsADay,
}: Installation): Readonly<Record<Modelled, number>> => ({
  users,
  destinations: users,
  masks: users * masksEach,
  mask_addresses: users * masksEach,
  mask_statistics: users * masksEach,
  queue: mailsADay * finishedDays,
});

/** Returns the bytes of each table with its indexes. */
export const bytesOf = (installation: Installation): Readonly<Record<Modelled, number>> => {
  const rows = rowsOf(installation);
  return {
    users: rows.users * bytesOfRow.users,
    destinations: rows.destinations * bytesOfRow.destinations,
    masks: rows.masks * bytesOfRow.masks,
    mask_addresses: rows.mask_addresses * bytesOfRow.mask_addresses,
    mask_statistics: rows.mask_statistics * bytesOfRow.mask_statistics,
    queue: rows.queue * bytesOfRow.queue,
  };
};

/** What an installation needs at its peak. */
export interface Needs {
  readonly mailsASecond: number;
  /** Processors that relay, all of them busy. */
  readonly processors: number;
  readonly transactionsASecond: number;
  readonly rowsASecond: number;
  readonly megabitsEachWay: number;
  readonly gigabytes: number;
}

/** Returns what an installation needs at its peak, from what a mail costs. */
export const needsOf = (installation: Installation, costs: MailCosts): Needs => {
  const mailsASecond = (installation.mailsADay * peak * 1_000) / dayMs;
  const bytes = Object.values(bytesOf(installation)).reduce((sum, one) => sum + one, 0);
  return {
    mailsASecond,
    processors: (mailsASecond * costs.cpuMs) / 1_000,
    transactionsASecond: mailsASecond * costs.transactions,
    rowsASecond: mailsASecond * costs.rows,
    megabitsEachWay: (mailsASecond * mailBytes * 8) / 1_000_000,
    gigabytes: bytes / 1_000_000_000,
  };
};
