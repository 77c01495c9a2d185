import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";

/** A codec between what the program uses and the text a store keeps. */
export type TextCodec<A> = t.Type<A, string, unknown>;

/** Text that is kept as it is, and is never empty. */
export const plainText: TextCodec<string> = new t.Type(
  "text",
  t.string.is,
  (u, context) => (typeof u === "string" && u !== "" ? t.success(u) : t.failure(u, context)),
  (text) => text,
);

/** A point in time, kept as milliseconds since 1970. */
export const timestamp: TextCodec<number> = new t.Type(
  "timestamp",
  t.number.is,
  (u, context) =>
    typeof u === "string" && /^\d{1,16}$/.test(u) ? t.success(Number(u)) : t.failure(u, context),
  String,
);

/** Anything else, kept as JSON. */
export const json = <A>(codec: t.Type<A, unknown, unknown>): TextCodec<A> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) =>
      pipe(
        E.tryCatch(
          (): unknown => JSON.parse(String(u)),
          () => undefined,
        ),
        E.match(
          () => t.failure(u, context),
          (value) => codec.validate(value, context),
        ),
      ),
    (value) => JSON.stringify(codec.encode(value)),
  );
