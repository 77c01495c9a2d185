import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { withNextPage } from "../api/leftOut.ts";
import type { State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { MailPages, type MailPagesView } from "../mail/mailPages.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type ArchivePage, deleteArchivedMail, getArchivedContent, listArchive } from "./archiveEndpoints.ts";

/** Mail that rules stored instead of forwarding it (D32). */
export interface Archive {
  readonly view$: State<MailPagesView<ArchivePage>>;
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
const toContentProblem = problemOf({ page: "Failed to load the email" });
const toRemoveProblem = problemOf({ page: "Failed to delete the email" });

const relevantResources: readonly string[] = ["archive", "masks", "mask"];

export const createArchive = (deps: ArchiveDeps): Archive & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const pages = new MailPages<ArchivePage, Problem>({
    load: (params) => call(listArchive)({ params }),
    append: (loaded, next) => ({ ...next, mails: withNextPage(loaded.mails, next.mails) }),
    toProblem: toListProblem,
    clock: deps.clock,
    user$: deps.user$,
    changes$: deps.updates$.pipe(filter(({ resource }) => relevantResources.includes(resource))),
    visible$: deps.tabs.visible$,
  });
  const markRead = (id: string): void =>
    pages.change((page) => ({
      ...page,
      mails: page.mails.map((mail) => (mail.id === id ? { ...mail, read: true } : mail)),
    }));
  const showProblem = (problem: Problem): Problem => {
    toast("error", problem.message);
    return problem;
  };
  return {
    view$: pages.view$,
    open: (maskId) => pages.open(maskId),
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
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
        TE.chain(() => pages.refresh()),
      ),
    start: () => pages.start(),
  };
};
