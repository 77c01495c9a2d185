import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { filter, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, withEntries, withNextPage } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import type { Failure } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, onEnd } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { createMailPages, type MailPagesView } from "../mail/mailPages.ts";
import type { Mask, MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { json, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { isInEntry } from "./explainEntry.ts";
import { deleteLog, listLog, putLogSettings } from "./logEndpoints.ts";
import {
  type LogDirection,
  type LogEntry,
  type LogMode,
  LogPage,
  type LogResult,
  type LogSettings,
} from "./logEntry.ts";
import { type LogFormat, logFile } from "./logFile.ts";
import { createUnsealing, isUnread } from "./unsealEntries.ts";

/** Which entries are shown. */
export interface LogFilter {
  /** null for all masks. */
  readonly maskId: MaskId | null;
  /** null for both directions. */
  readonly direction: LogDirection | null;
  /** null for all results. */
  readonly result: LogResult | null;
  /** A text in what is known about an entry; empty for all. */
  readonly text: string;
}

/** What the screen of the log shows. */
export interface LogView {
  /** null while unknown. */
  readonly settings: LogSettings | null;
  /** Newest first; null while unknown. */
  readonly entries: readonly LogEntry[] | null;
  /** How many entries are loaded, whether they contain the text or not. */
  readonly loaded: number;
  /** Whether older entries exist. */
  readonly more: boolean;
  /** How many of the entries cannot be read, because their key is not on this device. */
  readonly unread: number;
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
  /** Why the list is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** The log of the user's mail. */
export interface MailLog {
  readonly view$: State<LogView>;
  /** How many entries an export has read so far; null when none is running. */
  readonly exported$: State<number | null>;
  /** Loads entries, and keeps them up to date until the returned function is called. */
  readonly open: (filter: LogFilter) => () => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists one more page of older entries. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Turns the log on or off, or changes what it keeps of senders, with a toast. */
  readonly setMode: (keep: LogMode) => TE.TaskEither<Problem, void>;
  /** Deletes all entries, with a toast. */
  readonly clear: () => TE.TaskEither<Problem, void>;
  /** Reads the whole log into a file. */
  readonly exportAll: (format: LogFormat) => TE.TaskEither<Problem, DownloadableFile>;
}

export interface MailLogDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly toast: ShowToast;
  readonly store: Store;
  readonly keyring: Pick<Keyring, "decrypt">;
  readonly masks: { readonly view$: State<{ readonly all: readonly Mask[] }> };
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the log" });
const toChangeProblem = problemOf({ page: "Failed to change the log" });
const toExportProblem = problemOf({ page: "Failed to export the log" });

const everything: LogFilter = { maskId: null, direction: null, result: null, text: "" };
const exportPageSize = "200";

const toasts: Readonly<Record<LogMode, string>> = {
  off: "The log is off, and its entries are deleted",
  domain: "The log keeps domains from now on",
  address: "The log keeps addresses from now on",
};

const relevantResources: readonly string[] = ["log", "keys"];

const CachedPage = t.type({ owner: t.string, page: LogPage });

const appendPage = (loaded: LogPage, next: LogPage): LogPage => ({
  ...next,
  mails: withNextPage(loaded.mails, next.mails),
});

const toView = (
  { page, message }: MailPagesView<LogPage>,
  { direction, result, text }: LogFilter,
): LogView => {
  const entries = page?.mails ?? [];
  const fitting = entries.filter(
    (entry) =>
      (result === null || entry.result === result) &&
      (direction === null || entry.direction === direction) &&
      isInEntry(entry, text),
  );
  return {
    settings: page?.settings ?? null,
    entries: page && fitting,
    loaded: entries.length,
    more: page?.more ?? false,
    unread: entries.filter(isUnread).length,
    leftOut: leftOutText(leftOutOf(page?.mails).length, "entry").replace("entrys", "entries"),
    message,
  };
};

/** Creates the log, which is empty until `open` and when nobody is signed in. */
export const createMailLogPages = (deps: MailLogDeps): MailLog & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const cache = deps.store.get(storedKeys.cachedLog, json(CachedPage));
  const owner = createOwner();
  const unsealing = createUnsealing(deps.keyring, owner.current);
  const filter$ = createState(everything);
  const exported$ = createState<number | null>(null);
  let settings: LogSettings | null = null;

  const isUnfiltered = (): boolean => {
    const { direction, result, text } = filter$.value;
    return direction === null && result === null && text.trim() === "";
  };
  const read = (page: LogPage): TE.TaskEither<never, LogPage> =>
    pipe(
      TE.fromTask(unsealing.read(page.mails)),
      TE.map((mails) => ({
        ...page,
        mails: withEntries(page.mails, mails),
      })),
    );
  const keep = (page: LogPage): void => {
    const email = owner.current();
    if (email !== null) cache.write({ owner: email, page });
  };
  /** What is encrypted can be searched here alone; without a key the server searches. */
  const load = (params: { readonly maskId?: string; readonly before?: string }) =>
    deferTask(() => {
      const { direction, result, text } = filter$.value;
      const isSearched = text.trim() !== "" && settings?.encrypted === false;
      const isNewest = isUnfiltered() && params.maskId === undefined && params.before === undefined;
      return pipe(
        call(listLog)({
          params: {
            ...params,
            ...(direction === null ? {} : { direction }),
            ...(result === null ? {} : { result }),
            ...(isSearched ? { q: text.trim() } : {}),
          },
        }),
        TE.chainFirstIOK((page) => () => {
          settings = page.settings;
          if (isNewest) keep(page);
        }),
        TE.chainW(read),
      );
    });
  const cached = (maskId: string | null): LogPage | null => {
    const known = cache.read();
    if (maskId !== null || known === null || known.owner !== owner.current()) return null;
    return known.page;
  };
  const pages = createMailPages<LogPage, Problem>({
    load,
    append: appendPage,
    initial: cached,
    toProblem: toListProblem,
    clock: deps.clock,
    user$: deps.user$,
    changes$: deps.updates$.pipe(filter(({ resource }) => relevantResources.includes(resource))),
    visible$: deps.tabs.visible$,
  });
  const change = (request: TE.TaskEither<Failure, unknown>, done: string): TE.TaskEither<Problem, void> =>
    pipe(
      request,
      TE.mapLeft(toChangeProblem),
      TE.chainFirstIOK(() => () => {
        cache.remove();
        toast("success", done);
      }),
      TE.chain(() => pages.refresh()),
    );
  const readAll = (
    before: string | undefined,
    sofar: readonly LogEntry[],
  ): TE.TaskEither<Failure, readonly LogEntry[]> =>
    pipe(
      call(listLog)({ params: { limit: exportPageSize, ...(before === undefined ? {} : { before }) } }),
      TE.chainW(read),
      TE.chain(({ mails, more }) => {
        const entries = [...sofar, ...mails];
        exported$.set(entries.length);
        const last = mails.at(-1)?.id;
        return more && last !== undefined ? readAll(last, entries) : TE.right(entries);
      }),
    );

  return {
    view$: combineState([pages.view$, filter$], toView),
    exported$,
    open: (next) => {
      filter$.set(next);
      return pages.open(next.maskId);
    },
    refresh: pages.refresh,
    showOlder: pages.showOlder,
    setMode: (mode) => change(call(putLogSettings)({ body: { keep: mode } }), toasts[mode]),
    clear: () => change(call(deleteLog)(), "The log is empty"),
    exportAll: (format) =>
      deferTask(() => {
        const { all } = deps.masks.view$.value;
        const maskOf = (id: string): string => all.find((mask) => mask.id === id)?.maskEmail ?? id;
        exported$.set(0);
        return pipe(
          readAll(undefined, []),
          TE.bimap(toExportProblem, (entries) => logFile(entries, format, maskOf)),
          onEnd(() => exported$.set(null)),
        );
      }),
    start: () => {
      const running = new Subscription();
      running.add(
        followUser(owner, deps.user$, () => {
          settings = null;
          unsealing.forget();
        }),
      );
      running.add(pages.start());
      return running;
    },
  };
};
