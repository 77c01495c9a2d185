import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { ErrorAnswer } from "../contract/errorAnswer.ts";
import { type Refusal, refused } from "../kernel/failure.ts";
import type { HttpResponse } from "../ports/http.ts";

/** What stands in a body; undefined when it is not JSON. */
export const parseBody = (text: string): unknown =>
  E.getOrElse((): unknown => undefined)(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => undefined,
    ),
  );

/** Whatever a refusal says in a form we know (RQ11); what is in no such form is passed over. */
export const saidIn = ({ body }: HttpResponse): ErrorAnswer => {
  const said = parseBody(body);
  const part = (name: keyof ErrorAnswer): ErrorAnswer =>
    pipe(
      t.UnknownRecord.decode(said),
      E.chain((record) => ErrorAnswer.decode({ [name]: record[name] })),
      E.getOrElse((): ErrorAnswer => ({})),
    );
  return { ...part("message"), ...part("error"), ...part("errors") };
};

/** An answer from 400 up, as a failure. */
export const refusalIn = (response: HttpResponse): Refusal => {
  const { message, error, errors } = saidIn(response);
  const refusal = refused(response.status, message || error || undefined, errors);
  return response.told ? { ...refusal, told: true } : refusal;
};
