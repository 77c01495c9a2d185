import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, invalid } from "../kernel/failure.ts";
import type { FileToKeep } from "../kernel/fileToKeep.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { deleteAccount, exportAccount } from "./accountDataEndpoints.ts";
import type { AccountExport } from "./accountExport.ts";
import { masksCsv } from "./masksCsv.ts";

/** What somebody typed to show that they mean it; no code for an account without a second factor. */
export interface DeletionDraft {
  readonly email: string;
  readonly code: string;
}

/** The user's own data: to take along, and to have removed. */
export interface AccountData {
  /** Masks, rules, settings and statistics as JSON. */
  readonly takeAll: () => TE.TaskEither<Problem, FileToKeep>;
  /** The masks as CSV. */
  readonly takeMasks: () => TE.TaskEither<Problem, FileToKeep>;
  /** Removes the account and everything in it, and signs out everywhere. */
  readonly remove: (draft: DeletionDraft) => TE.TaskEither<Problem, void>;
}

export interface AccountDataNeeds {
  readonly call: Call;
  readonly configuration: { readonly brand: string };
  readonly toast: ShowToast;
  readonly logOut: () => Task<void>;
}

const exporting = problemOf({ here: "Failed to export your data" });
const deleting = problemOf({ here: "Failed to delete your account" });

const emailMissing = invalid([{ field: "email", message: "Type the address of your account to confirm." }]);

export const makeAccountData = (needs: AccountDataNeeds): AccountData => {
  const { call, configuration, toast, logOut } = needs;
  const fileName = (what: string, { exportedAt }: AccountExport, ending: string): string =>
    `${configuration.brand.toLowerCase()}-${what}-${exportedAt.slice(0, 10)}.${ending}`;
  const take = (fileOf: (taken: AccountExport) => FileToKeep) => (): TE.TaskEither<Problem, FileToKeep> =>
    pipe(() => call(exportAccount)()(), TE.map(fileOf), TE.mapLeft(exporting));
  return {
    takeAll: take((taken) => ({
      name: fileName("data", taken, "json"),
      type: "application/json",
      content: `${JSON.stringify(taken, null, 2)}\n`,
    })),
    takeMasks: take((taken) => ({
      name: fileName("masks", taken, "csv"),
      type: "text/csv",
      content: masksCsv(taken),
    })),
    remove: ({ email, code }) =>
      pipe(
        email.trim() === "" ? TE.left<Failure, void>(emailMissing) : TE.right<Failure, void>(undefined),
        TE.chain(() =>
          call(deleteAccount)({
            body: { email: email.trim(), ...(code.trim() === "" ? {} : { code: code.trim() }) },
          }),
        ),
        TE.mapLeft(deleting),
        TE.tapIO(() => () => {
          void logOut()();
          toast("success", "Your account was deleted");
        }),
      ),
  };
};
