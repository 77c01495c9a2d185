import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, filter, type Observable, Subscription, startWith, switchMap, throttleTime } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import type { Failure } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import {
  allowHeldSender,
  blockHeldSender,
  deleteHeldMail,
  listHeldMails,
  releaseHeldMail,
} from "./heldEndpoints.ts";
import type { HeldMail, HeldPage } from "./heldMail.ts";

/** The held mails of one mask, or (null) of all. */
export interface HeldView {
  readonly maskId: MaskId | null;
  /** null while unknown. */
  readonly mails: readonly HeldMail[] | null;
  /** Whether older mails exist. */
  readonly more: boolean;
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
  /** Why the list is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** Mail that is kept until its owner decides about it. */
export interface Held {
  readonly view$: State<HeldView>;
  /** Loads the mails of a mask or of all, and keeps them up to date until the returned function is called. */
  readonly open: (maskId: MaskId | null) => () => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists one more page of older mails. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Sends a mail now, to another confirmed address if given, with a toast. */
  readonly release: (mail: HeldMail, to?: string) => TE.TaskEither<Problem, void>;
  /** Sends a mail now and accepts its sender at its mask from now on, with a toast. */
  readonly allow: (mail: HeldMail) => TE.TaskEither<Problem, void>;
  /** Deletes a mail and refuses its sender at its mask from now on, with a toast. */
  readonly block: (mail: HeldMail) => TE.TaskEither<Problem, void>;
  /** Deletes a mail, with a toast. */
  readonly remove: (mail: HeldMail) => TE.TaskEither<Problem, void>;
}

export interface HeldDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the held mail" });
const toReleaseProblem = problemOf({ page: "Failed to send the mail" });
const toRemoveProblem = problemOf({ page: "Failed to delete the mail" });

const emptyView: HeldView = { maskId: null, mails: null, more: false, leftOut: "", message: "" };

const relevantResources: readonly string[] = ["held", "masks"];

/** The list is loaded at most this often, however much mail arrives. */
const refreshIntervalMs = 2_000;

const addressOf = ({ from }: HeldMail): string => from?.address || "its sender";

const appendPage = (loaded: HeldPage, next: HeldPage): HeldPage => {
  const ids = new Set(loaded.mails.map(({ id }) => id));
  return { ...next, mails: [...loaded.mails, ...next.mails.filter(({ id }) => !ids.has(id))] };
};

const loadPages = (call: Call, maskId: MaskId | null, pages: number): TE.TaskEither<Failure, HeldPage> => {
  const request = call(listHeldMails);
  const ofMask = maskId === null ? {} : { maskId };
  const loadMore = (page: HeldPage, left: number): TE.TaskEither<Failure, HeldPage> => {
    const before = page.mails.at(-1)?.id;
    if (left === 0 || !page.more || before === undefined) return TE.right(page);
    return pipe(
      request({ params: { ...ofMask, before } }),
      TE.chain((next) => loadMore(appendPage(page, next), left - 1)),
    );
  };
  return pipe(
    request({ params: ofMask }),
    TE.chain((newest) => loadMore(newest, pages - 1)),
  );
};

/** Creates the list, which is empty until `open` and when nobody is signed in. */
export const createHeld = (deps: HeldDeps): Held & { readonly start: () => Subscription } => {
  const { call, clock, toast } = deps;
  const view$ = createState(emptyView);
  /** Holds a new object for every opening, so that only the last one can close the list. */
  const opening$ = createState<object | null>(null);
  const shown$ = combineState([opening$, deps.tabs.visible$], (opening, visible) =>
    visible ? opening : null,
  );
  let pageCount = 1;
  let requestCount = 0;

  const refresh: TE.TaskEither<Problem, void> = deferTask(() => {
    requestCount += 1;
    const [thisRequest, { maskId }] = [requestCount, view$.value];
    /** Ignores the answer when a later request has started. */
    const show = (view: Partial<HeldView>): void => {
      if (thisRequest === requestCount) view$.update((before) => ({ ...before, ...view }));
    };
    return pipe(
      loadPages(call, maskId, pageCount),
      TE.map(({ mails, more }) =>
        show({ mails, more, leftOut: leftOutText(leftOutOf(mails).length, "mail"), message: "" }),
      ),
      TE.mapLeft((failure) => {
        const problem = toListProblem(failure);
        show({ message: problem.message });
        return problem;
      }),
    );
  });
  const showOlder = deferTask(() => {
    pageCount += 1;
    return refresh;
  });
  /** Runs a decision about a mail, which is listed no longer afterwards. */
  const decide = (
    { id }: HeldMail,
    request: TE.TaskEither<Failure, void>,
    toProblem: (failure: Failure) => Problem,
    done: string,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      request,
      TE.bimap(toProblem, () => {
        view$.update((before) => ({
          ...before,
          mails: before.mails?.filter((mail) => mail.id !== id) ?? null,
        }));
        toast("success", done);
        startTask(refresh);
      }),
    );
  const refreshes$ = (): Observable<unknown> =>
    deps.updates$.pipe(
      filter(({ resource }) => relevantResources.includes(resource)),
      startWith(null),
      throttleTime(refreshIntervalMs, clock.scheduler, { leading: true, trailing: true }),
    );
  return {
    view$,
    open: (maskId) => {
      pageCount = 1;
      if (view$.value.maskId !== maskId) view$.set({ ...emptyView, maskId });
      const opening = {};
      opening$.set(opening);
      return () => {
        if (opening$.value === opening) opening$.set(null);
      };
    },
    refresh: () => refresh,
    showOlder: () => showOlder,
    release: (mail, to) =>
      decide(
        mail,
        call(releaseHeldMail)({ params: { id: mail.id }, body: to === undefined ? {} : { to } }),
        toReleaseProblem,
        to === undefined ? "The mail is being sent" : `The mail is being sent to ${to}`,
      ),
    allow: (mail) =>
      decide(
        mail,
        call(allowHeldSender)({ params: { id: mail.id } }),
        toReleaseProblem,
        `The mail is being sent, and ${addressOf(mail)} is allowed from now on`,
      ),
    block: (mail) =>
      decide(
        mail,
        call(blockHeldSender)({ params: { id: mail.id } }),
        toRemoveProblem,
        `The mail was deleted, and ${addressOf(mail)} is blocked from now on`,
      ),
    remove: (mail) =>
      decide(
        mail,
        call(deleteHeldMail)({ params: { id: mail.id } }),
        toRemoveProblem,
        "The mail was deleted",
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
