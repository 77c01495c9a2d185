import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, map, type Observable, Subscription } from "rxjs";
import type { Call } from "../../api/call.ts";
import { failedBackOnline } from "../../kernel/backOnline.ts";
import { emailsOf } from "../../kernel/owner.ts";
import { Resource, type ResourceStatus } from "../../kernel/resource.ts";
import { mapState, type State } from "../../kernel/state.ts";
import { startTask } from "../../kernel/task.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DataUpdate } from "../../realtime/messages.ts";
import type { User } from "../../session/user.ts";
import { createCache } from "../../storage/cache.ts";
import type { Store } from "../../storage/store.ts";
import { storedKeys } from "../../storage/storedKeys.ts";
import type { RuleSource } from "../editing/serverRules.ts";
import { type AccountPlace, accountListId, accountPlaces } from "../model/rulePlace.ts";
import {
  type AccountRuleCounts,
  AccountRules,
  getAccountRuleCounts,
  getAccountRules,
  type RuleListState,
} from "./accountRuleEndpoints.ts";

/** The rules for all masks as the server has them. */
export interface AccountRuleLists {
  /** One source for each list, in the order in which they are asked. */
  readonly sources$: State<{ readonly status: ResourceStatus; readonly all: readonly RuleSource[] }>;
  /** Shows a list that the server has just saved. */
  readonly put: (place: AccountPlace, list: RuleListState) => void;
  /** Fetches both lists; false when that fails. */
  readonly refetch: T.Task<boolean>;
  /** Returns how often the rules were applied; null when that cannot be fetched. */
  readonly counts: T.Task<AccountRuleCounts | null>;
  readonly start: () => Subscription;
}

interface AccountRuleListsDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly online$: State<boolean>;
  /** Clears cached responses, so that the next requests reach the server. */
  readonly forgetPendingGets: () => void;
}

const noLists: AccountRules = { before: { rules: [], version: "" }, after: { rules: [], version: "" } };

const sources = new WeakMap<RuleListState, RuleSource>();

/** Returns the same source for the same list, because the rules read from it are cached by it. */
const sourceOf = (place: AccountPlace, list: RuleListState): RuleSource => {
  const { rules, version } = list;
  const known = sources.get(list) ?? {
    id: accountListId(place),
    settings: { rules, ...(version === "" ? {} : { rulesVersion: version }) },
  };
  sources.set(list, known);
  return known;
};

/** True if the lists may have changed without a message about it. */
const isOutdated = ({ resource, action }: DataUpdate): boolean =>
  resource === "account-rules" || action === "connected" || action === "resumed";

/** Creates the lists, which are fetched for each user, and again where another device has changed them. */
export const createAccountRuleLists = (deps: AccountRuleListsDeps): AccountRuleLists => {
  const { call, store, clock, user$, updates$, online$ } = deps;
  const cache = createCache(store, clock, storedKeys.cachedAccountRules, AccountRules);
  const resource = new Resource<AccountRules>({
    initial: noLists,
    fetch: call(getAccountRules)(),
    cache,
    showsOldCache: true,
  });
  const load = (): void => startTask(resource.load);
  const receive = (update: DataUpdate): void => {
    const entity = update.resource === "account-rules" ? AccountRules.decode(update.entity) : null;
    if (entity !== null && E.isRight(entity)) resource.put(() => entity.right);
    else load();
  };
  return {
    sources$: mapState(resource.state$, ({ status, value }) => ({
      status,
      all: accountPlaces.map((place) => sourceOf(place, value[place])),
    })),
    put: (place, list) => resource.put((lists) => ({ ...lists, [place]: list })),
    refetch: pipe(
      T.fromIO(deps.forgetPendingGets),
      T.chain(() => resource.load),
      T.map(E.isRight),
    ),
    counts: pipe(
      call(getAccountRuleCounts)({ silent: true }),
      TE.match(
        () => null,
        ({ rules }) => rules,
      ),
    ),
    start: () => {
      const running = new Subscription();
      running.add(
        emailsOf(user$).subscribe((email) => {
          resource.setOwner(email);
          if (email !== null) load();
        }),
      );
      running.add(updates$.pipe(filter(isOutdated)).subscribe(receive));
      running.add(
        failedBackOnline(
          online$,
          resource.state$.pipe(map(({ status }) => status !== "ready")),
          clock.scheduler,
        ).subscribe(load),
      );
      return running;
    },
  };
};
