import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, isRefused, isUnanswered } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult, startTask } from "../kernel/task.ts";
import { type Mask, placeFields } from "../masks/mask.ts";
import { postMask } from "../masks/maskEndpoints.ts";
import type { Account } from "../session/user.ts";
import { labelOf, mayChoosePrefix } from "../tiers/tier.ts";
import { sendPart } from "./importParts.ts";
import { type ImportCapacity, type PreviewRow, previewImport, type RowState } from "./importPreview.ts";
import { type ImportedMask, ownSource } from "./importSources.ts";
import { readImport } from "./readImport.ts";

/** The state of an import. */
export type ImportState =
  | { readonly kind: "none" }
  /** The file is not a readable list of masks. */
  | { readonly kind: "unreadable"; readonly message: string }
  | {
      /** "stopped": by the user or by a lost connection. */
      readonly kind: "preview" | "running" | "stopped" | "done";
      readonly source: string;
      readonly rows: readonly PreviewRow[];
      /** What `at` of a row counts. */
      readonly unit: "Line" | "Entry";
      /** What no row takes over, in words. */
      readonly leftOut: readonly string[];
      /** Why it has stopped, unless the user stopped it. */
      readonly reason?: string;
    };

/** Imports masks from the export of another service or of this product: reads, previews and creates them. */
export interface Imports {
  readonly state$: State<ImportState>;
  /** Reads a file's text and shows the preview. */
  readonly read: (text: string) => void;
  /** Creates the masks of the waiting rows, one after the other. */
  readonly run: () => T.Task<void>;
  /** Stops after the current mask; `run` can continue with the waiting rows. */
  readonly stop: () => void;
  /** Discards the file; does nothing while the import runs. */
  readonly close: () => void;
}

export interface ImportDeps {
  readonly call: Call;
  readonly masks: {
    readonly view$: State<{ readonly all: readonly Mask[] }>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
  readonly user$: Observable<{ readonly email: string } | null>;
}

const importProblem = problemOf({ page: "Failed to create email mask" });

/** Whether the remaining rows would fail too: the plan's limit is reached or the session is over. */
const stopsImport = (failure: Failure): boolean => isRefused(failure, 401, 403);

const capacityFor = (account: Account | null, masks: readonly Mask[]): ImportCapacity => {
  const limit = account?.limits?.maxMasks ?? null;
  const plan = account ? `The ${labelOf[account.subscription.tier]} plan` : "Your plan";
  return {
    addresses: new Set(masks.map(({ maskEmail }) => maskEmail.toLowerCase())),
    remaining: limit === null ? null : Math.max(0, limit - (account?.usage?.masks.total ?? masks.length)),
    limitMessage: `${plan} has ${limit} masks. Delete some, or upgrade your plan to import more.`,
  };
};

const madeOf = ({ maskEmail, destinationStatus }: Mask): RowState => ({
  kind: "made",
  maskEmail,
  awaitsConfirmation: destinationStatus === "awaiting-confirmation",
});

/** The next row: what masks use comes first; our own files have the newest mask first, which is to be the newest again. */
const nextIn = ({ rows, source }: Extract<ImportState, { readonly rows: unknown }>): number => {
  const isWaiting = ({ state }: PreviewRow): boolean => state.kind === "waiting";
  const part = rows.findIndex((row) => row.isPart && isWaiting(row));
  if (part >= 0) return part;
  return source === ownSource.name ? rows.findLastIndex(isWaiting) : rows.findIndex(isWaiting);
};

/** Creates the import; it is discarded when the user signs out. */
export const createImports = (deps: ImportDeps): Imports & { readonly start: () => Subscription } => {
  const state$ = createState<ImportState>({ kind: "none" });
  let isStopping = false;

  const createMask = (imported: ImportedMask): TE.TaskEither<Failure, Mask> => {
    const tier = deps.account.account$.value?.subscription.tier;
    const { description, forwardTo, isActive, own } = imported;
    const { settings, ...fields } = placeFields(own?.fields ?? {});
    const rules = own?.rules ?? [];
    const hasSettings = rules.length > 0 || Object.keys(settings).length > 0;
    return deps.call(postMask)({
      silent: true,
      body: {
        ...fields,
        description,
        active: isActive,
        ...(forwardTo === null ? {} : { forwardTo }),
        ...(own?.customPrefix && tier && mayChoosePrefix(tier) && { customPrefix: own.customPrefix }),
        ...(own?.destinations && { destinations: own.destinations }),
        ...(own?.expiry && { expiry: own.expiry }),
        ...(own?.senders && { senders: own.senders }),
        ...(hasSettings ? { settings: { ...settings, ...(rules.length > 0 && { rules: [...rules] }) } } : {}),
      },
    });
  };
  const setRowState = (index: number, state: RowState): void =>
    state$.update((now) =>
      "rows" in now
        ? { ...now, rows: now.rows.map((row, at) => (at === index ? { ...row, state } : row)) }
        : now,
    );
  /** Stops without an answer: reading the lists again would fail too, and say so a second time. */
  const stopUnanswered = (reason: string): void =>
    state$.update((now) => ("rows" in now ? { ...now, kind: "stopped", reason } : now));
  const end = (kind: "stopped" | "done"): void => {
    state$.update((now) => ("rows" in now ? { ...now, kind } : now));
    startTask(deps.masks.refresh());
    startTask(deps.account.refresh());
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
  const fail = (index: number, failure: Failure): void => {
    const { message, fields } = importProblem(failure);
    const reason = message || fields[0]?.message || "Failed to create email mask";
    const isPart = "rows" in state$.value && state$.value.rows[index]?.isPart === true;
    if (isUnanswered(failure)) stopUnanswered(reason);
    else if (stopsImport(failure) && !isPart) failAll(reason);
    else setRowState(index, { kind: "failed", reason });
  };
  const importRows: T.Task<void> = deferTask(() => {
    const now = state$.value;
    if (now.kind !== "running") return T.of(undefined);
    const index = nextIn(now);
    const { mask, part } = now.rows[index] ?? {};
    if (!mask && !part) return T.fromIO(() => end("done"));
    if (isStopping) return T.fromIO(() => end("stopped"));
    const sent: TE.TaskEither<Failure, RowState> = part
      ? pipe(
          sendPart(deps.call, part, deps.account.account$.value?.settings?.forwardTo !== undefined),
          TE.map((note) => ({ kind: "taken", note })),
        )
      : pipe(createMask(mask as ImportedMask), TE.map(madeOf));
    return pipe(
      sent,
      mapResult(
        E.match(
          (failure) => fail(index, failure),
          (state) => setRowState(index, state),
        ),
      ),
      chainResult(() => importRows),
    );
  });

  return {
    state$,
    read: (text) => {
      if (state$.value.kind === "running") return;
      const account = deps.account.account$.value;
      const capacity = capacityFor(account, deps.masks.view$.value.all);
      state$.set(
        pipe(
          readImport(text),
          E.match(
            (message): ImportState => ({ kind: "unreadable", message }),
            ({ parts, rows, ...file }) => ({
              ...file,
              kind: "preview",
              rows: previewImport({ rows, parts }, capacity, account),
            }),
          ),
        ),
      );
    },
    run: () =>
      deferTask(() => {
        const now = state$.value;
        if (now.kind !== "preview" && now.kind !== "stopped") return T.of(undefined);
        isStopping = false;
        const { reason: _, ...waiting } = now;
        state$.set({ ...waiting, kind: "running" });
        return importRows;
      }),
    stop: () => {
      isStopping = true;
    },
    close: () => {
      if (state$.value.kind !== "running") state$.set({ kind: "none" });
    },
    start: () =>
      deps.user$.subscribe((user) => {
        if (user === null) state$.set({ kind: "none" });
      }),
  };
};
