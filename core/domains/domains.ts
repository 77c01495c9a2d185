import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, invalid, orGone } from "../kernel/failure.ts";
import { orStale } from "../kernel/resource.ts";
import { combineState, createState, mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { DomainName } from "../mail/domainName.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type Outdated, SavedResource } from "../storage/savedResource.ts";
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

export interface DomainsDeps {
  readonly call: Call;
  readonly toast: ShowToast;
  readonly clock: Clock;
  readonly store: Store;
  readonly page: Pick<Page, "copy">;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly online$: State<boolean>;
  readonly tabs: { readonly visible$: State<boolean> };
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
}

const toListProblem = problemOf({ page: "Failed to load your domains" });
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

type Change = (list: DomainList) => DomainList;

const withDomain =
  (changed: Domain): Change =>
  (list) => ({ ...list, domains: list.domains.map((one) => (one.id === changed.id ? changed : one)) });

const withNewDomain =
  (added: Domain): Change =>
  (list) => ({
    ...list,
    domains: [...list.domains.filter(({ id }) => id !== added.id), added].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
  });

const withoutDomain =
  (id: string): Change =>
  (list) => ({ ...list, domains: list.domains.filter((one) => one.id !== id) });

export const createDomains = ({
  call,
  toast,
  clock,
  store,
  page,
  user$,
  updates$,
  online$,
  tabs,
  masks,
}: DomainsDeps): Domains & FollowsTopics & { readonly start: () => Subscription } => {
  const resource = new SavedResource<DomainList | null>({
    store,
    clock,
    online$,
    key: storedKeys.cachedDomains,
    codec: DomainList,
    initial: null,
    fetch: call(listDomains)(),
  });
  const list$ = mapState(resource.state$, ({ value }) => value);
  const { copied$, copy } = createCopying<string>({ clock, page, toast });
  const watched$ = createState<string | null>(null);
  const checked$ = combineState([watched$, tabs.visible$, online$], (id, isVisible, isOnline) =>
    isVisible && isOnline ? id : null,
  );

  const change = (to: Change): void => resource.put((list) => list && to(list));
  const put = (changed: Domain): void => change(withDomain(changed));
  const check = (id: string): TE.TaskEither<Problem, void> =>
    pipe(call(checkDomain)({ params: { id }, silent: true }), TE.bimap(toCheckProblem, put));

  return {
    topics: [{ resource: "domains" }],
    list$,
    outdated$: resource.outdated$,
    refresh: () => pipe(orStale(resource), TE.mapLeft(toListProblem)),
    add: (domain) =>
      pipe(
        toNewDomain(domain),
        TE.fromEither,
        TE.chain((body) => call(postDomain)({ body })),
        TE.mapLeft(toAddProblem),
        TE.tapIO((added) => () => {
          change(withNewDomain(added));
          startTask(resource.load);
        }),
      ),
    edit: (id, edited) =>
      pipe(call(patchDomain)({ params: { id }, body: edited }), TE.bimap(toEditProblem, put)),
    check,
    remove: ({ id, shownName }) =>
      pipe(
        call(deleteDomain)({ params: { id } }),
        orGone,
        TE.bimap(toRemoveProblem, () => {
          change(withoutDomain(id));
          toast("success", `${shownName} removed`);
          startTask(resource.load);
          startTask(masks.refresh());
        }),
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
      const running = resource.follow(user$);
      running.add(
        updates$
          .pipe(filter(({ resource: name }) => name === "domains"))
          .subscribe(() => startTask(resource.load)),
      );
      running.add(
        checkRepeatedly(checked$, {
          scheduler: clock.scheduler,
          find: (id) => list$.value?.domains.find((one) => one.id === id),
          check,
        }).subscribe(),
      );
      return running;
    },
  };
};
