import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, filter, map, merge, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, withNextPage, withoutEntry } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import type { Failure } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { combineState, mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { MailPages, type MailPagesView } from "../mail/mailPages.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Outdated } from "../storage/savedResource.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import {
  allowHeldSender,
  blockHeldSender,
  deleteHeldMail,
  listHeldMails,
  releaseHeldMail,
} from "./heldEndpoints.ts";
import { type HeldMail, HeldPage } from "./heldMail.ts";

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
  /** Since when the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
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
  readonly store: Store;
  readonly online$: State<boolean>;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load the held mail" });
const toReleaseProblem = problemOf({ page: "Failed to send the mail" });
const toRemoveProblem = problemOf({ page: "Failed to delete the mail" });

const relevantResources: readonly string[] = ["held", "masks"];

const addressOf = ({ from }: HeldMail): string => from?.address || "its sender";

const appendPage = (loaded: HeldPage, next: HeldPage): HeldPage => ({
  ...next,
  mails: withNextPage(loaded.mails, next.mails),
});

const toHeldView = ({ maskId, page, message }: MailPagesView<HeldPage>): HeldView => ({
  maskId,
  mails: page?.mails ?? null,
  more: page?.more ?? false,
  leftOut: leftOutText(leftOutOf(page?.mails).length, "mail"),
  message,
});

/** Creates the list, which is empty until `open` and when nobody is signed in. */
export const createHeld = (deps: HeldDeps): Held & { readonly start: () => Subscription } => {
  const { call, toast, online$ } = deps;
  const owner = createOwner();
  const cache = createCache(deps.store, deps.clock, storedKeys.cachedHeld, HeldPage);
  const cached = () => cache.read(owner.current() ?? "");
  /** The newest mails of the last visit; null for a mask that may have older ones alone. */
  const initial = (maskId: MaskId | null): HeldPage | null => {
    const page = cached()?.value ?? null;
    if (maskId === null || page === null) return page;
    const mails = page.mails.filter((mail) => mail.maskId === maskId);
    return mails.length === 0 && page.more ? null : { ...page, mails };
  };
  const load = (params: { readonly maskId?: string; readonly before?: string }) =>
    pipe(
      call(listHeldMails)({ params }),
      owner.tap((answer) => {
        const email = owner.current();
        const isNewest = params.maskId === undefined && params.before === undefined;
        if (isNewest && email !== null && E.isRight(answer)) cache.write(email, answer.right);
      }),
    );
  const pages: MailPages<HeldPage, Problem> = new MailPages<HeldPage, Problem>({
    load,
    append: appendPage,
    initial,
    toProblem: toListProblem,
    clock: deps.clock,
    user$: deps.user$,
    changes$: merge(
      deps.updates$.pipe(filter(({ resource }) => relevantResources.includes(resource))),
      defer(() =>
        failedBackOnline(
          online$,
          pages.view$.pipe(map(({ message }) => message !== "")),
          deps.clock.scheduler,
        ),
      ),
    ),
    visible$: deps.tabs.visible$,
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
        pages.change((page) => ({ ...page, mails: withoutEntry(page.mails, id) }));
        toast("success", done);
        startTask(pages.refresh());
      }),
    );
  return {
    view$: mapState(pages.view$, toHeldView),
    outdated$: combineState([pages.view$, online$], ({ message }, online) =>
      online && message === "" ? null : { asOf: cached()?.savedAt ?? null },
    ),
    open: (maskId) => pages.open(maskId),
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
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
      running.add(followUser(owner, deps.user$, () => {}));
      running.add(pages.start());
      return running;
    },
  };
};
