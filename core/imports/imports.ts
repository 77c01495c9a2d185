import { isLeft } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import { type Failure, isRefused, isUnanswered } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Mask } from "../masks/mask.ts";
import { postMask } from "../masks/maskEndpoints.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { labelOf } from "../tiers/tier.ts";
import type { ImportedMask } from "./importedMask.ts";
import { type ImportRoom, type PlannedRow, planImport, type RowState } from "./importPlan.ts";
import { readImport } from "./readImport.ts";

/** Where an import stands. */
export type ImportState =
  | { readonly kind: "none" }
  /** The file cannot be read as a list of masks. */
  | { readonly kind: "unreadable"; readonly sentence: string }
  | {
      /** Shown before anything is done; under way; stopped by the user or a lost connection; over. */
      readonly kind: "preview" | "running" | "stopped" | "done";
      readonly source: string;
      readonly rows: readonly PlannedRow[];
    };

/** Masks from a list of another service, or of ours: read, shown, then made one by one. */
export interface Imports {
  readonly state$: State<ImportState>;
  /** Reads a file's text and shows what would be done with each row. */
  readonly read: (text: string) => void;
  /** Makes the masks of the rows that wait, one after the other. */
  readonly run: () => Task<void>;
  /** Makes no more after the one under way; what waits can be gone on with. */
  readonly stop: () => void;
  /** Forgets the list; not while it is being made. */
  readonly close: () => void;
}

export interface ImportNeeds {
  readonly call: Call;
  readonly masks: {
    readonly view$: State<{ readonly all: readonly Mask[] }>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
  /** Announces another user, or nobody. */
  readonly user$: Observable<{ readonly email: string } | null>;
}

const problem = problemOf({ here: "Failed to create email mask" });

/** The plan has no more room, or the session is over: the rest would fare the same. */
const isFinal = (failure: Failure): boolean => isRefused(failure, 401, 403);

const roomOf = (account: Account | null, masks: readonly Mask[]): ImportRoom => {
  const most = account?.limits?.maxMasks ?? null;
  const plan = account ? `The ${labelOf[account.subscription.tier]} plan` : "Your plan";
  return {
    addresses: new Set(masks.map(({ maskEmail }) => maskEmail.toLowerCase())),
    free: most === null ? null : Math.max(0, most - (account?.usage?.masks.total ?? masks.length)),
    fullSentence: `${plan} has ${most} masks. Delete some, or upgrade your plan to import more.`,
  };
};

export const makeImports = (needs: ImportNeeds): Imports & { readonly start: () => Subscription } => {
  const state$ = makeState<ImportState>({ kind: "none" });
  let isStopping = false;

  const make = ({ description, forwardTo, isActive }: ImportedMask): TE.TaskEither<Failure, Mask> =>
    needs.call(postMask)({
      body: { description, active: isActive, ...(forwardTo === null ? {} : { forwardTo }) },
    });
  const settle = (index: number, state: RowState): void =>
    state$.update((now) =>
      "rows" in now
        ? { ...now, rows: now.rows.map((row, at) => (at === index ? { ...row, state } : row)) }
        : now,
    );
  const end = (kind: "stopped" | "done"): void => {
    state$.update((now) => ("rows" in now ? { ...now, kind } : now));
    void needs.masks.refresh()();
    void needs.account.refresh()();
  };
  const failAll = (reason: string): void =>
    state$.update((now) =>
      "rows" in now
        ? {
            ...now,
            rows: now.rows.map((row) =>
              row.state.kind === "waiting" ? { ...row, state: { kind: "failed", reason } as const } : row,
            ),
          }
        : now,
    );
  const next = (): Promise<void> => {
    const now = state$.value;
    if (now.kind !== "running") return Promise.resolve();
    const index = now.rows.findIndex(({ state }) => state.kind === "waiting");
    const mask = now.rows[index]?.mask;
    if (!mask) return Promise.resolve(end("done"));
    if (isStopping) return Promise.resolve(end("stopped"));
    return make(mask)().then((outcome) => {
      if (isLeft(outcome)) {
        const failure = outcome.left;
        if (isUnanswered(failure)) return end("stopped");
        const { sentence, fields } = problem(failure);
        const reason = sentence || fields[0]?.message || "Failed to create email mask";
        if (isFinal(failure)) failAll(reason);
        else settle(index, { kind: "failed", reason });
      } else {
        const { maskEmail, destinationStatus } = outcome.right;
        settle(index, {
          kind: "made",
          maskEmail,
          awaitsConfirmation: destinationStatus === "awaiting-confirmation",
        });
      }
      return next();
    });
  };

  return {
    state$,
    read: (text) => {
      if (state$.value.kind === "running") return;
      const room = roomOf(needs.account.account$.value, needs.masks.view$.value.all);
      state$.set(
        pipe(
          readImport(text),
          (read): ImportState =>
            isLeft(read)
              ? { kind: "unreadable", sentence: read.left }
              : { kind: "preview", source: read.right.source, rows: planImport(read.right.rows, room) },
        ),
      );
    },
    run: () => () => {
      const now = state$.value;
      if (now.kind !== "preview" && now.kind !== "stopped") return Promise.resolve();
      isStopping = false;
      state$.set({ ...now, kind: "running" });
      return next();
    },
    stop: () => {
      isStopping = true;
    },
    close: () => {
      if (state$.value.kind !== "running") state$.set({ kind: "none" });
    },
    start: () =>
      needs.user$.subscribe((user) => {
        if (user === null) state$.set({ kind: "none" });
      }),
  };
};
