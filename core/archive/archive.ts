import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { User } from "../account/user.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { MaskId } from "../masks/mask.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ToastKind } from "../toasts/toast.ts";
import type { ArchivePage } from "./archivedMail.ts";
import { deleteArchivedMail, listArchive, takeArchivedMail } from "./archiveEndpoints.ts";

/** A mask's archived mail; null while it is not known. */
export interface ArchiveView {
  readonly maskId: MaskId | null;
  readonly page: ArchivePage | null;
  /** Why it is not known; empty while all is well. */
  readonly sentence: string;
}

/** Mail that rules have kept instead of sending it on (D32). */
export interface Archive {
  readonly view$: State<ArchiveView>;
  /** Lists the newest of a mask, and again when something of it changes. */
  readonly look: (maskId: MaskId) => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** The mail as it was kept, in base 64; it counts as read then. */
  readonly take: (id: string) => TE.TaskEither<Problem, string>;
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
}

export interface ArchiveNeeds {
  readonly call: Call;
  readonly toast: (kind: ToastKind, text: string) => void;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
}

const listing = problemOf({ here: "Failed to load the archive" });
const taking = problemOf({ here: "Failed to load the mail" });
const removing = problemOf({ here: "Failed to delete the mail" });

const nothing: ArchiveView = { maskId: null, page: null, sentence: "" };

export const makeArchive = (needs: ArchiveNeeds): Archive & { readonly start: () => Subscription } => {
  const { call, toast } = needs;
  const view$ = makeState(nothing);

  const refresh = (): TE.TaskEither<Problem, void> => () => {
    const { maskId } = view$.value;
    if (maskId === null) return TE.right(undefined)();
    const show = (view: Partial<ArchiveView>): void => {
      if (view$.value.maskId === maskId) view$.update((before) => ({ ...before, ...view }));
    };
    return pipe(
      call(listArchive)({ params: { maskId } }),
      TE.map((page) => show({ page, sentence: "" })),
      TE.mapLeft((failure) => {
        const problem = listing(failure);
        show({ sentence: problem.sentence });
        return problem;
      }),
    )();
  };
  const said = (problem: Problem): Problem => {
    toast("error", problem.sentence);
    return problem;
  };
  return {
    view$,
    look: (maskId) => {
      if (view$.value.maskId !== maskId) view$.set({ ...nothing, maskId });
      void refresh()();
    },
    refresh,
    take: (id) =>
      pipe(
        call(takeArchivedMail)({ params: { id } }),
        TE.bimap(
          (failure) => said(taking(failure)),
          ({ content }) => content,
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
        needs.updates$
          .pipe(filter(({ resource }) => ["archive", "masks", "mask"].includes(resource)))
          .subscribe(() => void refresh()()),
      );
      return running;
    },
  };
};
