import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, type Observable, type Subscription, timer } from "rxjs";
import type { Call } from "../api/call.ts";
import { type ClientConfiguration, sellsPlans } from "../api/configuration.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { Domain } from "../domains/domain.ts";
import { listDomains, patchDomain } from "../domains/domainEndpoints.ts";
import { type Failure, fieldErrors, isRefused, isUnanswered } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import { type Mask, placeFields } from "../masks/mask.ts";
import { postMask } from "../masks/maskEndpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { Account } from "../session/user.ts";
import { labelOf, mayChoosePrefix, type Tier } from "../tiers/tier.ts";
import {
  type CatchAllChange,
  domainsOfImport,
  type ImportDomain,
  type KeptAddress,
} from "./importDomains.ts";
import { sendPart } from "./importParts.ts";
import { type ImportCapacity, type PreviewRow, previewImport, type RowState } from "./importPreview.ts";
import type { ImportedMask } from "./importSources.ts";
import {
  ended,
  type ImportState,
  nextRowIn,
  running,
  withCatchAll,
  withRowState,
  withWaiting,
  withWaitingFailed,
} from "./importState.ts";
import { type ImportFile, readImport } from "./readImport.ts";

/** Imports masks from the export of another service or of this product: reads, previews and creates them. */
export interface Imports {
  readonly state$: State<ImportState>;
  /** Reads a file's text and shows the preview, with what addresses can be kept. */
  readonly read: (text: string) => T.Task<void>;
  /** Chooses in the preview whether a domain takes mail for addresses without a mask once the masks are imported. */
  readonly chooseCatchAll: (domain: string, isOn: boolean) => void;
  /** Creates the masks of the waiting rows, one after the other; it waits where the server takes only so many a minute. */
  readonly run: () => T.Task<void>;
  /** Stops after the current mask; `run` can continue with the waiting rows. */
  readonly stop: () => void;
  /** Discards the file; does nothing while the import runs. */
  readonly close: () => void;
}

export interface ImportDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly configuration: Pick<ClientConfiguration, "defaultTier" | "flags">;
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

const catchAllProblem = problemOf({ page: "Failed to save the domain" });
const importProblem = problemOf({ page: "Failed to create email mask" });
const domainsUnknown =
  "Your domains could not be loaded, and they decide which addresses can be kept. Choose the file again in a moment.";

const takesAll: CatchAllChange = { catchAll: "all", patterns: [], approveFirst: false };

/** A minute of the server's limit at most, in parts, so that the import can be stopped meanwhile. */
const waitMs = 10_000;
const maxWaits = 12;

/**
 * True if the remaining rows would fail too: the plan's limit is reached or the session is over. An address that may not be named
 * concerns its row alone.
 */
const stopsImport = (failure: Failure): boolean =>
  isRefused(failure, 401) ||
  (isRefused(failure, 403) && !fieldErrors(failure).some(({ field }) => field === "forwardTo"));

const limitText = (tier: Tier | undefined, limit: number | null, sells: boolean): string => {
  if (!sells) return `This server allows ${limit} masks an account. Delete some to import more.`;
  const plan = tier ? `The ${labelOf[tier]} plan` : "Your plan";
  return `${plan} has ${limit} masks. Delete some, or upgrade your plan to import more.`;
};

const capacityFor = (account: Account | null, masks: readonly Mask[], sells: boolean): ImportCapacity => {
  const limit = account?.limits?.maxMasks ?? null;
  return {
    addresses: new Set(masks.map(({ maskEmail }) => maskEmail.toLowerCase())),
    remaining: limit === null ? null : Math.max(0, limit - (account?.usage?.masks.total ?? masks.length)),
    limitMessage: limitText(account?.subscription.tier, limit, sells),
  };
};

const madeOf = ({ maskEmail, destinationStatus }: Mask): RowState => ({
  kind: "made",
  maskEmail,
  awaitsConfirmation: destinationStatus === "awaiting-confirmation",
});

/** Creates the mask of a row, with what the plan allows of it. */
const createMask =
  (call: Call, tier: Tier | undefined) =>
  (
    { description, forwardTo, isActive, own }: ImportedMask,
    kept: KeptAddress | undefined,
  ): TE.TaskEither<Failure, Mask> => {
    const { settings, ...fields } = placeFields(own?.fields ?? {});
    const rules = own?.rules ?? [];
    const hasSettings = rules.length > 0 || Object.keys(settings).length > 0;
    return call(postMask)({
      unattended: true,
      body: {
        ...fields,
        description,
        active: isActive,
        ...(forwardTo === null ? {} : { forwardTo }),
        ...kept,
        ...(!kept &&
          own?.customPrefix &&
          tier &&
          mayChoosePrefix(tier) && { customPrefix: own.customPrefix }),
        ...(own?.destinations && { destinations: own.destinations }),
        ...(own?.expiry && { expiry: own.expiry }),
        ...(own?.senders && { senders: own.senders }),
        ...(hasSettings ? { settings: { ...settings, ...(rules.length > 0 && { rules: [...rules] }) } } : {}),
      },
    });
  };

/** Creates what a row says: a part of the account, or a mask; null for a row that says nothing. */
const takeRow = (call: Call, account: Account | null, { mask, part, kept }: Partial<PreviewRow>) => {
  if (part)
    return pipe(
      sendPart(call, part, account?.settings?.forwardTo !== undefined),
      TE.map((note): RowState => ({ kind: "taken", note })),
    );
  return mask ? pipe(createMask(call, account?.subscription.tier)(mask, kept), TE.map(madeOf)) : null;
};

/** True if the server takes more requests in a while; a refusal about a field is one of a day. */
const isPaced = (failure: Failure): boolean => isRefused(failure, 429) && fieldErrors(failure).length === 0;

/** Returns the preview of a file, with what addresses of it can be kept at the user's own domains. */
const preview = (
  { account, masks, configuration, clock }: ImportDeps,
  { parts, rows, domains: exported, ...file }: ImportFile,
  own: readonly Domain[],
): ImportState => {
  const user = account.account$.value;
  const capacity = capacityFor(user, masks.view$.value.all, sellsPlans(configuration));
  const domains = domainsOfImport(rows, exported, own, clock.now());
  return {
    ...file,
    kind: "preview",
    domains,
    rows: previewImport({ rows, parts }, domains, capacity, user),
  };
};

/** Returns the change of the state when the server does not make a row. */
const withFailure =
  (index: number, failure: Failure) =>
  (state: ImportState): ImportState => {
    const { message, fields } = importProblem(failure);
    const reason = message || fields[0]?.message || "Failed to create email mask";
    const isPart = "rows" in state && state.rows[index]?.isPart === true;
    // After no answer, reading the lists again would fail too, and say so a second time.
    if (isUnanswered(failure)) return ended("stopped", reason)(state);
    if (stopsImport(failure) && !isPart) return withWaitingFailed(reason)(state);
    return withRowState(index, { kind: "failed", reason })(state);
  };

/** Changes the catch-all of the chosen domains: after the masks, so that no mail makes one of them meanwhile. */
const changeCatchAll = (
  call: Call,
  domains: readonly ImportDomain[],
  end: (problem?: string) => void,
): T.Task<void> => {
  const [domain, ...others] = domains.filter(({ proven, catchAll }) => proven && catchAll);
  if (!domain?.proven || !domain.catchAll) return T.fromIO(() => end());
  return pipe(
    call(patchDomain)({ params: { id: domain.proven.id }, body: domain.catchAll }),
    TE.matchE(
      (failure) =>
        T.fromIO(() => {
          const { message, fields } = catchAllProblem(failure);
          end(`The catch-all of ${domain.name} was not changed: ${message || fields[0]?.message}`);
        }),
      () => changeCatchAll(call, others, end),
    ),
  );
};

/** Creates the import; it is discarded when the user signs out. */
export const createImports = (deps: ImportDeps): Imports & { readonly start: () => Subscription } => {
  const state$ = createState<ImportState>({ kind: "none" });
  let isStopping = false;

  const end = (kind: "stopped" | "done", reason?: string): void => {
    state$.update(ended(kind, reason));
    startTask(deps.masks.refresh());
    startTask(deps.account.refresh());
  };
  const importRows = (waits = 0): T.Task<void> =>
    deferTask(() => {
      const now = state$.value;
      if (now.kind !== "running") return T.of(undefined);
      const index = nextRowIn(now);
      const taken = takeRow(deps.call, deps.account.account$.value, now.rows[index] ?? {});
      if (taken === null) return changeCatchAll(deps.call, now.domains, (problem) => end("done", problem));
      if (isStopping) return T.fromIO(() => end("stopped"));
      return pipe(
        taken,
        T.chain((result) => {
          const isWaiting = E.isLeft(result) && isPaced(result.left) && waits < maxWaits;
          if (now.isWaiting !== isWaiting) state$.update(withWaiting(isWaiting));
          if (isWaiting)
            return pipe(
              () => firstValueFrom(timer(waitMs, deps.clock.scheduler)),
              T.chain(() => importRows(waits + 1)),
            );
          state$.update(
            E.isLeft(result) ? withFailure(index, result.left) : withRowState(index, result.right),
          );
          return importRows();
        }),
      );
    });

  return {
    state$,
    read: (text) =>
      deferTask(() => {
        if (state$.value.kind === "running") return T.of(undefined);
        const file = readImport(text);
        if (E.isLeft(file)) return T.fromIO(() => state$.set({ kind: "unreadable", message: file.left }));
        return pipe(
          deps.call(listDomains)({ silent: true }),
          T.chainIOK((list) => () => {
            if (state$.value.kind === "running") return;
            state$.set(
              E.isLeft(list)
                ? { kind: "unreadable", message: domainsUnknown }
                : preview(deps, file.right, list.right.domains),
            );
          }),
        );
      }),
    chooseCatchAll: (domain, isOn) => {
      if (state$.value.kind === "preview") state$.update(withCatchAll(domain, isOn ? takesAll : null));
    },
    run: () =>
      deferTask(() => {
        const now = state$.value;
        if (now.kind !== "preview" && now.kind !== "stopped") return T.of(undefined);
        isStopping = false;
        state$.set(running(now));
        return importRows();
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
