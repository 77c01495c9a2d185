import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, filter, type Observable, Subscription, startWith, switchMap, throttleTime } from "rxjs";
import type { Failure } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";

/** A page of a list whose older entries are fetched by the id of the last one, newest first. */
interface Page {
  readonly mails: readonly { readonly id: string }[];
  /** Whether older mails exist. */
  readonly more: boolean;
}

/** The mails of one mask, or (null) of all. */
export interface MailPagesView<P> {
  readonly maskId: string | null;
  /** All pages loaded so far as one; null while unknown. */
  readonly page: P | null;
  /** Why the page is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** A list of mails in pages that is kept up to date while it is shown. */
export interface MailPages<P, Problem> {
  readonly view$: State<MailPagesView<P>>;
  /** Loads the mails of a mask or of all, and keeps them up to date until the returned function is called. */
  readonly open: (maskId: string | null) => () => void;
  /** Loads all shown pages again. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists one more page of older mails. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Changes what is shown until the next refresh. */
  readonly change: (project: (page: P) => P) => void;
  readonly start: () => Subscription;
}

export interface MailPagesDeps<P, Problem> {
  /** Requests the page of a mask, or (null) of all, that follows the mail with the id `before`. */
  readonly load: (params: {
    readonly maskId?: string;
    readonly before?: string;
  }) => TE.TaskEither<Failure, P>;
  /** Appends the next page's mails, those that are listed already left out, to a page. */
  readonly append: (loaded: P, next: P) => P;
  /** What is shown of a mask, or (null) of all, until its page is loaded; without it nothing. */
  readonly initial?: (maskId: string | null) => P | null;
  readonly toProblem: (failure: Failure) => Problem;
  readonly clock: Clock;
  readonly user$: Observable<unknown>;
  /** Emits when the list may have changed on the server. */
  readonly changes$: Observable<unknown>;
  readonly visible$: State<boolean>;
}

/** The list is loaded at most this often, however much mail arrives. */
const refreshIntervalMs = 2_000;

/** Creates the list, which is empty until `open` and when nobody is signed in. */
export const createMailPages = <P extends Page, Problem extends { readonly message: string }>(
  deps: MailPagesDeps<P, Problem>,
): MailPages<P, Problem> => {
  const empty: MailPagesView<P> = { maskId: null, page: null, message: "" };
  const view$ = createState(empty);
  /** Holds a new object for every opening, so that only the last one can close the list. */
  const opening$ = createState<object | null>(null);
  const shown$ = combineState([opening$, deps.visible$], (opening, visible) => (visible ? opening : null));
  let pageCount = 1;
  let requestCount = 0;

  const loadPages = (maskId: string | null): TE.TaskEither<Failure, P> => {
    const ofMask = maskId === null ? {} : { maskId };
    const loadMore = (page: P, left: number): TE.TaskEither<Failure, P> => {
      const before = page.mails.at(-1)?.id;
      if (left === 0 || !page.more || before === undefined) return TE.right(page);
      return pipe(
        deps.load({ ...ofMask, before }),
        TE.chain((next) => loadMore(deps.append(page, next), left - 1)),
      );
    };
    return pipe(
      deps.load(ofMask),
      TE.chain((newest) => loadMore(newest, pageCount - 1)),
    );
  };
  const refresh: TE.TaskEither<Problem, void> = deferTask(() => {
    requestCount += 1;
    const [thisRequest, { maskId }] = [requestCount, view$.value];
    /** Ignores the answer when a later request has started, or another mask is shown. */
    const show = (change: Partial<MailPagesView<P>>): void => {
      if (thisRequest === requestCount && view$.value.maskId === maskId)
        view$.update((before) => ({ ...before, ...change }));
    };
    return pipe(
      loadPages(maskId),
      TE.map((page) => show({ page, message: "" })),
      TE.mapLeft((failure) => {
        const problem = deps.toProblem(failure);
        show({ message: problem.message });
        return problem;
      }),
    );
  });
  const showOlder = deferTask(() => {
    pageCount += 1;
    return refresh;
  });
  const refreshes$ = (): Observable<unknown> =>
    deps.changes$.pipe(
      startWith(null),
      throttleTime(refreshIntervalMs, deps.clock.scheduler, { leading: true, trailing: true }),
    );
  return {
    view$,
    open: (maskId) => {
      pageCount = 1;
      if (view$.value.maskId !== maskId) view$.set({ ...empty, maskId });
      if (view$.value.page === null)
        view$.update((before) => ({ ...before, page: deps.initial?.(maskId) ?? null }));
      const opening = {};
      opening$.set(opening);
      return () => {
        if (opening$.value === opening) opening$.set(null);
      };
    },
    refresh: () => refresh,
    showOlder: () => showOlder,
    change: (project) => view$.update((before) => ({ ...before, page: before.page && project(before.page) })),
    start: () => {
      const running = new Subscription();
      running.add(deps.user$.pipe(filter((user) => user === null)).subscribe(() => view$.set(empty)));
      running.add(
        shown$.pipe(switchMap((shown) => (shown ? refreshes$() : EMPTY))).subscribe(() => startTask(refresh)),
      );
      return running;
    },
  };
};
