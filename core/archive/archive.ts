import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, filter, type Observable, Subscription, startWith, switchMap, throttleTime } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type ArchivePage, deleteArchivedMail, getArchivedContent, listArchive } from "./archiveEndpoints.ts";

/** Appends the next page to `loaded`; a mail that both contain is listed once. */
const appendPage = (loaded: ArchivePage, next: ArchivePage): ArchivePage => {
  const ids = new Set(loaded.mails.map(({ id }) => id));
  return { ...next, mails: [...loaded.mails, ...next.mails.filter(({ id }) => !ids.has(id))] };
};

const loadArchive = (call: Call, maskId: MaskId, pages: number): TE.TaskEither<Failure, ArchivePage> => {
  const request = call(listArchive);
  const loadMore = (page: ArchivePage, left: number): TE.TaskEither<Failure, ArchivePage> => {
    const before = page.mails.at(-1)?.id;
    if (left === 0 || !page.more || before === undefined) return TE.right(page);
    return pipe(
      request({ params: { maskId, before } }),
      TE.chain((next) => loadMore(appendPage(page, next), left - 1)),
    );
  };
  return pipe(
    request({ params: { maskId } }),
    TE.chain((newest) => loadMore(newest, pages - 1)),
  );
};

/** The archived mail of a mask; null while unknown. */
export interface ArchiveView {
  readonly maskId: MaskId | null;
  readonly page: ArchivePage | null;
  /** Why the page is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** Mail that rules stored instead of forwarding it (D32). */
export interface Archive {
  readonly view$: State<ArchiveView>;
  /** Loads a mask's archive and keeps it up to date until the returned function is called. */
  readonly open: (maskId: MaskId) => () => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists one more page of older mails. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Returns the stored mail in base 64 and marks it as read. */
  readonly fetchContent: (id: string) => TE.TaskEither<Problem, string>;
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
}

export interface ArchiveDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the archive" });
const toContentProblem = problemOf({ page: "Failed to load the mail" });
const toRemoveProblem = problemOf({ page: "Failed to delete the mail" });

const emptyView: ArchiveView = { maskId: null, page: null, message: "" };

const relevantResources: readonly string[] = ["archive", "masks", "mask"];

/** The archive is loaded at most this often, however much mail arrives. */
const refreshIntervalMs = 2_000;

export const createArchive = (deps: ArchiveDeps): Archive & { readonly start: () => Subscription } => {
  const { call, clock, toast } = deps;
  const view$ = createState(emptyView);
  /** Holds a new object for every opening, so that only the last one can close the archive. */
  const opening$ = createState<{ readonly maskId: MaskId } | null>(null);
  const shown$ = combineState([opening$, deps.tabs.visible$], (opening, visible) =>
    visible ? opening : null,
  );
  let pageCount = 1;
  let requestCount = 0;

  const refresh: TE.TaskEither<Problem, void> = deferTask(() => {
    const { maskId } = view$.value;
    if (maskId === null) return TE.right(undefined);
    requestCount += 1;
    const thisRequest = requestCount;
    /** Ignores the answer when a later request has started. */
    const show = (view: Partial<ArchiveView>): void => {
      if (thisRequest === requestCount && view$.value.maskId === maskId)
        view$.update((before) => ({ ...before, ...view }));
    };
    return pipe(
      loadArchive(call, maskId, pageCount),
      TE.map((page) => show({ page, message: "" })),
      TE.mapLeft((failure) => {
        const problem = toListProblem(failure);
        show({ message: problem.message });
        return problem;
      }),
    );
  });
  const markRead = (id: string): void =>
    view$.update((before) => ({
      ...before,
      page: before.page && {
        ...before.page,
        mails: before.page.mails.map((mail) => (mail.id === id ? { ...mail, read: true } : mail)),
      },
    }));
  const showOlder = deferTask(() => {
    pageCount += 1;
    return refresh;
  });
  const refreshes$ = (): Observable<unknown> =>
    deps.updates$.pipe(
      filter(({ resource }) => relevantResources.includes(resource)),
      startWith(null),
      throttleTime(refreshIntervalMs, clock.scheduler, { leading: true, trailing: true }),
    );
  const showProblem = (problem: Problem): Problem => {
    toast("error", problem.message);
    return problem;
  };
  return {
    view$,
    open: (maskId) => {
      pageCount = 1;
      if (view$.value.maskId !== maskId) view$.set({ ...emptyView, maskId });
      const opening = { maskId };
      opening$.set(opening);
      return () => {
        if (opening$.value === opening) opening$.set(null);
      };
    },
    refresh: () => refresh,
    showOlder: () => showOlder,
    fetchContent: (id) =>
      pipe(
        call(getArchivedContent)({ params: { id } }),
        TE.bimap(
          (failure) => showProblem(toContentProblem(failure)),
          ({ content }) => {
            markRead(id);
            return content;
          },
        ),
      ),
    remove: (id) =>
      pipe(
        call(deleteArchivedMail)({ params: { id } }),
        TE.mapLeft((failure) => showProblem(toRemoveProblem(failure))),
        TE.chain(() => refresh),
      ),
    start: () => {
      const running = new Subscription();
      running.add(deps.user$.pipe(filter((user) => user === null)).subscribe(() => view$.set(emptyView)));
      running.add(
        shown$.pipe(switchMap((shown) => (shown ? refreshes$() : EMPTY))).subscribe(() => startTask(refresh)),
      );
      return running;
    },
  };
};
