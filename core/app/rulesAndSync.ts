import { identity, pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { distinctUntilChanged, EMPTY, Observable, Subscription, switchMap } from "rxjs";
import type { Call } from "../api/call.ts";
import type { Problem } from "../api/errorMessages.ts";
import { combineState, mapState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Mask } from "../masks/mask.ts";
import type { Masks } from "../masks/masks.ts";
import type { Ports } from "../ports/ports.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { SocketClient } from "../realtime/socketClient.ts";
import { createAccountRuleLists } from "../rules/account/accountRules.ts";
import { createMaskRules, type MaskRules } from "../rules/editing/maskRules.ts";
import { createReloadRules } from "../rules/editing/reloadRules.ts";
import { countUnreadable, createServerRulesTracker } from "../rules/editing/serverRules.ts";
import { allMasks, everyRule, placeOfList } from "../rules/model/rulePlace.ts";
import { localOnlyIds, shownRules, type VersionedRules } from "../rules/sync/pendingRecord.ts";
import { createPendingStore } from "../rules/sync/pendingStore.ts";
import { createSavesUnderWay } from "../rules/sync/savesUnderWay.ts";
import { Sync } from "../rules/sync/sync.ts";
import { unsavedWarning } from "../rules/sync/syncView.ts";
import type { User } from "../session/user.ts";
import { plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { createSendRules, followUnseenRules } from "./sendRules.ts";

/** The rules of the user's masks, which no screen but theirs loads, and the sync that sends pending changes of them as soon as it can. */
export interface RulesAndSync {
  readonly rules: MaskRules;
  readonly sync: Pick<Sync, "view$" | "syncNow" | "discard" | "replaced$" | "dismissReplaced">;
  /** Loads the regular expression engine, which the rule test needs. */
  readonly patterns: Ports["patterns"];
  /** The message that warns of unsent changes, to be confirmed before the logout; null when there are none. */
  readonly unsavedWarning: () => string | null;
  readonly start: () => Subscription;
}

export interface RulesAndSyncDeps extends Pick<Ports, "clock" | "random" | "tabs" | "patterns" | "reporter"> {
  readonly call: Call;
  readonly store: Store;
  readonly masks: Masks;
  readonly updates$: Observable<DataUpdate>;
  readonly forgetPendingGets: () => void;
  readonly online$: State<boolean>;
  readonly user$: Observable<User | null>;
  readonly owner: () => string | null;
  readonly request: SocketClient["request"];
  readonly followTopic: SocketClient["subscribeTo"];
  readonly toast: ShowToast;
}

/** The interval at which pending changes are checked: shorter while they are shown (D14). */
const checkEachMs = { open: 30_000, elsewhere: 120_000 };

/** Follows the rules of the mask that the rules tab shows, while it is open. */
const followShownRules = ({ followTopic }: RulesAndSyncDeps, { view$, isOpen$ }: MaskRules): Subscription =>
  combineState([view$, isOpen$], ({ maskId }, isOpen) => (isOpen ? maskId : null))
    .pipe(
      distinctUntilChanged(),
      switchMap((maskId) => {
        if (maskId === null || maskId === allMasks || maskId === everyRule) return EMPTY;
        return new Observable<never>(() => followTopic({ resource: "rules", resourceId: maskId }));
      }),
    )
    .subscribe();

export const createRulesAndSync = (deps: RulesAndSyncDeps): RulesAndSync & FollowsTopics => {
  const { call, store, masks, user$, owner } = deps;
  const pendingStore = createPendingStore(store.get(storedKeys.pendingRulesSync, plainText), owner, user$);
  const saves = createSavesUnderWay();
  const account = createAccountRuleLists(deps);
  const tracked = {
    pending: pendingStore,
    online$: deps.online$,
    rebase: (listId: string, known: VersionedRules) => sync.rebase(listId, known),
  };
  const serverRules = createServerRulesTracker({
    ...tracked,
    masks$: masks.view$,
    refetch: masks.refetch,
  });
  const serverAccountRules = createServerRulesTracker({
    ...tracked,
    masks$: account.sources$,
    refetch: () => account.refetch,
  });

  const rules = createMaskRules({
    ...deps,
    masks$: masks.view$,
    account$: account.sources$,
    accountCounts: account.counts,
    rulesFromServer: (listId) =>
      (placeOfList(listId) === null ? serverRules : serverAccountRules).get(listId),
    pending: {
      all$: combineState([pendingStore.all$, saves.lists$], (...all) => all),
      applyTo: (maskId, known) => shownRules(known, pendingStore.get(maskId)),
      localIds: (maskId) => saves.withoutUnderWay(maskId, localOnlyIds(pendingStore.get(maskId))),
    },
    save: (maskId, known, change) => sync.saveOrWithdraw(maskId, known, change),
    reload: createReloadRules({
      ...deps,
      isLoaded: () => masks.view$.value.status === "ready",
      list: () => TE.mapLeft(({ failure }: Problem) => failure)(masks.refresh()),
    }),
    statistics: (maskId) =>
      pipe(
        masks.statistics(maskId),
        TE.match(() => null, identity),
      ),
  });
  const sync = new Sync({
    ...deps,
    store: pendingStore,
    saves,
    send: createSendRules(call, masks, account),
    checkIntervalMs$: mapState(rules.isOpen$, (isOpen) =>
      isOpen ? checkEachMs.open : checkEachMs.elsewhere,
    ),
  });
  const reported = new Set<string>();
  /** Reports each mask with rules that cannot be read once. */
  const reportUnreadable = (mask: Mask): void => {
    const count = countUnreadable(mask);
    if (count === 0 || reported.has(mask.id)) return;
    reported.add(mask.id);
    deps.reporter.report(new Error("A mask has rules that cannot be read"), { count: String(count) });
  };
  return {
    topics: [{ resource: "account-rules" }],
    rules,
    sync,
    patterns: deps.patterns,
    unsavedWarning: () => unsavedWarning(sync.view$.value),
    start: () => {
      const running = new Subscription();
      running.add(rules.start());
      running.add(followShownRules(deps, rules));
      running.add(followUnseenRules(masks, rules));
      running.add(masks.view$.subscribe(({ all }) => all.forEach(reportUnreadable)));
      running.add(account.start());
      running.add(serverRules.start());
      running.add(serverAccountRules.start());
      running.add(sync.start());
      return running;
    },
  };
};
