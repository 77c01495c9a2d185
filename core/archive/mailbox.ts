import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, filter, map, merge, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { withNextPage } from "../api/leftOut.ts";
import { postWrittenMail, type WrittenMail } from "../correspondents/correspondentEndpoints.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { decodeBase64 } from "../kernel/base64.ts";
import { orGone } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { toSearchText } from "../kernel/searchText.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { MailPages, pageOfMask } from "../mail/mailPages.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { type ArchivedMail, type ArchivePage, deleteArchivedMail, listArchive } from "./archiveEndpoints.ts";
import { toMbox } from "./mbox.ts";
import { type MailSummary, type OpenedArchivedMail, OpenedMails } from "./openedMails.ts";

/** A mail that is kept in the app. */
export type MailboxMail = ArchivedMail & {
  /** null while it was not opened here. */
  readonly summary: MailSummary | null;
  /** True if it can be read without a connection. */
  readonly isHere: boolean;
};

/** The mail of one mask, or (null) of all, that stays in the app. */
export interface MailboxView {
  readonly maskId: MaskId | null;
  /** Those that the search finds; null while unknown. */
  readonly mails: readonly MailboxMail[] | null;
  /** The number of listed mails, found or not. */
  readonly total: number;
  /** The number of them that were opened here, which the search looks at. */
  readonly searchable: number;
  /** True if older mails exist. */
  readonly more: boolean;
  readonly storage: ArchivePage["storage"] | null;
  readonly search: string;
  /** The reason for which the list is missing or outdated; empty otherwise. */
  readonly message: string;
  /** True if the server can be asked. */
  readonly isOnline: boolean;
}

/** Mail that stays in the app, encrypted to the user's key. */
export interface Mailbox {
  readonly view$: State<MailboxView>;
  /** Loads the mails of a mask or of all, and keeps them up to date until the returned function is called. */
  readonly open: (maskId: MaskId | null) => () => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Lists the mails whose sender, subject or text has these words, among those that were opened here. */
  readonly search: (text: string) => void;
  /** Opens a mail with the keys on this device and marks it as read; without a connection, one that was opened before. */
  readonly read: (id: string) => TE.TaskEither<Problem, OpenedArchivedMail>;
  /** Opens the listed mails that are not too large, so that they have subjects and are searched; they stay unread. */
  readonly openListed: () => Task<void>;
  /** Deletes a mail, with a toast. */
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
  /** Returns a mail as it is stored. */
  readonly download: (id: string) => TE.TaskEither<Problem, Uint8Array<ArrayBuffer>>;
  /** Returns the listed mails as one mbox, encrypted as they are stored. */
  readonly exportListed: () => TE.TaskEither<Problem, Uint8Array<ArrayBuffer>>;
  /** Sends an answer from the mask of a mail, with a toast. */
  readonly reply: (maskId: MaskId, mail: WrittenMail) => TE.TaskEither<Problem, void>;
}

export interface MailboxDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly keyring: Keyring;
  readonly toast: ShowToast;
  readonly online$: State<boolean>;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the mail in the app" });
const toRemoveProblem = problemOf({ page: "Failed to delete the email" });
const toReplyProblem = problemOf({ page: "Failed to send the email" });

const relevantResources: readonly string[] = ["archive", "masks", "mask"];

const finds = (search: string, { summary }: MailboxMail): boolean =>
  toSearchText(search)
    .split(/\s+/)
    .every((word) => word === "" || summary?.searched.includes(word) === true);

/** Returns what the page of a list shows. */
const toView = (
  {
    maskId,
    page,
    message,
  }: { readonly maskId: MaskId | null; readonly page: ArchivePage | null; readonly message: string },
  summaries: ReadonlyMap<string, MailSummary>,
  search: string,
  here: ReadonlySet<string>,
  isOnline: boolean,
): MailboxView => {
  const mails = page?.mails.map(
    (mail): MailboxMail => ({
      ...mail,
      summary: summaries.get(mail.id) ?? null,
      isHere: here.has(mail.id),
    }),
  );
  return {
    maskId,
    mails: (search.trim() === "" ? mails : mails?.filter((mail) => finds(search, mail))) ?? null,
    total: mails?.length ?? 0,
    searchable: mails?.filter(({ summary }) => summary !== null).length ?? 0,
    more: page?.more ?? false,
    storage: page?.storage ?? null,
    search,
    message,
    isOnline,
  };
};

/** Creates the mailbox, which is empty until `open` and when nobody is signed in. */
export const createMailbox = (deps: MailboxDeps): Mailbox & { readonly start: () => Subscription } => {
  const { call, clock, toast, online$ } = deps;
  const owner = createOwner();
  const search$ = createState("");
  const load = (params: { readonly maskId?: string; readonly before?: string }) =>
    pipe(
      call(listArchive)({ params }),
      owner.tap((answer) => {
        const isNewest = params.maskId === undefined && params.before === undefined;
        if (isNewest && E.isRight(answer)) opened.keepPage(answer.right);
      }),
    );
  const isFailed$ = defer(() => pages.view$.pipe(map(({ message }) => message !== "")));
  const pages: MailPages<ArchivePage, Problem> = new MailPages<ArchivePage, Problem>({
    load,
    append: (loaded, next) => ({ ...next, mails: withNextPage(loaded.mails, next.mails) }),
    initial: (maskId) => pageOfMask(opened.keptPage(), maskId),
    toProblem: toListProblem,
    clock,
    user$: deps.user$,
    changes$: merge(
      deps.updates$.pipe(filter(({ resource }) => relevantResources.includes(resource))),
      failedBackOnline(online$, isFailed$, clock.scheduler),
    ),
    visible$: deps.tabs.visible$,
  });
  const listed = (): ArchivePage["mails"] => pages.view$.value.page?.mails ?? [];

  const markRead = (id: string): void =>
    pages.change((page) => ({
      ...page,
      mails: page.mails.map((mail) => (mail.id === id ? { ...mail, read: true } : mail)),
    }));

  const opened = new OpenedMails({ ...deps, owner, listed, onRead: markRead });

  return {
    view$: combineState([pages.view$, opened.summaries$, search$, opened.here$, online$], toView),
    open: (maskId) => {
      opened.showKept();
      return pages.open(maskId);
    },
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
    search: search$.set,
    read: opened.read,
    openListed: opened.openListed,
    remove: (id) =>
      pipe(
        call(deleteArchivedMail)({ params: { id } }),
        orGone,
        TE.bimap(toRemoveProblem, () => {
          opened.forget(id);
          pages.change((page) => ({ ...page, mails: page.mails.filter((mail) => mail.id !== id) }));
          toast("success", "The email was deleted");
          startTask(pages.refresh());
        }),
      ),
    download: (id) => pipe(opened.fetch(id), TE.map(decodeBase64)),
    exportListed: () =>
      pipe(
        listed(),
        TE.traverseSeqArray(({ id, archived }) =>
          pipe(
            opened.fetch(id),
            TE.map((base64) => ({ archived, content: decodeBase64(base64) })),
          ),
        ),
        TE.map(toMbox),
      ),
    reply: (maskId, mail) =>
      pipe(
        call(postWrittenMail)({ params: { id: maskId }, body: mail }),
        TE.bimap(toReplyProblem, () => toast("success", "Your answer is being sent")),
      ),
    start: () => {
      const running = followUser(owner, deps.user$, () => {
        search$.set("");
        opened.reset();
      });
      running.add(pages.start());
      return running;
    },
  };
};
