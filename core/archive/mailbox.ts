import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, filter, map, merge, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { withNextPage } from "../api/leftOut.ts";
import { postWrittenMail, type WrittenMail } from "../correspondents/correspondentEndpoints.ts";
import { refusalProblem } from "../encryption/encryptionMessages.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { decodeBase64 } from "../kernel/base64.ts";
import { orGone } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { toSearchText } from "../kernel/searchText.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { htmlToText } from "../mail/htmlText.ts";
import { MailPages, pageOfMask } from "../mail/mailPages.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring, OpenedMail } from "../ports/keyring.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import {
  type ArchivedMail,
  type ArchivePage,
  deleteArchivedMail,
  getArchivedContent,
  listArchive,
} from "./archiveEndpoints.ts";
import { createKeptCopies } from "./keptCopies.ts";
import { toMbox } from "./mbox.ts";

/** What a list shows of a mail that was opened on this device. */
interface MailSummary extends Pick<OpenedMail, "subject" | "from" | "date"> {
  /** All that a search looks at, as it compares it. */
  readonly searched: string;
}

/** A mail that is kept in the app. */
export type MailboxMail = ArchivedMail & {
  /** null while it was not opened here. */
  readonly summary: MailSummary | null;
  /** Whether it can be read without a connection. */
  readonly isHere: boolean;
};

/** The mail of one mask, or (null) of all, that stays in the app. */
export interface MailboxView {
  readonly maskId: MaskId | null;
  /** Those that the search finds; null while unknown. */
  readonly mails: readonly MailboxMail[] | null;
  /** How many are listed, found or not. */
  readonly total: number;
  /** How many of them were opened here, which the search looks at. */
  readonly searchable: number;
  /** Whether older mails exist. */
  readonly more: boolean;
  readonly storage: ArchivePage["storage"] | null;
  readonly search: string;
  /** Why the list is missing or outdated; empty otherwise. */
  readonly message: string;
  /** Whether the server can be asked. */
  readonly isOnline: boolean;
}

/** A stored mail, and what it says. */
export interface OpenedArchivedMail {
  readonly id: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly opened: OpenedMail;
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
  readonly openListed: () => T.Task<void>;
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

/** A larger mail is opened when its reader asks for it. */
const maxOpenedAlone = 512 * 1024;
const maxSearchedCharacters = 20_000;

const toListProblem = problemOf({ page: "Failed to load the mail in the app" });
const toReadProblem = problemOf({ page: "Failed to load the mail" });
const toRemoveProblem = problemOf({ page: "Failed to delete the mail" });
const toReplyProblem = problemOf({ page: "Failed to send the mail" });

const relevantResources: readonly string[] = ["archive", "masks", "mask"];

const summaryOf = ({ subject, from, date, text, html }: OpenedMail): MailSummary => {
  const body = (text ?? htmlToText(html ?? "", maxSearchedCharacters)).slice(0, maxSearchedCharacters);
  return { subject, from, date, searched: toSearchText(`${subject}\n${from}\n${body}`) };
};

const finds = (search: string, { summary }: MailboxMail): boolean =>
  toSearchText(search)
    .split(/\s+/)
    .every((word) => word === "" || summary?.searched.includes(word) === true);

/** Creates the mailbox, which is empty until `open` and when nobody is signed in. */
export const createMailbox = (deps: MailboxDeps): Mailbox & { readonly start: () => Subscription } => {
  const { call, clock, keyring, toast, online$ } = deps;
  const owner = createOwner();
  const copies = createKeptCopies(deps.store, clock);
  const summaries$ = createState<ReadonlyMap<string, MailSummary>>(new Map());
  const search$ = createState("");
  const here$ = createState<ReadonlySet<string>>(new Set());
  const asOwner = <A>(use: (email: string) => A, otherwise: A): A => {
    const email = owner.current();
    return email === null ? otherwise : use(email);
  };
  const showHere = (): void => here$.set(new Set(asOwner(copies.contents, new Map<string, string>()).keys()));

  const load = (params: { readonly maskId?: string; readonly before?: string }) =>
    pipe(
      call(listArchive)({ params }),
      owner.tap((answer) => {
        const isNewest = params.maskId === undefined && params.before === undefined;
        if (isNewest && E.isRight(answer))
          asOwner((email) => copies.keepPage(email, answer.right), undefined);
      }),
    );
  const isFailed$ = defer(() => pages.view$.pipe(map(({ message }) => message !== "")));
  const pages: MailPages<ArchivePage, Problem> = new MailPages<ArchivePage, Problem>({
    load,
    append: (loaded, next) => ({ ...next, mails: withNextPage(loaded.mails, next.mails) }),
    initial: (maskId) => pageOfMask(asOwner(copies.page, null), maskId),
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

  const copiesHere = (): ReadonlyMap<string, string> => asOwner(copies.contents, new Map());

  /** Fetches a mail, or takes the copy on this device. */
  const contentOf = (id: string, marksRead: boolean, here = copiesHere()): TE.TaskEither<Problem, string> => {
    const copy = here.get(id);
    const isRead = listed().find((mail) => mail.id === id)?.read ?? false;
    if (copy !== undefined && (isRead || !marksRead || !online$.value)) return TE.right(copy);
    return pipe(
      call(getArchivedContent)({ params: { id, ...(!marksRead && { keepUnread: true }) } }),
      TE.bimap(toReadProblem, ({ content }) => {
        if (marksRead) markRead(id);
        return content;
      }),
    );
  };
  /** Opens a mail. What is encrypted is kept on this device if `keeps` says so; nothing readable is. */
  const openContent = (
    id: string,
    base64: string,
    keeps: boolean,
  ): TE.TaskEither<Problem, OpenedArchivedMail> =>
    deferTask(() => {
      const content = decodeBase64(base64);
      return pipe(
        keyring.open(owner.current() ?? "", content),
        TE.bimap(refusalProblem, (opened) => {
          summaries$.update((before) => new Map(before).set(id, summaryOf(opened)));
          if (keeps && opened.wasEncrypted) {
            asOwner((email) => copies.keep(email, id, base64), undefined);
            showHere();
          }
          return { id, content, opened };
        }),
      );
    });

  /** `here` is read once for all mails, because the storage takes some milliseconds. */
  const openListed = (here: ReadonlyMap<string, string>): T.Task<void> =>
    deferTask(() => {
      const next = listed().find(({ id, size }) => size <= maxOpenedAlone && !summaries$.value.has(id));
      if (!next) return T.of(undefined);
      return pipe(
        contentOf(next.id, false, here),
        TE.chain((base64) => openContent(next.id, base64, !here.has(next.id))),
        // A device without the key, or without a connection, can open none of the others either.
        TE.matchE(
          () => T.of(undefined),
          () => openListed(here),
        ),
      );
    });

  return {
    view$: combineState(
      [pages.view$, summaries$, search$, here$, online$],
      ({ maskId, page, message }, summaries, search, here, isOnline): MailboxView => {
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
      },
    ),
    open: (maskId) => {
      showHere();
      return pages.open(maskId);
    },
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
    search: search$.set,
    read: (id) =>
      pipe(
        contentOf(id, true),
        TE.chain((base64) => openContent(id, base64, true)),
      ),
    openListed: () => deferTask(() => openListed(copiesHere())),
    remove: (id) =>
      pipe(
        call(deleteArchivedMail)({ params: { id } }),
        orGone,
        TE.bimap(toRemoveProblem, () => {
          asOwner((email) => copies.remove(email, new Set([id])), undefined);
          pages.change((page) => ({ ...page, mails: page.mails.filter((mail) => mail.id !== id) }));
          toast("success", "The mail was deleted");
          startTask(pages.refresh());
        }),
      ),
    download: (id) => pipe(contentOf(id, false), TE.map(decodeBase64)),
    exportListed: () =>
      pipe(
        listed(),
        TE.traverseSeqArray(({ id, archived }) =>
          pipe(
            contentOf(id, false),
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
        summaries$.set(new Map());
        search$.set("");
        showHere();
      });
      running.add(pages.start());
      return running;
    },
  };
};
