import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { merge, type Observable, Subscription } from "rxjs";
import type { State } from "../../kernel/state.ts";
import { startTask, tapResult } from "../../kernel/task.ts";
import type { Mask, MaskId } from "../../masks/mask.ts";
import { readRules } from "../model/ruleList.ts";
import type { PendingRecord, VersionedRules } from "../sync/pendingRecord.ts";

/** A mask as the selector shows it (RU1). */
export interface MaskChoice {
  readonly id: MaskId;
  readonly description: string;
  readonly maskEmail: string;
  readonly ruleCount: number;
}

const noRules: VersionedRules = { etag: null, rules: [] };

/** The owner of rules: a mask, or a list for all masks. */
export interface RuleSource extends Pick<Mask, "id"> {
  readonly settings?: Pick<NonNullable<Mask["settings"]>, "rules" | "rulesVersion">;
}

const rulesByMask = new WeakMap<RuleSource, VersionedRules>();

/** Returns the rules of a mask without unreadable ones. The result is cached for each mask object. */
export const rulesFromServer = (mask: RuleSource | undefined): VersionedRules => {
  if (!mask) return noRules;
  const found = rulesByMask.get(mask) ?? {
    etag: mask.settings?.rulesVersion ?? null,
    rules: readRules(mask.settings?.rules ?? []).rules,
  };
  rulesByMask.set(mask, found);
  return found;
};

/** Returns how many rules of a mask cannot be read. */
export const countUnreadable = (mask: RuleSource): number =>
  (mask.settings?.rules?.length ?? 0) - rulesFromServer(mask).rules.length;

/** Returns the entry of the selector; a mask without a description shows its address. */
export const toMaskChoice = (mask: Mask, ruleCount: number): MaskChoice => ({
  id: mask.id,
  description: mask.description ?? mask.maskEmail,
  maskEmail: mask.maskEmail,
  ruleCount,
});

type Records = Readonly<Record<MaskId, PendingRecord>>;

/** The server's rules as this tab may assume them. */
export interface ServerRulesTracker {
  readonly get: (maskId: MaskId) => VersionedRules;
  readonly start: () => Subscription;
}

interface ServerRulesDeps {
  readonly masks$: State<{ readonly status: string; readonly all: readonly RuleSource[] }>;
  readonly pending: { readonly all: () => Records; readonly all$: Observable<Records> };
  readonly online$: State<boolean>;
  /** Fetches one mask without using cached responses; false when the fetch fails. */
  readonly refetch: (maskId: MaskId) => Task<boolean>;
  /** Applies pending changes to newer rules of the server. */
  readonly rebase: (maskId: MaskId, fromServer: VersionedRules) => void;
}

const noIds: ReadonlySet<string> = new Set();

/**
 * Tracks which version of the server's rules this tab may use. Each tab fetches masks by itself while all
 * tabs share the pending changes, so a change may be based on a newer list than this tab has fetched. That
 * newer list counts until the mask is fetched again: with its older list, this tab would restore rules that
 * another tab has just deleted.
 */
export const createServerRulesTracker = ({
  masks$,
  pending,
  online$,
  refetch,
  rebase,
}: ServerRulesDeps): ServerRulesTracker => {
  const seenVersions = new Map<MaskId, ReadonlySet<string>>();
  /** The masks being fetched; true when an answer may be older than a save that another tab has made meanwhile. */
  const refetching = new Map<MaskId, boolean>();
  let previousRecords: Records = {};

  const findMask = (id: MaskId): RuleSource | undefined => masks$.value.all.find((mask) => mask.id === id);
  const addVersion = (id: MaskId, etag: string | null): void => {
    const seen = seenVersions.get(id) ?? noIds;
    if (etag !== null && !seen.has(etag)) seenVersions.set(id, new Set([...seen, etag]));
  };
  const hasSeenBase = (id: MaskId, { base }: PendingRecord): boolean =>
    base.etag === null ||
    rulesFromServer(findMask(id)).etag === base.etag ||
    seenVersions.get(id)?.has(base.etag) === true;
  const refetchMask = (id: MaskId, etag: string | null): void => {
    if (!online$.value) return;
    if (refetching.has(id)) {
      if (etag === null) refetching.set(id, true);
      return;
    }
    refetching.set(id, false);
    pipe(
      refetch(id),
      tapResult((isFetched) => {
        const isOutdated = refetching.get(id);
        refetching.delete(id);
        if (isOutdated) refetchMask(id, null);
        if (!isFetched) return;
        addVersion(id, etag);
        rebaseAll();
      }),
      startTask,
    );
  };
  const rebaseAll = (): void => {
    if (masks$.value.status !== "ready") return;
    for (const { id } of masks$.value.all) addVersion(id, rulesFromServer(findMask(id)).etag);
    for (const [id, record] of Object.entries(pending.all()))
      if (findMask(id) && hasSeenBase(id, record)) rebase(id, rulesFromServer(findMask(id)));
      else if (findMask(id)) refetchMask(id, record.base.etag);
  };
  /** Fetches masks whose pending record has disappeared, because another tab may have saved it. */
  const refetchSaved = (records: Records): void => {
    for (const [id, { base, sent }] of Object.entries(previousRecords))
      if (
        findMask(id) &&
        records[id] === undefined &&
        sent !== undefined &&
        rulesFromServer(findMask(id)).etag === base.etag
      )
        refetchMask(id, null);
    previousRecords = records;
  };
  return {
    get: (id) => {
      const record = pending.all()[id];
      return record === undefined || (findMask(id) && hasSeenBase(id, record))
        ? rulesFromServer(findMask(id))
        : record.base;
    },
    start: () => {
      const running = new Subscription();
      running.add(pending.all$.subscribe(refetchSaved));
      running.add(merge(masks$, pending.all$, online$).subscribe(rebaseAll));
      return running;
    },
  };
};
