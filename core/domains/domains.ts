import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps, type Outdated } from "../kernel/collection.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { DomainName } from "../mail/domainName.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { checkRepeatedly } from "./checkRepeatedly.ts";
import { type Domain, type DomainChange, domainMessage, OwnDomainName } from "./domain.ts";
import {
  checkDomain,
  DomainList,
  deleteDomain,
  listDomains,
  patchDomain,
  postDomain,
} from "./domainEndpoints.ts";

/** The domains of a user whose addresses are masks. */
export interface Domains {
  /** null while unknown. */
  readonly list$: State<DomainList | null>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the domains; succeeds also when the server cannot be reached and what is known stays. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Adds a domain of one's own by its name, or claims a sub-domain by its label; answers it with its records. */
  readonly add: (
    domain: { readonly name: string } | { readonly label: string },
  ) => TE.TaskEither<Problem, Domain>;
  readonly edit: (id: string, change: DomainChange) => TE.TaskEither<Problem, void>;
  /** Asks DNS for the records. */
  readonly check: (id: string) => TE.TaskEither<Problem, void>;
  /** Removes a domain with a toast; the caller has asked for confirmation. */
  readonly remove: (domain: Domain) => TE.TaskEither<Problem, void>;
  /** Copies a value of a record, with a toast. */
  readonly copy: (text: string) => TE.TaskEither<Problem, void>;
  /** The text that was copied a moment ago. */
  readonly copied$: State<string | null>;
  /** Checks a domain again and again while a record is missing, until the returned function is called. */
  readonly watch: (id: string) => () => void;
}

export interface DomainsDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly page: Pick<Page, "copy">;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
}

const toProblem = problemOf({ page: "Failed to load your domains" });
const toAddProblem = problemOf({ page: "Failed to add the domain" });
const toEditProblem = problemOf({ page: "Failed to save the domain" });
const toCheckProblem = problemOf({ page: "Failed to check the domain" });
const toRemoveProblem = problemOf({ page: "Failed to remove the domain" });

const toNewDomain = (
  domain: { readonly name: string } | { readonly label: string },
): E.Either<Failure, { readonly name: DomainName } | { readonly label: string }> => {
  if ("label" in domain) return E.right(domain);
  const name = OwnDomainName.decode(domain.name);
  return E.isRight(name)
    ? E.right({ name: name.right })
    : E.left(invalid([{ field: "name", message: domainMessage }]));
};

const withNewDomain =
  (added: Domain) =>
  (domains: readonly Domain[]): readonly Domain[] =>
    [...domains.filter(({ id }) => id !== added.id), added].toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const createDomains = (
  deps: DomainsDeps,
): Domains & FollowsTopics & { readonly start: () => Subscription } => {
  const { call, clock, store, online$, tabs, masks } = deps;
  const domains = new Collection({
    ...deps,
    fetch: call(listDomains)(),
    items: "domains",
    toProblem,
    cache: createCache(store, clock, storedKeys.cachedDomains, DomainList),
    changes$: deps.updates$.pipe(filter(({ resource }) => resource === "domains")),
  });
  const { copied$, copy } = createCopying<string>(deps);
  const watched$ = createState<string | null>(null);
  const checked$ = combineState([watched$, tabs.visible$, online$], (id, isVisible, isOnline) =>
    isVisible && isOnline ? id : null,
  );
  const check = (id: string): TE.TaskEither<Problem, void> =>
    domains.edit(toCheckProblem, call(checkDomain)({ params: { id }, silent: true }));
  return {
    topics: [{ resource: "domains" }],
    list$: domains.answer$,
    outdated$: domains.outdated$,
    refresh: domains.refresh,
    add: (domain) =>
      domains.request(
        toAddProblem,
        pipe(
          toNewDomain(domain),
          TE.fromEither,
          TE.chain((body) => call(postDomain)({ body })),
        ),
        (added) => {
          domains.updateList(withNewDomain(added));
          domains.reload();
        },
      ),
    edit: (id, edited) => domains.edit(toEditProblem, call(patchDomain)({ params: { id }, body: edited })),
    check,
    remove: ({ id, shownName }) =>
      pipe(
        domains.remove(id, toRemoveProblem, call(deleteDomain)({ params: { id } }), `${shownName} removed`),
        TE.map(() => startTask(masks.refresh())),
      ),
    copied$,
    copy: (text) => copy(text, text, "Copied to clipboard"),
    watch: (id) => {
      watched$.set(id);
      return () => {
        if (watched$.value === id) watched$.set(null);
      };
    },
    start: () => {
      const running = domains.start();
      running.add(
        checkRepeatedly(checked$, {
          scheduler: clock.scheduler,
          find: (id) => domains.list$.value?.find((one) => one.id === id),
          check,
        }).subscribe(),
      );
      return running;
    },
  };
};
