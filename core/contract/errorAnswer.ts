import * as t from "io-ts";

/** The body of every refusal. `error` is read as well as `message`, so that other servers are understood (RQ11). */
export const ErrorAnswer = t.partial({
  message: t.string,
  error: t.string,
  errors: t.array(t.type({ field: t.string, message: t.string })),
});
export type ErrorAnswer = t.TypeOf<typeof ErrorAnswer>;
