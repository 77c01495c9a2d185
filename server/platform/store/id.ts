import type { Random } from "../../../core/ports/random.ts";

const idBytes = 15;

/** Returns a new id: 120 random bits as 20 characters that are safe in paths, file names and headers. */
export const newId = (random: Random): string => Buffer.from(random.bytes(idBytes)).toString("base64url");

const queueIdBytes = 9;

/** Returns the start of the queue's ids of a moment: those of later mails sort after it. */
export const firstQueueIdAt = (time: number): string => time.toString(36).padStart(8, "0");

const mailIdBytes = 3;
const mailIdLength = 12;

/** Returns a new id of a mail, for the log: the time and 24 random bits. */
export const newMailId = (random: Random, now: number): string =>
  firstQueueIdAt(now) + Buffer.from(random.bytes(mailIdBytes)).toString("base64url");

/**
 * Returns a new id for the queue: the id of a mail, so that new rows are adjacent in an index and the log can name the
 * mail of a copy, and 72 random bits that nobody can guess who knows other copies.
 */
export const newQueueId = (random: Random, now: number, mailId = newMailId(random, now)): string =>
  mailId + Buffer.from(random.bytes(queueIdBytes)).toString("base64url");

/** Returns the id of the mail that a copy in the queue belongs to. */
export const mailIdOf = (queueId: string): string => queueId.slice(0, mailIdLength);

/** True if a text has the form of an id, so that other texts need no query. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
