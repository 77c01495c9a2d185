import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { debounceTime, defer, distinctUntilChanged, filter, map, merge, Subscription, switchMap } from "rxjs";
import { leftOutText } from "../../api/wireCodecs.ts";
import { type Failure, isUserNotified } from "../../kernel/failure.ts";
import { combineState, createState, type State } from "../../kernel/state.ts";
import { startTask } from "../../kernel/task.ts";
import type { Mask, MaskId } from "../../masks/mask.ts";
import type { MaskStatistics } from "../../masks/maskStatistics.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LoadPatterns } from "../../ports/patterns.ts";
import type { Random } from "../../ports/random.ts";
import type { VersionedRules } from "../../sync/pendingRecord.ts";
import { saveFailureReason } from "../../sync/saveFailure.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { type AccountPlace, accountListId, allMasks, placeOfList } from "../model/rulePlace.ts";
import { createRuleEditing, type RuleEditing } from "./editRules.ts";
import { createSaveList, isNetworkError, type SaveRulesDeps } from "./saveRules.ts";
import { countUnreadable, type MaskChoice, type RuleSource, toMaskChoice } from "./serverRules.ts";

/** The state of the user's masks, as far as rules need it. */
export interface MasksState {
  /** `stale` means that the masks come from the cache; `warning` says so. */
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly warning: string | null;
  readonly all: readonly Mask[];
}

/** A rule of the selected mask, with its statistics. */
export interface ShownRule {
  readonly rule: Rule;
  /** The rule differs from the server's version, so that only this device has it (RU3). */
  readonly isLocal: boolean;
  /** How often the rule was applied; null while unknown. */
  readonly applied: number | null;
  /** When it was applied last, in ISO 8601. */
  readonly lastApplied: string | null;
}

/** A list of rules as the tab shows it. */
export interface ShownList {
  /** The id of its mask, or of a list for all masks. */
  readonly id: string;
  readonly rules: readonly ShownRule[];
}

export interface RulesView {
  readonly status: MasksState["status"];
  /** Why the rules may be outdated or missing. */
  readonly warning: string | null;
  readonly masks: readonly MaskChoice[];
  /** The selected mask; the first one until the user selects another, "all" for all masks, null without masks. */
  readonly maskId: MaskId | null;
  /** The list of the selected mask, or those for all masks. */
  readonly lists: readonly ShownList[];
  /** The rules of these lists. */
  readonly rules: readonly ShownRule[];
  /** The rules for all masks, whatever is selected. */
  readonly allMasks: AllMasksView;
  /** Says how many rules of the mask could not be shown; empty for none. */
  readonly leftOut: string;
  /** Why the statistics of the rules are missing; null when they are there or being loaded. */
  readonly detailsProblem: string | null;
}

/** The rules for all masks. */
export interface AllMasksView extends Readonly<Record<AccountPlace, readonly Rule[]>> {
  readonly status: MasksState["status"];
}

/** The rules of the user's masks (RU1–RU10). */
export interface MaskRules extends RuleEditing {
  readonly view$: State<RulesView>;
  /** Selects a mask, or all masks by "all" or by the id of one of their lists. */
  readonly select: (maskId: MaskId) => void;
  /** Returns the rules of a list, with the changes that the server does not have yet. */
  readonly rulesOf: (listId: string) => readonly Rule[];
  /** Marks the rules tab as open until the returned function is called. */
  readonly open: () => () => void;
  readonly isOpen$: State<boolean>;
}

/** Rule changes that the server does not have yet. */
interface PendingChanges {
  /** Emits a new value whenever any pending change is different. */
  readonly all$: State<unknown>;
  readonly applyTo: (maskId: MaskId, rulesFromServer: VersionedRules) => readonly Rule[];
  readonly localIds: (maskId: MaskId) => ReadonlySet<RuleId>;
}

export interface MaskRulesDeps extends Pick<SaveRulesDeps, "save" | "toast" | "owner"> {
  readonly masks$: State<MasksState>;
  /** The rules for all masks, one item for each list. */
  readonly account$: State<{ readonly status: MasksState["status"]; readonly all: readonly RuleSource[] }>;
  /** How often the rules for all masks were applied; null when that cannot be fetched. */
  readonly accountCounts: T.Task<RuleCounters | null>;
  /** The rules of a list as the server has them. */
  readonly rulesFromServer: (maskId: MaskId) => VersionedRules;
  readonly pending: PendingChanges;
  /** Fetches the masks with their rules from the server. */
  readonly reload: TE.TaskEither<Failure, void>;
  /** The statistics of a mask; null when they cannot be fetched. */
  readonly statistics: (maskId: MaskId) => T.Task<MaskStatistics | null>;
  readonly clock: Clock;
  readonly random: Random;
  readonly patterns: LoadPatterns;
}

/** Rules older than this are fetched again when they are viewed (RU10). */
const staleAfterMs = 300_000;
const viewDebounceMs = 300;

/** How often each rule was applied, by its id. */
type RuleCounters = Readonly<
  Record<string, { readonly appliedCount: number; readonly lastApplied?: string | undefined }>
>;

/** The messages of RU9. */
const loadFailedMessage = "Could not load rules";
const detailsFailedMessage = "Could not load rule details";
const dataFailedMessage = (reason: string): string => `Failed to load rule data: ${reason}`;

export const createMaskRules = (deps: MaskRulesDeps): MaskRules & { readonly start: () => Subscription } => {
  const { masks$, account$, pending, clock, rulesFromServer } = deps;
  const selectedId$ = createState<MaskId | null>(null);
  const isOpen$ = createState(false);
  const counters$ = createState<RuleCounters | "failed" | null>(null);
  let fetchedAt = Number.NEGATIVE_INFINITY;

  const shown = (id: MaskId): readonly Rule[] => pending.applyTo(id, rulesFromServer(id));
  const countRules = (mask: Mask): number =>
    pending.localIds(mask.id).size > 0 ? shown(mask.id).length : (mask.settings?.rules?.length ?? 0);

  const toShownRule =
    (local: ReadonlySet<RuleId>, counters: RuleCounters | null) =>
    (rule: Rule): ShownRule => ({
      rule,
      isLocal: local.has(rule.id),
      applied: counters && (counters[rule.id]?.appliedCount ?? 0),
      lastApplied: counters?.[rule.id]?.lastApplied ?? null,
    });

  const view$ = combineState(
    [masks$, account$, selectedId$, counters$, pending.all$],
    (masks, account, selectedId, fetched): RulesView => {
      const counters = fetched === "failed" ? null : fetched;
      const { status, warning, all } = masks;
      const isAll = selectedId === allMasks && all.length > 0;
      const selected = isAll ? account.all : [all.find(({ id }) => id === selectedId) ?? all[0] ?? []].flat();
      const lists = selected.map(
        ({ id }): ShownList => ({
          id,
          rules: shown(id).map(toShownRule(pending.localIds(id), counters)),
        }),
      );
      return {
        status,
        warning: status === "failed" ? loadFailedMessage : warning,
        masks: all.map((mask) => toMaskChoice(mask, countRules(mask))),
        leftOut: leftOutText(
          selected.reduce((sum, source) => sum + countUnreadable(source), 0),
          "rule",
        ),
        maskId: isAll ? allMasks : (selected[0]?.id ?? null),
        lists,
        rules: lists.flatMap(({ rules }) => rules),
        allMasks: {
          status: account.status,
          before: shown(accountListId("before")),
          after: shown(accountListId("after")),
        },
        detailsProblem: fetched === "failed" ? detailsFailedMessage : null,
      };
    },
  );
  const maskId$ = view$.pipe(
    map(({ maskId }) => maskId),
    distinctUntilChanged(),
  );
  const viewed$ = merge(isOpen$, maskId$).pipe(filter(() => isOpen$.value));

  const fetchCounters = (maskId: MaskId | null): T.Task<RuleCounters | "failed" | null> =>
    maskId === null
      ? T.of(null)
      : pipe(
          maskId === allMasks
            ? deps.accountCounts
            : pipe(
                deps.statistics(maskId),
                T.map((found) => found && (found.rules ?? {})),
              ),
          T.map((found) => found ?? ("failed" as const)),
        );

  const showReloadFailure = (failure: Failure): void => {
    if (isUserNotified(failure)) return;
    const message = dataFailedMessage(saveFailureReason(failure));
    deps.toast(isNetworkError(message) ? "warning" : "error", message);
  };
  const reload = pipe(
    deps.reload,
    TE.tapIO(() => () => {
      fetchedAt = clock.now();
    }),
    TE.orElseFirstIOK((failure) => () => showReloadFailure(failure)),
  );

  /** A new mail of the mask, or of any one, means that the statistics of its rules may have changed. */
  const lastMail$ = masks$.pipe(
    map(({ all }) =>
      all
        .filter(({ id }) => [allMasks, id].includes(view$.value.maskId ?? ""))
        .reduce(
          (last, { statistics }) =>
            (statistics?.lastUsed ?? "") > last ? (statistics?.lastUsed ?? "") : last,
          "",
        ),
    ),
    distinctUntilChanged(),
  );

  const editing = createRuleEditing({
    ...deps,
    shown,
    saveList: createSaveList({ ...deps, shown }),
  });
  return {
    ...editing,
    view$,
    isOpen$,
    rulesOf: shown,
    select: (id) => selectedId$.set(placeOfList(id) === null ? id : allMasks),
    open: () => {
      isOpen$.set(true);
      return () => isOpen$.set(false);
    },
    start: () => {
      const running = new Subscription();
      running.add(
        masks$
          .pipe(
            filter(({ status }) => status === "ready"),
            map(({ all }) => all),
            distinctUntilChanged(),
          )
          .subscribe(() => {
            fetchedAt = clock.now();
          }),
      );
      running.add(
        viewed$
          .pipe(
            debounceTime(viewDebounceMs, clock.scheduler),
            filter(() => clock.now() - fetchedAt > staleAfterMs),
          )
          .subscribe(() => startTask(reload)),
      );
      running.add(
        merge(viewed$, lastMail$)
          .pipe(
            filter(() => isOpen$.value),
            debounceTime(viewDebounceMs, clock.scheduler),
            switchMap(() => defer(fetchCounters(view$.value.maskId))),
          )
          .subscribe(counters$.set),
      );
      running.add(maskId$.subscribe(() => counters$.set(null)));
      return running;
    },
  };
};
