import * as t from "io-ts";

export const NullableText = t.union([t.string, t.null]);

/** Returns a time in milliseconds since 1970 as addy.io's clients read it: "2026-07-04 12:00:00", in UTC. */
export const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

export const timeTextOrNull = (ms: number | null): string | null => (ms === null ? null : timeText(ms));
