import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Observable, Subscription } from "rxjs";
import type { User } from "./account/user.ts";
import { mapState, type State } from "./kernel/state.ts";
import { type MaskRules, makeMaskRules } from "./maskRules/maskRules.ts";
import { makeReload } from "./maskRules/reload.ts";
import { makeServerRules } from "./maskRules/serverRules.ts";
import { toldRules } from "./maskRules/toldRules.ts";
import { putMask } from "./masks/maskEndpoints.ts";
import type { Masks } from "./masks/masks.ts";
import type { Ports } from "./ports/ports.ts";
import type { Link } from "./realtime/link.ts";
import type { Call } from "./requests/call.ts";
import type { Problem } from "./sentences/problem.ts";
import type { Store } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";
import { localOnlyIds, shownRules } from "./sync/pendingChange.ts";
import { makePendingStore } from "./sync/pendingStore.ts";
import type { SendRules } from "./sync/pushRules.ts";
import { makeSync, type Sync } from "./sync/sync.ts";
import type { ShowToast } from "./toasts/toast.ts";

/** Rules, and what becomes of their changes without a network: fetched when somebody is signed in. */
export interface RulesPart {
  readonly rules: MaskRules;
  readonly sync: Pick<Sync, "view$" | "syncNow" | "discard">;
  /** Compiles regular expressions, for whoever tries rules on a mail. */
  readonly patterns: Ports["patterns"];
  readonly start: () => Subscription;
}

export interface RulesPartNeeds extends Pick<Ports, "clock" | "random" | "tabs" | "patterns"> {
  readonly call: Call;
  readonly store: Store;
  readonly masks: Masks;
  readonly online$: State<boolean>;
  readonly user$: Observable<User | null>;
  readonly owner: () => string | null;
  readonly request: Link["request"];
  readonly toast: ShowToast;
}

/** How often changes that wait are looked at: more often where they are shown (D14). */
const checkEachMs = { open: 30_000, elsewhere: 120_000 };

/** One write keeps its name in every try, and says which list it was made from (D43). */
const sender =
  (call: Call, masks: Masks): SendRules =>
  ({ maskId, etag, rules, requestId }) =>
    pipe(
      call(putMask)({
        params: { id: maskId },
        body: { settings: { rules: [...rules] } },
        headers: {
          "x-request-id": requestId,
          ...(etag === null ? {} : { "if-match": `"${etag}"` }),
        },
        quiet: true,
      }),
      TE.map((mask) => {
        masks.told(mask);
        return toldRules(mask);
      }),
    );

export const makeRulesPart = (needs: RulesPartNeeds): RulesPart => {
  const { call, store, masks, user$, owner } = needs;
  const pendingStore = makePendingStore(store.of(storedKeys.pendingRulesSync, plainText), owner, user$);
  const serverRules = makeServerRules({
    masks$: masks.view$,
    pending: pendingStore,
    online$: needs.online$,
    reread: masks.reread,
    noticed: (maskId, known) => sync.noticed(maskId, known),
  });

  const rules = makeMaskRules({
    ...needs,
    masks$: masks.view$,
    told: serverRules.of,
    pending: {
      all$: pendingStore.all$,
      shown: (maskId, known) => shownRules(known, pendingStore.of(maskId)),
      localIds: (maskId) => localOnlyIds(pendingStore.of(maskId)),
    },
    save: (maskId, known, change) => sync.save(maskId, known, change),
    reload: makeReload({
      ...needs,
      isInStep: () => masks.view$.value.status === "ready",
      list: () => TE.mapLeft(({ failure }: Problem) => failure)(masks.refresh()),
    }),
    statistics: (maskId) =>
      masks
        .statistics(maskId)()
        .then(
          E.match(
            () => null,
            (found) => found,
          ),
        ),
  });
  const sync = makeSync({
    ...needs,
    store: pendingStore,
    send: sender(call, masks),
    checkEachMs$: mapState(rules.isOpen$, (isOpen) => (isOpen ? checkEachMs.open : checkEachMs.elsewhere)),
  });
  return {
    rules,
    sync,
    patterns: needs.patterns,
    start: () => {
      const running = new Subscription();
      running.add(rules.start());
      running.add(serverRules.start());
      running.add(sync.start());
      return running;
    },
  };
};
