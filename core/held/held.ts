import { pipe } from "fp-ts/lib/function.js";
import type * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, withoutEntry } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import type { Outdated } from "../kernel/collection.ts";
import type { Failure } from "../kernel/failure.ts";
import { mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MailPagesView } from "../mail/mailPages.ts";
import type { MaskId } from "../masks/mask.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import { createDecideAll, type HeldBatch } from "./decideAll.ts";
import {
  allowHeldSender,
  blockHeldSender,
  deleteHeldMail,
  readHeldMail,
  releaseHeldMail,
  sendReplyAgain,
} from "./heldEndpoints.ts";
import type { HeldMail, HeldPage } from "./heldMail.ts";
import { createHeldPages, type HeldPagesDeps } from "./heldPages.ts";

/** The held mails of one mask, or (null) of all. */
export interface HeldView {
  readonly maskId: MaskId | null;
  /** null while unknown. */
  readonly mails: readonly HeldMail[] | null;
  /** True if older mails exist. */
  readonly more: boolean;
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
  /** The reason for which the list is missing or outdated; empty otherwise. */
  readonly message: string;
}

/** A held mail of which its id is known at least; a refused reply names its reason too. */
type ReleasableMail = Pick<HeldMail, "id"> & Partial<HeldMail>;

/** Mail that is kept until its owner decides about it. */
export interface Held {
  readonly view$: State<HeldView>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the mails of a mask or of all, and keeps them up to date until the returned function is called. */
  readonly open: (maskId: MaskId | null) => () => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Lists one more page of older mails. */
  readonly showOlder: () => TE.TaskEither<Problem, void>;
  /** Sends a mail now, to another confirmed address if given, with a toast; a refused reply goes through its mask again. */
  readonly release: (mail: ReleasableMail, to?: string) => TE.TaskEither<Problem, void>;
  /** Sends a mail now and accepts its sender at its mask from now on, with a toast. */
  readonly allow: (mail: HeldMail) => TE.TaskEither<Problem, void>;
  /** Deletes a mail and refuses its sender at its mask from now on, with a toast. */
  readonly block: (mail: HeldMail) => TE.TaskEither<Problem, void>;
  /** Deletes a mail, with a toast. */
  readonly remove: (mail: HeldMail) => TE.TaskEither<Problem, void>;
  /** Returns a mail as it would be sent, in base 64; it stays held. */
  readonly read: (mail: Pick<HeldMail, "id">) => TE.TaskEither<Problem, string>;
  /** The decision about several mails that is under way, and what the last one could not do. */
  readonly batch$: State<HeldBatch>;
  /** Sends or deletes several mails, one after the other, with one toast; a second one meanwhile does nothing. */
  readonly decideAll: (decision: "release" | "delete", mails: readonly HeldMail[]) => T.Task<void>;
}

export interface HeldDeps extends HeldPagesDeps {
  readonly toast: ShowToast;
}

const toReleaseProblem = problemOf({ page: "Failed to send the email" });
const toRemoveProblem = problemOf({ page: "Failed to delete the email" });

const toReadProblem = problemOf({ page: "Failed to load the email" });

const addressOf = ({ from }: HeldMail): string => from?.address || "its sender";

const toHeldView = ({ maskId, page, message }: MailPagesView<HeldPage>): HeldView => ({
  maskId,
  mails: page?.mails ?? null,
  more: page?.more ?? false,
  leftOut: leftOutText(leftOutOf(page?.mails).length, "mail"),
  message,
});

/** Creates the list, which is empty until `open` and when nobody is signed in. */
export const createHeld = (deps: HeldDeps): Held & FollowsTopics & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const { pages, outdated$, start } = createHeldPages(deps);
  /** Runs a decision about a mail, which is listed no longer afterwards. */
  const decide = (
    { id }: Pick<HeldMail, "id">,
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
  const send = ({ id, reason }: ReleasableMail, to?: string): TE.TaskEither<Failure, void> =>
    reason === "unsent"
      ? call(sendReplyAgain)({ params: { id } })
      : call(releaseHeldMail)({ params: { id }, body: to === undefined ? {} : { to } });
  const { batch$, decideAll } = createDecideAll({
    toast,
    decide: (decision, mail) =>
      pipe(
        decision === "release" ? send(mail) : call(deleteHeldMail)({ params: { id: mail.id } }),
        TE.bimap(decision === "release" ? toReleaseProblem : toRemoveProblem, () =>
          pages.change((page) => ({ ...page, mails: withoutEntry(page.mails, mail.id) })),
        ),
      ),
    onDone: () => startTask(pages.refresh()),
  });
  return {
    topics: [{ resource: "held" }],
    view$: mapState(pages.view$, toHeldView),
    outdated$,
    open: (maskId) => pages.open(maskId),
    refresh: () => pages.refresh(),
    showOlder: () => pages.showOlder(),
    release: (mail, to) =>
      decide(
        mail,
        send(mail, to),
        toReleaseProblem,
        to === undefined ? "The email is being sent" : `The email is being sent to ${to}`,
      ),
    allow: (mail) =>
      decide(
        mail,
        call(allowHeldSender)({ params: { id: mail.id } }),
        toReleaseProblem,
        `The email is being sent, and ${addressOf(mail)} is allowed from now on`,
      ),
    block: (mail) =>
      decide(
        mail,
        call(blockHeldSender)({ params: { id: mail.id } }),
        toRemoveProblem,
        `The email was deleted, and ${addressOf(mail)} is blocked from now on`,
      ),
    remove: (mail) =>
      decide(
        mail,
        call(deleteHeldMail)({ params: { id: mail.id } }),
        toRemoveProblem,
        "The email was deleted",
      ),
    read: ({ id }) =>
      pipe(
        call(readHeldMail)({ params: { id } }),
        TE.bimap(toReadProblem, ({ content }) => content),
      ),
    batch$,
    decideAll,
    start,
  };
};
