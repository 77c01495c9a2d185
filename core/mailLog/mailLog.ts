import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, withNextPage } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import type { Failure } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, onEnd } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { MailPages, type MailPagesView } from "../mail/mailPages.ts";
import type { Mask } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { isInEntry } from "./explainEntry.ts";
import { deleteLog, putLogSettings } from "./logEndpoints.ts";
import type { LogEntry, LogMode, LogPage, LogSettings } from "./logEntry.ts";
import { type LogFormat, logFile } from "./logFile.ts";
import { type LogFilter, LogReader, type LogReaderDeps } from "./readLog.ts";
import { isUnread } from "./unsealEntries.ts";

/** The state of the log's screen. */
export interface LogView {
  /** null while unknown. */
  readonly settings: LogSettings | null;
  /** Newest first; null while unknown. */
  readonly entries: readonly LogEntry[] | null;
  /** The number of loaded entries, whether they contain the text or not. */
  readonly loaded: number;
  /** True if older entries exist. */
  readonly more: boolean;
  /** The number of entries that cannot be read, because their key is not on this device. */
  readonly unread: number;
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
  /** The reason for which the list is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** The log of the user's mail. */
export interface MailLog {
  readonly view$: State<LogView>;
  /** The number of entries that an export has read so far; null when none is running. */
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

export interface MailLogDeps extends LogReaderDeps {
  readonly clock: Clock;
  readonly toast: ShowToast;
  readonly masks: { readonly view$: State<{ readonly all: readonly Mask[] }> };
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the log" });
const toChangeProblem = problemOf({ page: "Failed to change the log" });
const toExportProblem = problemOf({ page: "Failed to export the log" });

const everything: LogFilter = { maskId: null, direction: null, result: null, text: "" };

const toasts: Readonly<Record<LogMode, string>> = {
  off: "Log off: its entries are deleted",
  domain: "Log on: only domains are kept",
  address: "Log on: addresses are kept",
};

const relevantResources: readonly string[] = ["log", "keys"];

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
export const createMailLogPages = (
  deps: MailLogDeps,
): MailLog & FollowsTopics & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const owner = createOwner();
  const reader = new LogReader(deps, owner.current);
  const filter$ = createState(everything);
  const exported$ = createState<number | null>(null);

  const pages = new MailPages<LogPage, Problem>({
    load: (params) => deferTask(() => reader.page(params, filter$.value)),
    append: appendPage,
    initial: (maskId) => (maskId === null ? reader.lastVisit() : null),
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
        reader.forgetLastVisit();
        toast("success", done);
      }),
      TE.chain(() => pages.refresh()),
    );
  return {
    topics: [{ resource: "log" }, { resource: "keys" }],
    view$: combineState([pages.view$, filter$], toView),
    exported$,
    open: (next) => {
      filter$.set(next);
      return pages.open(next.maskId);
    },
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
    setMode: (mode) => change(call(putLogSettings)({ body: { keep: mode } }), toasts[mode]),
    clear: () => change(call(deleteLog)(), "The log is empty"),
    exportAll: (format) =>
      deferTask(() => {
        const { all } = deps.masks.view$.value;
        const maskOf = (id: string): string => all.find((mask) => mask.id === id)?.maskEmail ?? id;
        exported$.set(0);
        return pipe(
          reader.all(exported$.set),
          TE.bimap(toExportProblem, (entries) => logFile(entries, format, maskOf)),
          onEnd(() => exported$.set(null)),
        );
      }),
    start: () => {
      const running = new Subscription();
      running.add(followUser(owner, deps.user$, () => reader.forget()));
      running.add(pages.start());
      return running;
    },
  };
};
