import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, filter, type Observable, Subscription, startWith, switchMap, throttleTime } from "rxjs";
import type { User } from "../account/user.ts";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import type { ArchivePage } from "./archivedMail.ts";
import { deleteArchivedMail, takeArchivedMail } from "./archiveEndpoints.ts";
import { readArchive } from "./readArchive.ts";

/** A mask's archived mail; null while it is not known. */
export interface ArchiveView {
  readonly maskId: MaskId | null;
  readonly page: ArchivePage | null;
  /** Why it is not known, or not what it is now; empty while all is well. */
  readonly sentence: string;
}

/** Mail that rules have kept instead of sending it on (D32). */
export interface Archive {
  readonly view$: State<ArchiveView>;
  /** That of a mask is looked at from now on, until what this hands back is called: read now and kept up to date. */
  readonly open: (maskId: MaskId) => () => void;
  /** Reads again what is listed. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists a page of older ones, too. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** The mail as it was kept, in base 64; it counts as read then. */
  readonly take: (id: string) => TE.TaskEither<Problem, string>;
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
}

export interface ArchiveNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const listing = problemOf({ here: "Failed to load the archive" });
const taking = problemOf({ here: "Failed to load the mail" });
const removing = problemOf({ here: "Failed to delete the mail" });

const nothing: ArchiveView = { maskId: null, page: null, sentence: "" };

/** What is said to have changed when a mail is archived, read or deleted. */
const moving: readonly string[] = ["archive", "masks", "mask"];

/** However much mail comes, it is read at most this often. */
const liveEachMs = 2_000;

export const makeArchive = (needs: ArchiveNeeds): Archive & { readonly start: () => Subscription } => {
  const { call, clock, toast } = needs;
  const view$ = makeState(nothing);
  /** Another one each time somebody begins to look. */
  const opening$ = makeState<{ readonly maskId: MaskId } | null>(null);
  const shown$ = combineState([opening$, needs.tabs.visible$], (opening, visible) =>
    visible ? opening : null,
  );
  let pages = 1;
  let readings = 0;

  const refresh = (): TE.TaskEither<Problem, void> => () => {
    const { maskId } = view$.value;
    if (maskId === null) return TE.right(undefined)();
    readings += 1;
    const thisReading = readings;
    /** A later reading knows better. */
    const show = (view: Partial<ArchiveView>): void => {
      if (thisReading === readings && view$.value.maskId === maskId)
        view$.update((before) => ({ ...before, ...view }));
    };
    return pipe(
      readArchive(call, maskId, pages),
      TE.map((page) => show({ page, sentence: "" })),
      TE.mapLeft((failure) => {
        const problem = listing(failure);
        show({ sentence: problem.sentence });
        return problem;
      }),
    )();
  };
  const markRead = (id: string): void =>
    view$.update((before) => ({
      ...before,
      page: before.page && {
        ...before.page,
        mails: before.page.mails.map((mail) => (mail.id === id ? { ...mail, read: true } : mail)),
      },
    }));
  const showOlder = (): TE.TaskEither<Problem, void> => () => {
    pages += 1;
    return refresh()();
  };
  const whileShown$ = (): Observable<unknown> =>
    needs.updates$.pipe(
      filter(({ resource }) => moving.includes(resource)),
      startWith(null),
      throttleTime(liveEachMs, clock.scheduler, { leading: true, trailing: true }),
    );
  const said = (problem: Problem): Problem => {
    toast("error", problem.sentence);
    return problem;
  };
  return {
    view$,
    open: (maskId) => {
      pages = 1;
      if (view$.value.maskId !== maskId) view$.set({ ...nothing, maskId });
      const opening = { maskId };
      opening$.set(opening);
      return () => {
        if (opening$.value === opening) opening$.set(null);
      };
    },
    refresh,
    showOlder,
    take: (id) =>
      pipe(
        call(takeArchivedMail)({ params: { id } }),
        TE.bimap(
          (failure) => said(taking(failure)),
          ({ content }) => {
            markRead(id);
            return content;
          },
        ),
      ),
    remove: (id) =>
      pipe(
        call(deleteArchivedMail)({ params: { id } }),
        TE.mapLeft((failure) => said(removing(failure))),
        TE.chain(() => refresh()),
      ),
    start: () => {
      const running = new Subscription();
      running.add(needs.user$.pipe(filter((user) => user === null)).subscribe(() => view$.set(nothing)));
      running.add(
        shown$.pipe(switchMap((shown) => (shown ? whileShown$() : EMPTY))).subscribe(() => void refresh()()),
      );
      return running;
    },
  };
};
