import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { updateProfile } from "../account/profileEndpoints.ts";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { refusalProblem } from "../encryption/encryptionMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { Account } from "../session/user.ts";
import { getLastMail, type LastMail, lastMailLimits, listLastMails } from "./lastMailEndpoints.ts";

/** The last mails of the user's masks, which are kept for 24 hours to test rules with. */
export interface LastMails {
  /** `isOn` is null until the account is loaded, and where the server keeps none. Without a key none can be kept. */
  readonly setting$: State<{ readonly isOn: boolean | null; readonly hasKey: boolean }>;
  /** Switches it on, or off and deletes what is kept, with a toast. */
  readonly turn: (isOn: boolean) => TE.TaskEither<Problem, void>;
  /** Lists those of a mask, newest first. */
  readonly list: (maskId: string) => TE.TaskEither<Problem, readonly LastMail[]>;
  /** Returns a mail as it was received, decrypted with a key of this device; of a large one the first 256 kB. */
  readonly open: (maskId: string, id: string) => TE.TaskEither<Problem, Uint8Array<ArrayBuffer>>;
}

export interface LastMailsDeps {
  readonly call: Call;
  readonly toast: ShowToast;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
  readonly keyring: Pick<Keyring, "decryptBytes">;
  readonly owner: () => string | null;
}

const toChangeProblem = problemOf({ page: "Failed to change whether the last emails are kept" });
const toListProblem = problemOf({ page: "Failed to load the last emails" });
const toContentProblem = problemOf({ page: "Failed to load the email" });

export const createLastMails = (deps: LastMailsDeps): LastMails => {
  const { call, toast, keyring, owner } = deps;
  return {
    setting$: mapState(deps.account$, (account) => ({
      isOn: account?.settings?.keepLastMails ?? null,
      hasKey: account?.keyStatus === "configured",
    })),
    turn: (isOn) =>
      pipe(
        call(updateProfile)({ body: { keepLastMails: isOn } }),
        TE.mapLeft(toChangeProblem),
        TE.chain(() => deps.refreshAccount()),
        TE.map(() =>
          toast(
            "success",
            isOn
              ? `Mail is kept for ${lastMailLimits.hours} hours from now on`
              : "The kept emails are deleted",
          ),
        ),
      ),
    list: (id) =>
      pipe(
        call(listLastMails)({ params: { id } }),
        TE.bimap(toListProblem, ({ mails }) => mails),
      ),
    open: (id, mailId) =>
      pipe(
        call(getLastMail)({ params: { id, mailId } }),
        TE.mapLeft(toContentProblem),
        TE.chain(({ content }) =>
          pipe(
            keyring.decryptBytes(owner() ?? "", content),
            TE.mapLeft((refusal) => refusalProblem(refusal)),
          ),
        ),
      ),
  };
};
