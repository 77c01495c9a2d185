import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { type Refusal, refused } from "../kernel/failure.ts";
import type { HttpResponse } from "../ports/http.ts";

/** The body of an error response. `error` is read like `message`, because other servers use that name. */
const ErrorBody = t.partial({
  message: t.string,
  error: t.string,
  errors: t.array(t.type({ field: t.string, message: t.string })),
});
type ErrorBody = t.TypeOf<typeof ErrorBody>;

/** Parses a body as JSON; returns undefined when it is not JSON. */
export const parseBody = (text: string): unknown =>
  E.getOrElse((): unknown => undefined)(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => undefined,
    ),
  );

/** Reads the known fields of an error response; invalid ones are ignored. */
export const parseErrorBody = ({ body }: HttpResponse): ErrorBody => {
  const json = parseBody(body);
  const field = (name: keyof ErrorBody): ErrorBody =>
    pipe(
      t.UnknownRecord.decode(json),
      E.chain((record) => ErrorBody.decode({ [name]: record[name] })),
      E.getOrElse((): ErrorBody => ({})),
    );
  return { ...field("message"), ...field("error"), ...field("errors") };
};

/** Converts a response with a status of 400 or above to a failure. */
export const toRefusal = (response: HttpResponse): Refusal => {
  const { message, error, errors } = parseErrorBody(response);
  const refusal = refused(response.status, message || error || undefined, errors);
  return {
    ...refusal,
    ...(response.userNotified && { userNotified: true }),
    ...(response.reported && { reported: true }),
  };
};
