import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { refusalProblem } from "../encryption/encryptionMessages.ts";
import { decodeBase64 } from "../kernel/base64.ts";
import type { Owner } from "../kernel/owner.ts";
import { toSearchText } from "../kernel/searchText.ts";
import { createState, type State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import { htmlToText } from "../mail/htmlText.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring, OpenedMail } from "../ports/keyring.ts";
import type { Store } from "../storage/store.ts";
import { type ArchivePage, getArchivedContent } from "./archiveEndpoints.ts";
import { createKeptCopies } from "./keptCopies.ts";

/** The summary in a list of a mail that was opened on this device. */
export interface MailSummary extends Pick<OpenedMail, "subject" | "from" | "date"> {
  /** All that a search looks at, as it compares it. */
  readonly searched: string;
}

/** A stored mail, and what it says. */
export interface OpenedArchivedMail {
  readonly id: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly opened: OpenedMail;
}

export interface OpenedMailsDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly keyring: Keyring;
  readonly online$: State<boolean>;
  readonly owner: Pick<Owner, "current">;
  readonly listed: () => ArchivePage["mails"];
  /** Called when the server has marked a mail as read. */
  readonly onRead: (id: string) => void;
}

/** A larger mail is opened when its reader asks for it. */
const maxOpenedAlone = 512 * 1024;
const maxSearchedCharacters = 20_000;

const toReadProblem = problemOf({ page: "Failed to load the email" });

const summaryOf = ({ subject, from, date, text, html }: OpenedMail): MailSummary => {
  const body = (text ?? htmlToText(html ?? "", maxSearchedCharacters)).slice(0, maxSearchedCharacters);
  return { subject, from, date, searched: toSearchText(`${subject}\n${from}\n${body}`) };
};

/** Opens mails with the keys on this device, and keeps copies of those that are encrypted, so that they can be read offline. */
export class OpenedMails {
  readonly #deps: OpenedMailsDeps;
  readonly #copies: ReturnType<typeof createKeptCopies>;
  readonly #summaries$ = createState<ReadonlyMap<string, MailSummary>>(new Map());
  readonly #here$ = createState<ReadonlySet<string>>(new Set());
  /** By id: what the mails that were opened here say. */
  readonly summaries$: State<ReadonlyMap<string, MailSummary>> = this.#summaries$;
  /** The ids of those that can be read without a connection. */
  readonly here$: State<ReadonlySet<string>> = this.#here$;

  constructor(deps: OpenedMailsDeps) {
    this.#deps = deps;
    this.#copies = createKeptCopies(deps.store, deps.clock);
  }

  /** Forgets what the mails of an earlier user say. */
  reset(): void {
    this.#summaries$.set(new Map());
    this.showKept();
  }

  /** Reads which copies this device has. */
  showKept(): void {
    this.#here$.set(new Set(this.#kept().keys()));
  }

  keepPage(page: ArchivePage): void {
    this.#asOwner((email) => this.#copies.keepPage(email, page), undefined);
  }

  keptPage(): ArchivePage | null {
    return this.#asOwner(this.#copies.page, null);
  }

  forget(id: string): void {
    this.#asOwner((email) => this.#copies.remove(email, new Set([id])), undefined);
  }

  /** Fetches a mail as it is stored, or takes the copy on this device; it stays unread. */
  fetch(id: string): TE.TaskEither<Problem, string> {
    return this.#contentOf(id, false);
  }

  /** Opens a mail and marks it as read; without a connection, one that was opened before. */
  readonly read = (id: string): TE.TaskEither<Problem, OpenedArchivedMail> =>
    pipe(
      this.#contentOf(id, true),
      TE.chain((base64) => this.#open(id, base64, true)),
    );

  /** Opens the listed mails that are not too large; they stay unread. */
  readonly openListed = (): T.Task<void> => deferTask(() => this.#openNext(this.#kept()));

  #asOwner<A>(use: (email: string) => A, otherwise: A): A {
    const email = this.#deps.owner.current();
    return email === null ? otherwise : use(email);
  }

  #kept(): ReadonlyMap<string, string> {
    return this.#asOwner<ReadonlyMap<string, string>>(this.#copies.contents, new Map());
  }

  #contentOf(id: string, marksRead: boolean, kept = this.#kept()): TE.TaskEither<Problem, string> {
    const { call, online$, listed, onRead } = this.#deps;
    const copy = kept.get(id);
    const isRead = listed().find((mail) => mail.id === id)?.read ?? false;
    if (copy !== undefined && (isRead || !marksRead || !online$.value)) return TE.right(copy);
    return pipe(
      call(getArchivedContent)({ params: { id, ...(!marksRead && { keepUnread: true }) } }),
      TE.bimap(toReadProblem, ({ content }) => {
        if (marksRead) onRead(id);
        return content;
      }),
    );
  }

  /** Opens a mail. What is encrypted is kept on this device if `keeps` says so; nothing readable is. */
  #open(id: string, base64: string, keeps: boolean): TE.TaskEither<Problem, OpenedArchivedMail> {
    const { keyring, owner } = this.#deps;
    return deferTask(() => {
      const content = decodeBase64(base64);
      return pipe(
        keyring.open(owner.current() ?? "", content),
        TE.bimap(refusalProblem, (opened) => {
          this.#summaries$.update((before) => new Map(before).set(id, summaryOf(opened)));
          if (keeps && opened.wasEncrypted) {
            this.#asOwner((email) => this.#copies.keep(email, id, base64), undefined);
            this.showKept();
          }
          return { id, content, opened };
        }),
      );
    });
  }

  /** Opens one listed mail after the other; `kept` is read once for all, because the storage takes some milliseconds. */
  #openNext(kept: ReadonlyMap<string, string>): T.Task<void> {
    return deferTask(() => {
      const next = this.#deps
        .listed()
        .find(({ id, size }) => size <= maxOpenedAlone && !this.#summaries$.value.has(id));
      if (!next) return T.of(undefined);
      return pipe(
        this.#contentOf(next.id, false, kept),
        TE.chain((base64) => this.#open(next.id, base64, !kept.has(next.id))),
        // A device without the key, or without a connection, can open none of the others either.
        TE.matchE(
          () => T.of(undefined),
          () => this.#openNext(kept),
        ),
      );
    });
  }
}
