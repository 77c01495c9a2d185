import * as t from "io-ts";

// Values of the query, where all is text.

/** The number of entries asked for: a whole number from 1 to `most`. */
export const limitUpTo = (most: number): t.Type<number, string, unknown> => {
  const isLimit = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
  return new t.Type(
    `number from 1 to ${most}`,
    isLimit,
    (u, context) => {
      const limit = typeof u === "string" && /^\d{1,4}$/.test(u) ? Number(u) : 0;
      return isLimit(limit)
        ? t.success(limit)
        : t.failure(u, context, `The limit must be a number from 1 to ${most}.`);
    },
    String,
  );
};

/** A boolean in a query, as "true" or "false". */
export const flag: t.Type<boolean, string, unknown> = new t.Type(
  "boolean",
  t.boolean.is,
  (u, context) =>
    u === "true" || u === "false"
      ? t.success(u === "true")
      : t.failure(u, context, "Expected true or false."),
  String,
);
