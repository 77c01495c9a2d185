import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import type { ApiScope } from "../api/apiScope.ts";
import { createState, type State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import type { ApiTokens } from "./apiTokens.ts";

/** What the extension may do with the token that it gets. */
export const browserScopes: readonly ApiScope[] = [
  "masks:create",
  "masks:read",
  "masks:write",
  "log:read",
  "codes:read",
];

/** The one-time code of a handover: 16 bytes in hexadecimal, made by the extension. */
const Code = t.refinement(t.string, (code) => /^[\da-f]{32}$/.test(code));

const message = <Step extends string, More extends t.Props>(step: Step, more: More) =>
  t.type({ bauta: t.literal("connect"), step: t.literal(step), code: Code, ...more });

/** The extension asks the page for a token; it repeats this until it has one. */
export const HandoverQuestion = message("ask", {});
/** The page gives a token, to who has asked with this code, and the path of its server; empty where that has a host to itself. */
export const HandoverAnswer = message("give", { token: t.string, path: t.string });
/** The extension has stored the token, or says why not. */
export const HandoverResult = message("done", { problem: t.union([t.string, t.null]) });

export type HandoverMessage =
  | t.TypeOf<typeof HandoverQuestion>
  | t.TypeOf<typeof HandoverAnswer>
  | t.TypeOf<typeof HandoverResult>;

/** The state of the connection of a browser. */
export type BrowserConnectionState =
  /** The user has not agreed yet: whoever asks gets nothing. */
  | { readonly kind: "offered" }
  /** The user has agreed, and the extension has not asked yet. */
  | { readonly kind: "waiting" }
  /** The extension with this code gets the token. */
  | { readonly kind: "creating"; readonly code: string }
  | { readonly kind: "given"; readonly code: string; readonly tokenId: string }
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly problem: string };

/** The time in which the extension has to say what became of a token, in milliseconds; it checks it at the server first. */
export const resultWithinMs = 30_000;

const noResult = "The extension did not answer. Reload this page and try again.";

/** Hands a new token to the extension of the browser that shows the page: to one, once, after the user has agreed. */
export interface BrowserConnection {
  readonly state$: State<BrowserConnectionState>;
  /** The user agrees. */
  readonly agree: () => void;
  /** Takes what a script of the page's own origin has sent; ignores what is no message of a handover. */
  readonly receive: (sent: unknown) => void;
  /** Gives up a token of which the extension has said nothing. */
  readonly giveUp: () => void;
}

interface BrowserConnectionDeps {
  readonly create: ApiTokens["create"];
  /** Revokes the token that nobody has taken. */
  readonly revoke: ApiTokens["revoke"];
  /** The name of the token: that of the browser and the device. */
  readonly name: string;
  /** The path of the server at the page's own origin. */
  readonly path: string;
  /** Sends a message to the scripts of the page's own origin. */
  readonly send: (message: HandoverMessage) => void;
}

export const createBrowserConnection = ({
  create,
  revoke,
  name,
  path,
  send,
}: BrowserConnectionDeps): BrowserConnection => {
  const state$ = createState<BrowserConnectionState>({ kind: "offered" });
  const fail = (tokenId: string, problem: string): void => {
    state$.set({ kind: "failed", problem });
    // A token that no program has would be valid without end.
    startTask(revoke(tokenId));
  };
  const give = (code: string): void => {
    state$.set({ kind: "creating", code });
    pipe(
      create({ name, scopes: browserScopes, domain: null, lifetimeDays: null }),
      tapResult(
        E.match(
          (problem) => state$.set({ kind: "failed", problem: problem.message }),
          ({ token, apiToken }) => {
            state$.set({ kind: "given", code, tokenId: apiToken.id });
            send({ bauta: "connect", step: "give", code, token, path });
          },
        ),
      ),
      startTask,
    );
  };
  return {
    state$,
    giveUp: () => {
      if (state$.value.kind === "given") fail(state$.value.tokenId, noResult);
    },
    agree: () => state$.set({ kind: "waiting" }),
    receive: (sent) => {
      const { value: state } = state$;
      if (state.kind === "waiting" && HandoverQuestion.is(sent)) give(sent.code);
      if (state.kind !== "given" || !HandoverResult.is(sent) || sent.code !== state.code) return;
      if (sent.problem === null) state$.set({ kind: "connected" });
      else fail(state.tokenId, sent.problem);
    },
  };
};
