import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { orGone } from "../kernel/failure.ts";
import { createOwnedRequest } from "../kernel/ownedRequest.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { createState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
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

export interface AppPasswordsDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const toListProblem = problemOf({ page: "Failed to load your app passwords" });
const toCreateProblem = problemOf({ page: "Failed to make the app password" });
const toRevokeProblem = problemOf({ page: "Failed to revoke the app password" });

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createAppPasswords = ({
  call,
  clock,
  page,
  toast,
  user$,
}: AppPasswordsDeps): AppPasswords & { readonly start: () => Subscription } => {
  const view$ = createState<AppPasswordsView | null>(null);
  const { copied$, copy } = createCopying<true>({ clock, page, toast });
  const owner = createOwner();
  const request = createOwnedRequest(owner);
  const change = (project: (passwords: readonly AppPassword[]) => readonly AppPassword[]): void =>
    view$.update((view) => view && { ...view, passwords: project(view.passwords) });

  return {
    view$,
    copied$,
    refresh: () =>
      pipe(
        request(toListProblem, call(listAppPasswords)(), view$.set),
        TE.map(() => undefined),
      ),
    create: (name) =>
      pipe(
        request(toCreateProblem, call(postAppPassword)({ body: { name } }), ({ appPassword }) =>
          change((passwords) => [appPassword, ...passwords]),
        ),
        TE.map(({ password }) => password),
      ),
    revoke: (id) =>
      request(toRevokeProblem, orGone(call(deleteAppPassword)({ params: { id } })), () => {
        change((passwords) => passwords.filter((password) => password.id !== id));
        toast("success", "App password revoked");
      }),
    copy: (password) => copy(password, true, "App password copied to clipboard"),
    start: () => followUser(owner, user$, () => view$.set(null)),
  };
};
