import * as t from "io-ts";
import { refined } from "../../../../core/api/textCodecs.ts";

/** A whole number, as all ids of SimpleLogin are. */
export const Integer = refined(t.number, Number.isInteger, "Expected a whole number");

export const NullableText = t.union([t.string, t.null]);

/** The number of things on a page of a list. */
export const pageSize = 20;

/** Returns the seconds since 1970 of a time in milliseconds, or of one in ISO 8601. */
export const secondsOf = (time: number | string): number =>
  Math.floor((typeof time === "number" ? time : Date.parse(time)) / 1_000);

/** Returns a time as SimpleLogin writes it: "2026-11-27 12:00:00+00:00". */
export const dateOf = (time: number | string): string =>
  `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}+00:00`;
