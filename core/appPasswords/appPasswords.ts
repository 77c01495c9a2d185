import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import {
  type AppPassword,
  deleteAppPassword,
  listAppPasswords,
  postAppPassword,
  type SubmissionServer,
} from "./appPasswordEndpoints.ts";

/** The app passwords of the user, newest first, and the server that they are for. */
export interface AppPasswordsView {
  readonly passwords: readonly AppPassword[];
  readonly server: SubmissionServer;
}

/** Passwords for mail programs that send from masks. */
export interface AppPasswords {
  /** null until it is loaded. */
  readonly view$: State<AppPasswordsView | null>;
  /** True for a moment after the new password was copied. */
  readonly copied$: State<true | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Makes a password and returns it; it cannot be read again. */
  readonly create: (name: string) => TE.TaskEither<Problem, string>;
  /** Revokes a password; succeeds when it is revoked already. */
  readonly revoke: (id: string) => TE.TaskEither<Problem, void>;
  /** Copies a new password, with a toast. */
  readonly copy: (password: string) => TE.TaskEither<Problem, void>;
}

export interface AppPasswordsDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
}

const toProblem = problemOf({ page: "Failed to load your app passwords" });
const toCreateProblem = problemOf({ page: "Failed to create the app password" });
const toRevokeProblem = problemOf({ page: "Failed to revoke the app password" });

export const createAppPasswords = (
  deps: AppPasswordsDeps,
): AppPasswords & { readonly start: () => Subscription } => {
  const { call } = deps;
  const passwords = new Collection({
    ...deps,
    fetch: call(listAppPasswords)(),
    items: "passwords",
    toProblem,
  });
  const { copied$, copy } = createCopying<true>(deps);
  return {
    view$: passwords.answer$,
    copied$,
    refresh: passwords.refresh,
    create: (name) =>
      pipe(
        passwords.request(toCreateProblem, call(postAppPassword)({ body: { name } }), ({ appPassword }) =>
          passwords.addFirst(appPassword),
        ),
        TE.map(({ password }) => password),
      ),
    revoke: (id) =>
      passwords.remove(
        id,
        toRevokeProblem,
        call(deleteAppPassword)({ params: { id } }),
        "App password revoked",
      ),
    copy: (password) => copy(password, true, "App password copied to clipboard"),
    start: passwords.start,
  };
};
