import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, map, type Observable, type SchedulerLike, Subscription } from "rxjs";
import { failedBackOnline } from "./backOnline.ts";
import { type Failure, orGone } from "./failure.ts";
import { emailsOf } from "./owner.ts";
import { isFetchFailed, orStale, Resource, type ResourceCache } from "./resource.ts";
import { combineState, mapState, type State } from "./state.ts";
import { mapResult, startTask } from "./task.ts";
import type { ShowToast } from "./toast.ts";

/** The server cannot be asked, so what is shown may have changed there. */
export interface Outdated {
  /** True if there is a connection, and so the server has failed to answer. */
  readonly isOnline: boolean;
  /** The time at which the server last confirmed what is shown, in milliseconds since 1970; null when that was not stored. */
  readonly asOf: number | null;
}

/** A thing of a collection, which is known by its id, or by its name where it has none. */
interface Thing {
  readonly id?: string;
  readonly name?: string | null;
}

const keyOf = ({ id, name }: Thing): unknown => id ?? name;

/** Sends a request; `settle` gets its answer, unless the user has changed in the meantime. */
export type OwnedRequest = <P, A>(
  toProblem: (failure: Failure) => P,
  task: TaskEither<Failure, A>,
  settle?: (answer: A) => void,
) => TaskEither<P, A>;

/** What a collection takes of the session that it belongs to. */
export interface CollectionDeps {
  readonly clock: { readonly scheduler: SchedulerLike };
  readonly toast: ShowToast;
  readonly online$: State<boolean>;
  readonly user$: Observable<{ readonly email: string } | null>;
}

interface CollectionOptions<A, K, P> extends CollectionDeps {
  readonly fetch: TaskEither<Failure, A>;
  /** The part of the answer that lists the things. */
  readonly items: K;
  readonly toProblem: (failure: Failure) => P;
  /** The stored copy of the answer: of any age, it is shown while the server is asked or cannot be asked. */
  readonly cache?: ResourceCache<A>;
  /** Emits when the list may have changed on the server. */
  readonly changes$?: Observable<unknown>;
}

/**
 * The things of one kind that a user owns, as the server lists them: loaded on `refresh`, and again after a removal, after
 * changes elsewhere, and once the connection is back after a failure. What the server has confirmed shows at once; all is
 * forgotten when the user changes.
 */
export class Collection<K extends string, A extends Readonly<Record<K, readonly Thing[]>>, P> {
  /** The answer of the server with the changes since; null until it is loaded. */
  readonly answer$: State<A | null>;
  readonly list$: State<A[K] | null>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the list; succeeds also when the server cannot be reached and a stored copy is shown. */
  readonly refresh: () => TaskEither<P, void>;
  readonly #resource: Resource<A | null>;
  readonly #items: K;
  readonly #deps: CollectionDeps;
  readonly #changes$: Observable<unknown>;

  constructor({ fetch, items, toProblem, cache, changes$ = EMPTY, ...deps }: CollectionOptions<A, K, P>) {
    const resource = new Resource<A | null>({
      initial: null,
      fetch,
      ...(cache && { cache, showsOldCache: true }),
      merge: (known, answer, isNewer) => (known !== null && isNewer() ? known : answer),
    });
    this.answer$ = mapState(resource.state$, ({ value }) => value);
    this.list$ = mapState(this.answer$, (answer) => (answer === null ? null : answer[items]));
    this.outdated$ = combineState([resource.state$, deps.online$], ({ status }, isOnline) =>
      isOnline && status !== "stale"
        ? null
        : { isOnline, asOf: cache?.read(resource.owner.current() ?? "")?.savedAt ?? null },
    );
    const load = cache === undefined ? resource.load : orStale(resource);
    this.refresh = () => pipe(load, TE.mapLeft(toProblem));
    this.#resource = resource;
    this.#items = items;
    this.#deps = deps;
    this.#changes$ = changes$;
  }

  /** Reads the list again, while what is known is shown. */
  readonly reload = (): void => startTask(this.#resource.load);

  /** Forgets what was loaded, for a list of another thing of the same user; answers that are under way are ignored. */
  forget(): void {
    this.#resource.setOwner(this.#resource.owner.current());
  }

  /** Changes the answer as the server has confirmed it; does nothing before it is loaded. */
  update(change: (answer: A) => A): void {
    this.#resource.put((answer) => answer && change(answer));
  }

  /** Changes the list likewise. */
  readonly updateList = (change: (list: A[K]) => readonly A[K][number][]): void =>
    this.update((answer) => ({ ...answer, [this.#items]: change(answer[this.#items]) }));

  readonly addFirst = (added: A[K][number]): void => this.updateList((list) => [added, ...list]);

  readonly replace = (changed: A[K][number]): void =>
    this.updateList((list) => list.map((one) => (keyOf(one) === keyOf(changed) ? changed : one)));

  readonly request: OwnedRequest = (toProblem, task, settle = () => {}) =>
    pipe(task, this.#resource.owner.tap(E.match(() => {}, settle)), mapResult(E.mapLeft(toProblem)));

  /** Sends a change that is answered with the changed thing. */
  edit(
    toProblem: (failure: Failure) => P,
    task: TaskEither<Failure, A[K][number]>,
    settle: (changed: A[K][number]) => void = () => {},
  ): TaskEither<P, void> {
    const show = (changed: A[K][number]): void => {
      this.replace(changed);
      settle(changed);
    };
    return pipe(
      this.request(toProblem, task, show),
      TE.map(() => undefined),
    );
  }

  /** Removes a thing with a toast, and reads the list again; succeeds when the thing is gone already. */
  remove(
    key: string,
    toProblem: (failure: Failure) => P,
    deletion: TaskEither<Failure, void>,
    done: string,
  ): TaskEither<P, void> {
    return this.request(toProblem, orGone(deletion), () => {
      this.updateList((list) => list.filter((one) => keyOf(one) !== key));
      this.#deps.toast("success", done);
      this.reload();
    });
  }

  readonly start = (): Subscription => {
    const { clock, online$, user$ } = this.#deps;
    const isFailed$ = this.#resource.state$.pipe(map(isFetchFailed));
    const running = new Subscription();
    running.add(emailsOf(user$).subscribe((email) => this.#resource.setOwner(email)));
    running.add(failedBackOnline(online$, isFailed$, clock.scheduler).subscribe(this.reload));
    running.add(this.#changes$.subscribe(this.reload));
    return running;
  };
}
