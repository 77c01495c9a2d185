import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { type AccountExport, deleteAccount, exportAccount } from "./accountDataEndpoints.ts";
import { masksCsv } from "./masksCsv.ts";

/** The user's confirmation of the deletion; `code` is empty for an account without a second factor. */
export interface DeletionDraft {
  readonly email: string;
  readonly code: string;
}

/** Exports and deletes the user's data. */
export interface AccountData {
  /** Exports masks, rules, settings and statistics as JSON. */
  readonly exportAll: () => TE.TaskEither<Problem, DownloadableFile>;
  /** Exports the masks as CSV, with all but their rules. */
  readonly exportMasks: () => TE.TaskEither<Problem, DownloadableFile>;
  /** Deletes the account with all its data and signs out everywhere. */
  readonly remove: (draft: DeletionDraft) => TE.TaskEither<Problem, void>;
}

export interface AccountDataDeps {
  readonly call: Call;
  readonly configuration: { readonly brand: string };
  readonly toast: ShowToast;
  readonly logOut: () => Task<void>;
}

const exportProblem = problemOf({ page: "Failed to export your data" });
const deletionProblem = problemOf({ page: "Failed to delete your account" });

const emailMissing = invalid([{ field: "email", message: "Type the address of your account to confirm." }]);

/** Creates the use cases. */
export const createAccountData = (deps: AccountDataDeps): AccountData => {
  const { call, configuration, toast, logOut } = deps;
  const fileName = (what: string, { exportedAt }: AccountExport, ending: string): string =>
    `${configuration.brand.toLowerCase()}-${what}-${exportedAt.slice(0, 10)}.${ending}`;
  const exportAs =
    (toFile: (data: AccountExport) => DownloadableFile) => (): TE.TaskEither<Problem, DownloadableFile> =>
      pipe(call(exportAccount)(), TE.map(toFile), TE.mapLeft(exportProblem));
  return {
    exportAll: exportAs((data) => ({
      name: fileName("data", data, "json"),
      type: "application/json",
      content: `${JSON.stringify(data, null, 2)}\n`,
    })),
    exportMasks: exportAs((data) => ({
      name: fileName("masks", data, "csv"),
      type: "text/csv",
      content: masksCsv(data.masks, { labels: data.labels ?? [], destinations: data.destinations }),
    })),
    remove: ({ email, code }) =>
      pipe(
        email.trim() === "" ? TE.left<Failure, void>(emailMissing) : TE.right<Failure, void>(undefined),
        TE.chain(() =>
          call(deleteAccount)({
            body: { email: email.trim(), ...(code.trim() === "" ? {} : { code: code.trim() }) },
          }),
        ),
        TE.mapLeft(deletionProblem),
        TE.tapIO(() => () => {
          startTask(logOut());
          toast("success", "Your account was deleted");
        }),
      ),
  };
};
