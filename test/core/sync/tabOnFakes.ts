import * as E from "fp-ts/lib/Either.js";
import { Subject } from "rxjs";
import { makeState, type WritableState } from "../../../core/kernel/state.ts";
import type { Rule } from "../../../core/rules/rule.ts";
import { makeStore } from "../../../core/storage/store.ts";
import { plainText } from "../../../core/storage/storedCodecs.ts";
import { shownRules } from "../../../core/sync/pendingChange.ts";
import type { KnownRules, PendingRecord } from "../../../core/sync/pendingRecord.ts";
import { makePendingStore, type PendingStore } from "../../../core/sync/pendingStore.ts";
import { makeSync, type Sync } from "../../../core/sync/sync.ts";
import { type FakeTabs, makeFakeTabs } from "../../fakes/fakeTabs.ts";
import { type MemoryStorage, makeMemoryStorage } from "../../fakes/memoryStorage.ts";
import { makeSeededRandom } from "../../fakes/seededRandom.ts";
import type { VirtualClock } from "../../fakes/virtualClock.ts";
import type { RuleServer } from "./ruleServer.ts";

/** A browser: what its tabs share. */
export interface Browser {
  readonly storage: MemoryStorage;
  readonly tabs: FakeTabs;
  readonly online$: WritableState<boolean>;
}

export const makeBrowser = (clock: VirtualClock, capacity?: number): Browser => ({
  storage: makeMemoryStorage(capacity),
  tabs: makeFakeTabs(clock),
  online$: makeState(true),
});

export interface Tab {
  readonly sync: Sync;
  readonly store: PendingStore;
  readonly checkEachMs$: WritableState<number>;
  readonly toasts: string[];
  /** The list as this tab shows it. */
  readonly shown: (maskId: string) => readonly Rule[];
  readonly known: (maskId: string) => KnownRules;
  /** Reads the server's list, where there is a network. */
  readonly reload: (maskId: string) => void;
  /** Saves the list that `make` makes of what is shown. */
  readonly change: (
    maskId: string,
    make: (rules: readonly Rule[]) => readonly Rule[],
  ) => ReturnType<ReturnType<Sync["save"]>>;
  readonly record: (maskId: string) => PendingRecord | null;
  /** Closes it in the middle of whatever it does: no answer reaches it any more. */
  readonly kill: () => void;
}

let tabs = 0;

/** A tab of a browser, signed in as `owner`, that has just read the server's lists. */
export const openTab = (
  clock: VirtualClock,
  server: RuleServer,
  browser: Browser,
  owner = "ada@example.org",
): Tab => {
  tabs += 1;
  const storage = browser.storage.openTab();
  const stored = makeStore(storage).of({ name: "pendingRulesSync", place: "local" }, plainText);
  const store = makePendingStore(stored, () => owner, new Subject());
  const lists = new Map<string, KnownRules>();
  const known = (maskId: string): KnownRules => lists.get(maskId) ?? server.read(maskId);
  const toasts: string[] = [];
  const checkEachMs$ = makeState(30_000);
  let isDead = false;
  const sync = makeSync({
    store,
    send: (push) => () =>
      server
        .send(push)()
        .then((result) => {
          if (isDead) return new Promise(() => {});
          if (E.isRight(result)) lists.set(push.maskId, result.right);
          return result;
        }),
    clock,
    random: makeSeededRandom(tabs),
    online$: browser.online$,
    tabs: browser.tabs.openTab(),
    checkEachMs$,
    toast: (kind, text) => toasts.push(`${kind}: ${text}`),
  });
  const running = sync.start();
  const shown = (maskId: string): readonly Rule[] => shownRules(known(maskId), store.of(maskId));
  const reload = (maskId: string): void => {
    if (!browser.online$.value) return;
    lists.set(maskId, server.read(maskId));
    sync.noticed(maskId, known(maskId));
  };
  return {
    sync,
    store,
    checkEachMs$,
    toasts,
    known,
    shown,
    reload,
    record: store.of,
    change: (maskId, make) => {
      if (!lists.has(maskId)) reload(maskId);
      const seen = shown(maskId);
      return sync.save(maskId, known(maskId), { seen, rules: make(seen) })();
    },
    kill: () => {
      isDead = true;
      running.unsubscribe();
    },
  };
};
