import type { Db } from "./database.ts";

/** Stores an answer in the transaction of its write and returns the answer. */
export type RecordAnswer<Answer> = (db: Db, answer: Answer) => Promise<Answer>;
