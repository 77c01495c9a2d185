import * as t from "io-ts";
import { Rule } from "../rules/rule.ts";

const Rules = t.readonlyArray(Rule as t.Type<Rule, unknown, unknown>);

/** A mask's rules as the server has them, and the server's name for this version. */
export const KnownRules = t.type({ etag: t.union([t.string, t.null]), rules: Rules });
export type KnownRules = Readonly<t.TypeOf<typeof KnownRules>>;

/** What was not yet saved of one mask's rules (SY2). Times in milliseconds since 1970. */
export const PendingRecord = t.intersection([
  t.type({
    /** The whole list, as it is wanted. */
    rules: Rules,
    /** What the server had when the first of these changes was made. */
    base: KnownRules,
    /** When the last of them was made. */
    timestamp: t.number,
    /** Tries in a row that failed. */
    attempts: t.number,
    lastAttempt: t.union([t.number, t.null]),
    lastError: t.union([t.string, t.null]),
  }),
  t.partial({
    /** What is under way, or was when its answer got lost: sent again under the same name until it is answered (D43). */
    sent: t.type({ requestId: t.string, rules: Rules }),
    /** The status of a refusal that trying again will not heal. */
    refused: t.number,
  }),
]);
export type PendingRecord = Readonly<t.TypeOf<typeof PendingRecord>>;

/** All that one user has not saved, by mask. Somebody else's is not looked at (D45). */
export const PendingSync = t.type({ owner: t.string, masks: t.record(t.string, PendingRecord) });
export type PendingSync = Readonly<t.TypeOf<typeof PendingSync>>;
