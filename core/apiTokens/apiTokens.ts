import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import type { State } from "../kernel/state.ts";
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
  readonly refresh: () => TaskEither<Problem, void>;
  readonly create: (token: NewApiToken) => TaskEither<Problem, MadeApiToken>;
  readonly rename: (id: string, name: string) => TaskEither<Problem, void>;
  /** Revokes a token; succeeds when it is revoked already. */
  readonly revoke: (id: string) => TaskEither<Problem, void>;
  /** Copies a new token, or what is entered beside it, with a toast. */
  readonly copy: (text: string) => TaskEither<Problem, void>;
}

export interface ApiTokensDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
}

const toProblem = problemOf({ page: "Failed to load your API tokens" });
const toCreateProblem = problemOf({ page: "Failed to create the API token" });
const toRenameProblem = problemOf({ page: "Failed to rename the API token" });
const toRevokeProblem = problemOf({ page: "Failed to revoke the API token" });

export const createApiTokens = (deps: ApiTokensDeps): ApiTokens & { readonly start: () => Subscription } => {
  const { call } = deps;
  const tokens = new Collection({ ...deps, fetch: call(listApiTokens)(), items: "tokens", toProblem });
  const { copied$, copy } = createCopying<string>(deps);
  return {
    view$: tokens.list$,
    copied$,
    refresh: tokens.refresh,
    create: (token) =>
      tokens.request(toCreateProblem, call(postApiToken)({ body: token }), ({ apiToken }) =>
        tokens.addFirst(apiToken),
      ),
    rename: (id, name) =>
      tokens.edit(toRenameProblem, call(patchApiToken)({ params: { id }, body: { name } })),
    revoke: (id) =>
      tokens.remove(id, toRevokeProblem, call(deleteApiToken)({ params: { id } }), "API token revoked"),
    copy: (text) => copy(text, text, "Copied to clipboard"),
    start: tokens.start,
  };
};
