import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { getSenderHabits, type SenderHabits } from "./insightsEndpoints.ts";

const unknownSender: SenderHabits = { masks: 0, earlierMails: 0 };

/** Fetches the habits of a sender's domain; a domain whose habits are not available counts as new. */
export const createSenderHabits = ({ call }: { readonly call: Call }) => ({
  read: (maskId: string, domain: string): T.Task<SenderHabits> =>
    domain === ""
      ? T.of(unknownSender)
      : pipe(
          call(getSenderHabits)({ params: { domain, maskId }, silent: true }),
          TE.getOrElse(() => T.of(unknownSender)),
        ),
});
