import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { debounceTime, distinctUntilChanged, filter, map, merge, Subscription, switchMap } from "rxjs";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { Mask, MaskId } from "../masks/mask.ts";
import type { MaskStatistics } from "../masks/maskStatistics.ts";
import type { Clock } from "../ports/clock.ts";
import type { LoadPatterns } from "../ports/patterns.ts";
import type { Random } from "../ports/random.ts";
import type { Rule, RuleId } from "../rules/rule.ts";
import { makeRuleEditing, type RuleEditing } from "./editRules.ts";
import { makeSaveList, type SaveNeeds } from "./saveList.ts";
import { choiceOf, type MaskChoice, type ToldRules } from "./toldRules.ts";

/** What is known of the user's masks. */
export interface KnownMasks {
  /** `stale`: from the cache, with a warning. */
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly warning: string | null;
  readonly all: readonly Mask[];
}

/** A rule of the chosen mask, and how it has served. */
export interface ShownRule {
  readonly rule: Rule;
  /** Nobody but this device has it as it is (RU3). */
  readonly isLocal: boolean;
  /** How often it was carried out; null while that is not known. */
  readonly applied: number | null;
  /** When last, in ISO 8601. */
  readonly lastApplied: string | null;
}

export interface RulesView {
  readonly status: KnownMasks["status"];
  /** Why the rules shown may be old, or are not there. */
  readonly warning: string | null;
  readonly masks: readonly MaskChoice[];
  /** The chosen mask: the first where nobody has chosen; null without masks. */
  readonly maskId: MaskId | null;
  readonly rules: readonly ShownRule[];
}

/** The rules of the user's masks (RU1–RU10). */
export interface MaskRules extends RuleEditing {
  readonly view$: State<RulesView>;
  readonly select: (maskId: MaskId) => void;
  /** The tab is open from now on, until what this hands back is called. */
  readonly open: () => () => void;
  readonly isOpen$: State<boolean>;
}

/** What is changed here and not on the server yet. */
interface Pending {
  /** All of it: another value whenever something of it is another. */
  readonly all$: State<unknown>;
  readonly shown: (maskId: MaskId, told: ToldRules) => readonly Rule[];
  readonly localIds: (maskId: MaskId) => ReadonlySet<RuleId>;
}

export interface MaskRulesNeeds extends Pick<SaveNeeds, "save" | "toast" | "owner"> {
  readonly masks$: State<KnownMasks>;
  /** What the server has of a mask's rules. */
  readonly told: (maskId: MaskId) => ToldRules;
  readonly pending: Pending;
  /** Has the masks, with their rules, as the server has them now. */
  readonly reload: TaskEither<unknown, void>;
  /** A mask's statistics; null when they cannot be had. */
  readonly statistics: (maskId: MaskId) => Promise<MaskStatistics | null>;
  readonly clock: Clock;
  readonly random: Random;
  readonly patterns: LoadPatterns;
}

/** Rules read longer ago are read again when they are looked at (RU10). */
const freshForMs = 300_000;
const reloadAfterMs = 300;

type RuleFigures = NonNullable<MaskStatistics["rules"]>;

const couldNotLoad = "Could not load rules";

export const makeMaskRules = (needs: MaskRulesNeeds): MaskRules & { readonly start: () => Subscription } => {
  const { masks$, pending, clock, told } = needs;
  const wanted$ = makeState<MaskId | null>(null);
  const isOpen$ = makeState(false);
  const figures$ = makeState<RuleFigures | null>(null);
  let readAt = Number.NEGATIVE_INFINITY;

  const shown = (id: MaskId): readonly Rule[] => pending.shown(id, told(id));
  const countOf = (mask: Mask): number =>
    pending.localIds(mask.id).size > 0 ? shown(mask.id).length : (mask.settings?.rules?.length ?? 0);

  const shownRule =
    (local: ReadonlySet<RuleId>, figures: RuleFigures | null) =>
    (rule: Rule): ShownRule => ({
      rule,
      isLocal: local.has(rule.id),
      applied: figures && (figures[rule.id]?.appliedCount ?? 0),
      lastApplied: figures?.[rule.id]?.lastApplied ?? null,
    });

  const view$ = combineState(
    [masks$, wanted$, figures$, pending.all$],
    (masks, wanted, figures): RulesView => {
      const { status, warning, all } = masks;
      const chosen = all.find(({ id }) => id === wanted) ?? all[0];
      return {
        status,
        warning: status === "failed" ? couldNotLoad : warning,
        masks: all.map((mask) => choiceOf(mask, countOf(mask))),
        maskId: chosen?.id ?? null,
        rules: chosen ? shown(chosen.id).map(shownRule(pending.localIds(chosen.id), figures)) : [],
      };
    },
  );
  const maskId$ = view$.pipe(
    map(({ maskId }) => maskId),
    distinctUntilChanged(),
  );
  const lookedAt$ = merge(isOpen$, maskId$).pipe(filter(() => isOpen$.value));

  const readFigures = (maskId: MaskId | null): Promise<RuleFigures | null> =>
    maskId === null
      ? Promise.resolve(null)
      : needs.statistics(maskId).then((found) => (found ? (found.rules ?? {}) : null));

  /** The figures follow the mask: each mail that moves its counters may have moved those of a rule. */
  const lastMail$ = masks$.pipe(
    map(({ all }) => all.find(({ id }) => id === view$.value.maskId)?.statistics?.lastUsed),
    distinctUntilChanged(),
  );

  const editing = makeRuleEditing({
    ...needs,
    shown,
    saveList: makeSaveList({ ...needs, shown }),
  });
  return {
    ...editing,
    view$,
    isOpen$,
    select: wanted$.set,
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
            readAt = clock.now();
          }),
      );
      running.add(
        lookedAt$
          .pipe(
            debounceTime(reloadAfterMs, clock.scheduler),
            filter(() => clock.now() - readAt > freshForMs),
          )
          .subscribe(
            () =>
              void needs.reload().then((result) => {
                if (E.isRight(result)) readAt = clock.now();
              }),
          ),
      );
      running.add(
        merge(lookedAt$, lastMail$)
          .pipe(
            filter(() => isOpen$.value),
            debounceTime(reloadAfterMs, clock.scheduler),
            switchMap(() => readFigures(view$.value.maskId)),
          )
          .subscribe(figures$.set),
      );
      running.add(maskId$.subscribe(() => figures$.set(null)));
      return running;
    },
  };
};
