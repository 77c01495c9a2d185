import {
  debounceTime,
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  type Subscription,
  switchMap,
} from "rxjs";
import { combineState, createState, type State } from "../../kernel/state.ts";
import type { MaskId } from "../../masks/mask.ts";
import type { LoadPatterns } from "../../ports/patterns.ts";
import type { Random } from "../../ports/random.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { allMasks, everyRule, placeOfList } from "../model/rulePlace.ts";
import type { VersionedRules } from "../sync/pendingRecord.ts";
import { createRuleEditing, type RuleEditing } from "./editRules.ts";
import { createManyRules, type ManyRules } from "./manyRules.ts";
import { type RefreshRulesDeps, refreshViewedRules, viewDebounceMs } from "./refreshViewedRules.ts";
import { fetchRuleCounts, lastMailAt, type RuleCounts, type RuleCountsDeps } from "./ruleCounts.ts";
import { type AccountRulesState, type RulesView, toRulesView } from "./rulesView.ts";
import { createSaveList, type SaveRulesDeps } from "./saveRules.ts";

/** The rules of the user's masks (RU1–RU10). */
export interface MaskRules extends RuleEditing, ManyRules {
  readonly view$: State<RulesView>;
  /** Selects a mask, all masks by "all" or by the id of one of their lists, or every rule by "overview". */
  readonly select: (maskId: MaskId) => void;
  /** Selects the mask that was selected before every rule was, or the first one. */
  readonly leaveOverview: () => void;
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

export interface MaskRulesDeps
  extends Pick<SaveRulesDeps, "save" | "owner">,
    RuleCountsDeps,
    RefreshRulesDeps {
  readonly account$: State<AccountRulesState>;
  /** The rules of a list as the server has them. */
  readonly rulesFromServer: (maskId: MaskId) => VersionedRules;
  readonly pending: PendingChanges;
  readonly random: Random;
  readonly patterns: LoadPatterns;
}

export const createMaskRules = (deps: MaskRulesDeps): MaskRules & { readonly start: () => Subscription } => {
  const { masks$, account$, pending, clock, rulesFromServer } = deps;
  const selectedId$ = createState<MaskId | null>(null);
  let lastListId: MaskId | null = null;
  const isOpen$ = createState(false);
  const counts$ = createState<RuleCounts | "failed" | null>(null);

  const shown = (id: MaskId): readonly Rule[] => pending.applyTo(id, rulesFromServer(id));
  const view$ = combineState(
    [masks$, account$, selectedId$, counts$, pending.all$],
    (masks, account, selectedId, counts) =>
      toRulesView({ shown, localIds: pending.localIds }, masks, account, selectedId, counts),
  );
  const maskId$ = view$.pipe(
    map(({ maskId }) => maskId),
    distinctUntilChanged(),
  );
  const viewed$ = merge(isOpen$, maskId$).pipe(filter(() => isOpen$.value));
  const lastMail$ = masks$.pipe(
    map(({ all }) => lastMailAt(all, view$.value.maskId)),
    distinctUntilChanged(),
  );
  const fetchCounts = fetchRuleCounts(deps);

  const editing = createRuleEditing({
    ...deps,
    shown,
    saveList: createSaveList({ ...deps, shown }),
  });
  return {
    ...editing,
    ...createManyRules({ ...deps, shown }),
    view$,
    isOpen$,
    rulesOf: shown,
    select: (id) => {
      if (id !== everyRule) lastListId = placeOfList(id) === null ? id : allMasks;
      selectedId$.set(id === everyRule ? everyRule : lastListId);
    },
    leaveOverview: () => selectedId$.set(lastListId),
    open: () => {
      isOpen$.set(true);
      return () => isOpen$.set(false);
    },
    start: () => {
      const running = refreshViewedRules(deps, viewed$);
      running.add(
        merge(viewed$, lastMail$)
          .pipe(
            filter(() => isOpen$.value),
            debounceTime(viewDebounceMs, clock.scheduler),
            switchMap(() => defer(fetchCounts(view$.value.maskId))),
          )
          .subscribe(counts$.set),
      );
      running.add(maskId$.subscribe(() => counts$.set(null)));
      return running;
    },
  };
};
