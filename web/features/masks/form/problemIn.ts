import type { Problem } from "../../../../core/api/errorMessages.ts";

/** Returns a problem if it is about one of these fields or a part of one, such as "senders.allow.1"; otherwise null. */
export const problemIn = (problem: Problem | null, fields: readonly string[]): Problem | null =>
  problem?.fields.some(({ field }) => fields.some((own) => field === own || field.startsWith(`${own}.`)))
    ? problem
    : null;
