import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Call } from "../requests/call.ts";
import { getCsrfToken } from "./sessionEndpoints.ts";

/** Asks for an anti-forgery token and keeps it, unless the session has changed since it was asked for (RQ2). */
export const learnCsrfToken =
  (
    call: Call,
    session: () => string | null,
    keep: (token: string) => boolean,
  ): TE.TaskEither<Failure, void> =>
  () => {
    const asking = session();
    const learn = ({ csrfToken }: { readonly csrfToken?: string }): void => {
      if (csrfToken && session() === asking) keep(csrfToken);
    };
    return pipe(call(getCsrfToken)(), TE.map(learn))();
  };
