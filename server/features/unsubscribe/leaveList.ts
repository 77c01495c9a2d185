import type { ServerContext } from "../../context/serverContext.ts";
import { type NewLogEntry, recordEntries } from "../../delivery/mailLog/logQueries.ts";
import { createToEntry } from "../../delivery/mailLog/refusedEntries.ts";
import type { SealDetail } from "../../delivery/mailLog/sealDetail.ts";
import { createPrepareSent, shownAddress } from "../../delivery/mailLog/sentLog.ts";
import { rowBodies } from "../../delivery/queue/rowBodies.ts";
import { ReverseAddresses } from "../../features/correspondents/reverseAddresses.ts";
import type { OutgoingFailure, OutgoingResult } from "../../platform/outgoing/publicHttpClient.ts";
import { createRunAction } from "../actionLinks/runAction.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { createQueueReply } from "../replies/queueReply.ts";
import { findReplyMask, type ReplyMask } from "../replies/replyQueries.ts";
import { maskSwitchedOff } from "../replies/replyRefusals.ts";
import type { LeavingMask } from "./leavingMask.ts";
import { writeListMail } from "./listMail.ts";
import { nameOfList } from "./listTarget.ts";
import { markLeft } from "./mailingLists.ts";
import type { ListTarget } from "./unsubscribeLinks.ts";
import { claimLink, settleLink } from "./unsubscribings.ts";

/** The list, and its id at the mask. */
export interface LeftList {
  readonly list: string;
  readonly target: ListTarget;
  /** True if its reader has seen what is sent, and to whom. */
  readonly isConfirmed: boolean;
}

/** The result; `reason` completes "because". */
export type Left =
  | { readonly kind: "done"; readonly isSwitchedOff: boolean }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "done-before" | "running" | "too-many" | "unconfirmed" };

type Attempt = { readonly isDone: true } | { readonly isDone: false; readonly reason: string };

export interface LeaveListDeps extends ServerContext {
  /** Encrypts what the log of mail keeps. */
  readonly sealDetail: SealDetail;
}

const failureTexts: Readonly<Record<OutgoingFailure, string>> = {
  address: "its address cannot be used",
  port: "its address names a port of mail servers",
  "private-network": "its address leads to a private network",
  "own-listener": "its address leads to this server itself",
  insecure: "its address is not encrypted",
  "unknown-host": "its host does not exist",
  refused: "its server refused the connection",
  closed: "its server closed the connection",
  unreachable: "its server cannot be reached",
  certificate: "its certificate is not valid",
  "header-too-large": "its answer was too large",
  "not-http": "its answer was no HTTP",
  timeout: "its server did not answer in time",
  stopped: "this server was stopping",
};

const toAttempt = (result: OutgoingResult): Attempt => {
  if ("failure" in result) return { isDone: false, reason: failureTexts[result.failure] };
  const { status } = result;
  return status >= 200 && status < 300
    ? { isDone: true }
    : { isDone: false, reason: `the list answered ${status}` };
};

const isProvenOrSeen = ({ target, isConfirmed }: LeftList): boolean =>
  target.isProven === true || isConfirmed;

/** Never in memory: the delivery reads it from the store. */
const storedOnly = { reserve: () => null, cancel: () => {}, add: () => {} };

/** Leaves a list for a mask, where it is proven or confirmed what that sends. A link is used once, however often it is pressed; one that failed may be pressed again. */
export type LeaveList = (mask: LeavingMask, list: LeftList, hash: string) => Promise<Left>;

/** Creates the function that leaves lists; the owner reads of the result in a notification and in the log of the mail. */
export const createLeaveList = (deps: LeaveListDeps): LeaveList => {
  const { database, clock, random, config, feed, delivery, log } = deps;
  const reverseAddresses = new ReverseAddresses(deps);
  const runAction = createRunAction(deps);
  const toEntry = createToEntry({ ...deps, seal: deps.sealDetail });
  const queueReply = createQueueReply({
    ...deps,
    bodies: rowBodies,
    group: null,
    reverseAddresses,
    repliesPerDay: config.repliesPerDay,
    fresh: storedOnly,
    sentLog: { prepare: createPrepareSent({ ...deps, seal: deps.sealDetail }) },
  });
  const stop = new AbortController();

  const post = async (url: string): Promise<Attempt> =>
    toAttempt(
      await deps.postToPublicHost({
        url,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          // Names no program, so that the list learns nothing from it; some servers refuse a request without one.
          "user-agent": "Mozilla/5.0",
        },
        body: "List-Unsubscribe=One-Click",
        signal: stop.signal,
      }),
    );

  const mail = async (
    mask: ReplyMask,
    way: Extract<ListTarget["way"], { kind: "mail" }>,
  ): Promise<Attempt> => {
    if (!mask.isUsable) return { isDone: false, reason: lowerFirst(maskSwitchedOff.help?.reason ?? "") };
    const [reverse = null] = await reverseAddresses.prepare(mask, [
      { name: "", address: way.to, role: "link" },
    ]);
    const written = writeListMail(
      way,
      { maskEmail: mask.maskEmail, maskDomain: config.maskDomain, now: clock.now() },
      random,
    );
    const { refusal } = await queueReply(mask, [{ address: way.to, reverse }], written);
    if (refusal) return { isDone: false, reason: lowerFirst(refusal.help?.reason ?? "it was refused") };
    delivery.wake();
    return { isDone: true };
  };

  /** null where the owner keeps no log, and for a mail, which has an entry of its own. */
  const entryOf = async (
    { log: mode, userId, maskId }: ReplyMask,
    target: ListTarget,
    attempt: Attempt,
  ): Promise<NewLogEntry | null> => {
    if (mode === "off" || (target.way.kind === "mail" && attempt.isDone)) return null;
    const detail = {
      from: "",
      to: [target.way.kind === "mail" ? shownAddress(mode, target.way.to) : nameOfList(target)],
      cause: attempt.isDone ? "unsubscribed" : "not-unsubscribed",
      ...(attempt.isDone ? {} : { reply: attempt.reason }),
    };
    return toEntry({ userId, maskId, direction: "sent" }, detail).catch(() => null);
  };

  const noticeOf = ({ email }: LeavingMask, target: ListTarget, attempt: Attempt): string => {
    const list = nameOfList(target);
    if (!attempt.isDone) return `${email} could not be unsubscribed from ${list}: ${attempt.reason}.`;
    return target.way.kind === "mail"
      ? `An email that unsubscribes ${email} was sent to ${list}.`
      : `${email} was unsubscribed from ${list}.`;
  };

  /** Stores what came of it, and tells the owner. */
  const record = async (
    mask: LeavingMask,
    { list, target }: LeftList,
    {
      hash,
      attempt,
      entry,
    }: { readonly hash: string; readonly attempt: Attempt; readonly entry: NewLogEntry | null },
  ): Promise<void> => {
    const { id: maskId, userId } = mask;
    const { isDone } = attempt;
    const result = isDone ? ("delivered" as const) : ("rejected" as const);
    const entries = entry === null ? [] : [{ ...entry, result }];
    const message = noticeOf(mask, target, attempt);
    await database.transaction(async (db) => {
      const now = clock.now();
      await settleLink(db, { hash }, isDone ? "done" : "failed", now);
      if (isDone) await markLeft(db, { userId, maskId, id: list }, now);
      await recordEntries(database, db, { entries, steps: [] }, now);
      await addNotification(
        db,
        { userId, type: isDone ? "info" : "warning", priority: "normal", message },
        now,
      );
    });
    feed.wake();
  };

  /** Switches the mask off where its owner wants that; returns whether it did. */
  const switchOff = async (mask: LeavingMask): Promise<boolean> => {
    const isSwitchedOff = mask.switchesOff && mask.isActive;
    if (isSwitchedOff) await runAction(mask, { maskId: mask.id, action: "switch-off", sender: "", until: 0 });
    return isSwitchedOff;
  };

  return async (mask, left, hash) => {
    const { userId } = mask;
    const { target } = left;
    const { way } = target;
    const sender = await findReplyMask(database, mask.id, config.maskDomain);
    if (!sender || way.kind === "page") return { kind: "failed", reason: "it can be left only on its page" };
    if (!isProvenOrSeen(left)) return { kind: "unconfirmed" };
    const claim = await database.transaction((db) => claimLink(db, { hash, userId }, clock.now()));
    if (claim === "done") return { kind: "done-before" };
    if (claim !== "claimed") return { kind: claim };
    const attempt = await (way.kind === "mail" ? mail(sender, way) : post(way.url));
    await record(mask, left, { hash, attempt, entry: await entryOf(sender, target, attempt) });
    log.info({ way: way.kind, isDone: attempt.isDone }, "a mailing list was left, or should have been");
    if (!attempt.isDone) return { kind: "failed", reason: attempt.reason };
    return { kind: "done", isSwitchedOff: await switchOff(mask) };
  };
};

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
