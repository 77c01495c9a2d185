import * as E from "fp-ts/lib/Either.js";
import { Subject } from "rxjs";
import { createState, type WritableState } from "../../../../core/kernel/state.ts";
import type { Random } from "../../../../core/ports/random.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import {
  type PendingRecord,
  shownRules,
  type VersionedRules,
} from "../../../../core/rules/sync/pendingRecord.ts";
import { createPendingStore, type PendingStore } from "../../../../core/rules/sync/pendingStore.ts";
import { createSavesUnderWay } from "../../../../core/rules/sync/savesUnderWay.ts";
import { Sync } from "../../../../core/rules/sync/sync.ts";
import { createStore, plainText } from "../../../../core/storage/store.ts";
import { createFakeTabs, type FakeTabs } from "../../../fakes/fakeTabs.ts";
import { createMemoryStorage, type MemoryStorage } from "../../../fakes/memoryStorage.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";
import type { VirtualClock } from "../../../fakes/virtualClock.ts";
import type { RuleServer } from "./ruleServer.ts";

/** A browser: the state that its tabs share. */
export interface Browser {
  readonly storage: MemoryStorage;
  readonly tabs: FakeTabs;
  readonly online$: WritableState<boolean>;
  /** From which the chance of each of its tabs follows. */
  readonly random: Random;
}

export const createBrowser = (
  clock: VirtualClock,
  { capacity, seed = 1 }: { readonly capacity?: number; readonly seed?: number } = {},
): Browser => ({
  storage: createMemoryStorage(capacity),
  tabs: createFakeTabs(clock),
  online$: createState(true),
  random: createSeededRandom(seed),
});

export interface Tab {
  readonly sync: Sync;
  readonly store: PendingStore;
  readonly checkEachMs$: WritableState<number>;
  readonly toasts: string[];
  /** The list as this tab shows it. */
  readonly shown: (maskId: string) => readonly Rule[];
  readonly known: (maskId: string) => VersionedRules;
  /** Loads the server's list, where there is a network. */
  readonly reload: (maskId: string) => void;
  /** Saves the list that `make` returns for the list shown. */
  readonly change: (
    maskId: string,
    make: (rules: readonly Rule[]) => readonly Rule[],
  ) => ReturnType<ReturnType<Sync["save"]>>;
  readonly record: (maskId: string) => PendingRecord | null;
  /** Closes the tab in the middle of any work: no answer reaches it afterwards. */
  readonly kill: () => void;
}

/** A tab of a browser, signed in as `owner`, that has just loaded the server's lists. */
export const openTab = (
  clock: VirtualClock,
  server: RuleServer,
  browser: Browser,
  owner = "ada@example.org",
): Tab => {
  const storage = browser.storage.openTab();
  const stored = createStore(storage).get({ name: "pendingRulesSync", place: "local" }, plainText);
  const store = createPendingStore(stored, () => owner, new Subject());
  const lists = new Map<string, VersionedRules>();
  const known = (maskId: string): VersionedRules => lists.get(maskId) ?? server.read(maskId);
  const toasts: string[] = [];
  const checkIntervalMs$ = createState(30_000);
  let isDead = false;
  const sync = new Sync({
    store,
    saves: createSavesUnderWay(),
    send: (push) => () =>
      server
        .send(push)()
        .then((result) => {
          if (isDead) return new Promise(() => {});
          if (E.isRight(result)) lists.set(push.maskId, result.right);
          return result;
        }),
    clock,
    random: createSeededRandom(Math.floor(browser.random.fraction() * 2 ** 31)),
    online$: browser.online$,
    tabs: browser.tabs.openTab(),
    checkIntervalMs$,
    toast: (kind, text) => toasts.push(`${kind}: ${text}`),
  });
  const running = sync.start();
  const shown = (maskId: string): readonly Rule[] => shownRules(known(maskId), store.get(maskId));
  const reload = (maskId: string): void => {
    if (!browser.online$.value) return;
    lists.set(maskId, server.read(maskId));
    sync.rebase(maskId, known(maskId));
  };
  return {
    sync,
    store,
    checkEachMs$: checkIntervalMs$,
    toasts,
    known,
    shown,
    reload,
    record: store.get,
    change: (maskId, make) => {
      if (!lists.has(maskId)) reload(maskId);
      const before = shown(maskId);
      return sync.save(maskId, known(maskId), { before, rules: make(before) })();
    },
    kill: () => {
      isDead = true;
      running.unsubscribe();
    },
  };
};
