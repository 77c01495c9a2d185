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
  type ApiToken,
  deleteApiToken,
  listApiTokens,
  type NewApiToken,
  patchApiToken,
  postApiToken,
} from "./apiTokenEndpoints.ts";

/** A token that was just made, with its text, which cannot be read again. */
export interface MadeApiToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}

/** The keys of programs that use the API in the user's place. */
export interface ApiTokens {
  /** Newest first; null until they are loaded. */
  readonly view$: State<readonly ApiToken[] | null>;
  /** The text that was copied a moment ago. */
  readonly copied$: State<string | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly create: (token: NewApiToken) => TE.TaskEither<Problem, MadeApiToken>;
  readonly rename: (id: string, name: string) => TE.TaskEither<Problem, void>;
  /** Revokes a token; succeeds when it is revoked already. */
  readonly revoke: (id: string) => TE.TaskEither<Problem, void>;
  /** Copies a new token, or what is entered beside it, with a toast. */
  readonly copy: (text: string) => TE.TaskEither<Problem, void>;
}

export interface ApiTokensDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const toListProblem = problemOf({ page: "Failed to load your API tokens" });
const toCreateProblem = problemOf({ page: "Failed to make the API token" });
const toRenameProblem = problemOf({ page: "Failed to rename the API token" });
const toRevokeProblem = problemOf({ page: "Failed to revoke the API token" });

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createApiTokens = (deps: ApiTokensDeps): ApiTokens & { readonly start: () => Subscription } => {
  const { call, toast, user$ } = deps;
  const view$ = createState<readonly ApiToken[] | null>(null);
  const { copied$, copy } = createCopying<string>(deps);
  const owner = createOwner();
  const request = createOwnedRequest(owner);
  const change = (project: (tokens: readonly ApiToken[]) => readonly ApiToken[]): void =>
    view$.update((tokens) => tokens && project(tokens));

  return {
    view$,
    copied$,
    refresh: () =>
      pipe(
        request(toListProblem, call(listApiTokens)(), ({ tokens }) => view$.set(tokens)),
        TE.map(() => undefined),
      ),
    create: (token) =>
      request(toCreateProblem, call(postApiToken)({ body: token }), ({ apiToken }) =>
        change((tokens) => [apiToken, ...tokens]),
      ),
    rename: (id, name) =>
      pipe(
        request(toRenameProblem, call(patchApiToken)({ params: { id }, body: { name } }), (renamed) =>
          change((tokens) => tokens.map((one) => (one.id === id ? renamed : one))),
        ),
        TE.map(() => undefined),
      ),
    revoke: (id) =>
      request(toRevokeProblem, orGone(call(deleteApiToken)({ params: { id } })), () => {
        change((tokens) => tokens.filter((one) => one.id !== id));
        toast("success", "API token revoked");
      }),
    copy: (text) => copy(text, text, "Copied to clipboard"),
    start: () => followUser(owner, user$, () => view$.set(null)),
  };
};
