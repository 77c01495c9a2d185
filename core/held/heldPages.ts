import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { defer, filter, map, merge, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { withNextPage } from "../api/leftOut.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import type { Outdated } from "../kernel/collection.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { combineState, type State } from "../kernel/state.ts";
import { MailPages, pageOfMask } from "../mail/mailPages.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { listHeldMails } from "./heldEndpoints.ts";
import { HeldPage } from "./heldMail.ts";

export interface HeldPagesDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly online$: State<boolean>;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the held mail" });

const relevantResources: readonly string[] = ["held", "masks"];

const appendPage = (loaded: HeldPage, next: HeldPage): HeldPage => ({
  ...next,
  mails: withNextPage(loaded.mails, next.mails),
});

/** The pages of held mail; the newest ones of the last visit are shown until they are loaded. */
export interface HeldPages {
  readonly pages: MailPages<HeldPage, Problem>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  readonly start: () => Subscription;
}

export const createHeldPages = (deps: HeldPagesDeps): HeldPages => {
  const { call, clock, online$ } = deps;
  const owner = createOwner();
  const cache = createCache(deps.store, clock, storedKeys.cachedHeld, HeldPage);
  const cached = () => cache.read(owner.current() ?? "");
  const load = (params: { readonly maskId?: string; readonly before?: string }) =>
    pipe(
      call(listHeldMails)({ params }),
      owner.tap((answer) => {
        const email = owner.current();
        const isNewest = params.maskId === undefined && params.before === undefined;
        if (isNewest && email !== null && E.isRight(answer)) cache.write(email, answer.right);
      }),
    );
  const isFailed$ = defer(() => pages.view$.pipe(map(({ message }) => message !== "")));
  const pages: MailPages<HeldPage, Problem> = new MailPages<HeldPage, Problem>({
    load,
    append: appendPage,
    initial: (maskId) => pageOfMask(cached()?.value ?? null, maskId),
    toProblem: toListProblem,
    clock,
    user$: deps.user$,
    changes$: merge(
      deps.updates$.pipe(filter(({ resource }) => relevantResources.includes(resource))),
      failedBackOnline(online$, isFailed$, clock.scheduler),
    ),
    visible$: deps.tabs.visible$,
  });
  return {
    pages,
    outdated$: combineState([pages.view$, online$], ({ message }, online) =>
      online && message === "" ? null : { isOnline: online, asOf: cached()?.savedAt ?? null },
    ),
    start: () => {
      const running = followUser(owner, deps.user$, () => {});
      running.add(pages.start());
      return running;
    },
  };
};
