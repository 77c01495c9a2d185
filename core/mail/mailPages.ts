import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, filter, type Observable, type Subscription, startWith, switchMap, throttleTime } from "rxjs";
import type { Failure } from "../kernel/failure.ts";
import { combineState, createState, type State, type WritableState } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";

/** A page of a list whose older entries are fetched by the id of the last one, newest first. */
interface Page {
  readonly mails: readonly { readonly id: string }[];
  /** True if older mails exist. */
  readonly more: boolean;
}

/** The mails of one mask, or (null) of all. */
export interface MailPagesView<P> {
  readonly maskId: string | null;
  /** All pages loaded so far as one; null while unknown. */
  readonly page: P | null;
  /** The reason for which the page is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** Returns what a page of all masks has of one; null for a mask that may have older mails alone. */
export const pageOfMask = <
  M extends { readonly maskId: string | null },
  P extends { readonly mails: readonly M[]; readonly more: boolean },
>(
  page: P | null,
  maskId: string | null,
): P | null => {
  if (maskId === null || page === null) return page;
  const mails = page.mails.filter((mail) => mail.maskId === maskId);
  return mails.length === 0 && page.more ? null : { ...page, mails };
};

export interface MailPagesDeps<P, Problem> {
  /** Requests the page of a mask, or (null) of all, that follows the mail with the id `before`. */
  readonly load: (params: {
    readonly maskId?: string;
    readonly before?: string;
  }) => TE.TaskEither<Failure, P>;
  /** Appends the next page's mails, those that are listed already left out, to a page. */
  readonly append: (loaded: P, next: P) => P;
  /** Returns what is shown of a mask, or (null) of all, until its page is loaded; without it nothing. */
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

const nothingOf = <P>(maskId: string | null): MailPagesView<P> => ({ maskId, page: null, message: "" });

/** A list of mails in pages that is kept up to date while it is shown; it is empty until `open` and when nobody is signed in. */
export class MailPages<P extends Page, Problem extends { readonly message: string }> {
  readonly view$: State<MailPagesView<P>>;
  readonly #deps: MailPagesDeps<P, Problem>;
  readonly #view$: WritableState<MailPagesView<P>>;
  /** Holds a new object for every opening, so that only the last one can close the list. */
  readonly #opening$ = createState<object | null>(null);
  #pageCount = 1;
  #requestCount = 0;

  constructor(deps: MailPagesDeps<P, Problem>) {
    this.#deps = deps;
    this.#view$ = createState(nothingOf<P>(null));
    this.view$ = this.#view$;
  }

  /** Loads the mails of a mask or of all, and keeps them up to date until the returned function is called. */
  open(maskId: string | null): () => void {
    this.#pageCount = 1;
    if (this.view$.value.maskId !== maskId) this.#view$.set(nothingOf(maskId));
    if (this.view$.value.page === null) this.#update({ page: this.#deps.initial?.(maskId) ?? null });
    const opening = {};
    this.#opening$.set(opening);
    return () => {
      if (this.#opening$.value === opening) this.#opening$.set(null);
    };
  }

  /** Loads all shown pages again. */
  refresh(): TE.TaskEither<Problem, void> {
    return deferTask(() => {
      this.#requestCount += 1;
      const thisRequest = this.#requestCount;
      const { maskId } = this.view$.value;
      /** Ignores the answer when a later request has started, or another mask is shown. */
      const show = (change: Partial<MailPagesView<P>>): void => {
        if (thisRequest === this.#requestCount && this.view$.value.maskId === maskId) this.#update(change);
      };
      return pipe(
        this.#loadPages(maskId),
        TE.map((page) => show({ page, message: "" })),
        TE.mapLeft((failure) => {
          const problem = this.#deps.toProblem(failure);
          show({ message: problem.message });
          return problem;
        }),
      );
    });
  }

  /** Lists one more page of older mails. */
  showOlder(): TE.TaskEither<Problem, void> {
    return deferTask(() => {
      this.#pageCount += 1;
      return this.refresh();
    });
  }

  /** Changes what is shown until the next refresh. */
  change(project: (page: P) => P): void {
    this.#view$.update((before) => ({ ...before, page: before.page && project(before.page) }));
  }

  start(): Subscription {
    const { user$, visible$ } = this.#deps;
    const shown$ = combineState([this.#opening$, visible$], (opening, visible) => (visible ? opening : null));
    const running = user$
      .pipe(filter((user) => user === null))
      .subscribe(() => this.#view$.set(nothingOf(null)));
    running.add(
      shown$
        .pipe(switchMap((shown) => (shown ? this.#refreshes$() : EMPTY)))
        .subscribe(() => startTask(this.refresh())),
    );
    return running;
  }

  #update(change: Partial<MailPagesView<P>>): void {
    this.#view$.update((before) => ({ ...before, ...change }));
  }

  #loadPages(maskId: string | null): TE.TaskEither<Failure, P> {
    const { load, append } = this.#deps;
    const ofMask = maskId === null ? {} : { maskId };
    const loadMore = (page: P, left: number): TE.TaskEither<Failure, P> => {
      const before = page.mails.at(-1)?.id;
      if (left === 0 || !page.more || before === undefined) return TE.right(page);
      return pipe(
        load({ ...ofMask, before }),
        TE.chain((next) => loadMore(append(page, next), left - 1)),
      );
    };
    return pipe(
      load(ofMask),
      TE.chain((newest) => loadMore(newest, this.#pageCount - 1)),
    );
  }

  #refreshes$(): Observable<unknown> {
    const { changes$, clock } = this.#deps;
    return changes$.pipe(
      startWith(null),
      throttleTime(refreshIntervalMs, clock.scheduler, { leading: true, trailing: true }),
    );
  }
}
