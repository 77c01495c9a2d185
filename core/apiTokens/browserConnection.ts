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
/** The page gives a token, to who has asked with this code. */
export const HandoverAnswer = message("give", { token: t.string });
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
  | { readonly kind: "creating" | "given"; readonly code: string }
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly problem: string };

/** Hands a new token to the extension of the browser that shows the page: to one, once, after the user has agreed. */
export interface BrowserConnection {
  readonly state$: State<BrowserConnectionState>;
  /** The user agrees. */
  readonly agree: () => void;
  /** Takes what a script of the page's own origin has sent; ignores what is no message of a handover. */
  readonly receive: (sent: unknown) => void;
}

interface BrowserConnectionDeps {
  readonly create: ApiTokens["create"];
  /** The name of the token: that of the browser and the device. */
  readonly name: string;
  /** Sends a message to the scripts of the page's own origin. */
  readonly send: (message: HandoverMessage) => void;
}

export const createBrowserConnection = ({ create, name, send }: BrowserConnectionDeps): BrowserConnection => {
  const state$ = createState<BrowserConnectionState>({ kind: "offered" });
  const give = (code: string): void => {
    state$.set({ kind: "creating", code });
    pipe(
      create({ name, scopes: browserScopes, domain: null, lifetimeDays: null }),
      tapResult(
        E.match(
          (problem) => state$.set({ kind: "failed", problem: problem.message }),
          ({ token }) => {
            state$.set({ kind: "given", code });
            send({ bauta: "connect", step: "give", code, token });
          },
        ),
      ),
      startTask,
    );
  };
  return {
    state$,
    agree: () => state$.set({ kind: "waiting" }),
    receive: (sent) => {
      const { value: state } = state$;
      if (state.kind === "waiting" && HandoverQuestion.is(sent)) give(sent.code);
      if (state.kind === "given" && HandoverResult.is(sent) && sent.code === state.code)
        state$.set(sent.problem === null ? { kind: "connected" } : { kind: "failed", problem: sent.problem });
    },
  };
};
