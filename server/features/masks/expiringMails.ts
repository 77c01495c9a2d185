import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { NewExpiry } from "../../../core/masks/maskExpiry.ts";
import type { Db } from "../../platform/store/database.ts";
import { lockUser } from "../../platform/store/users.ts";
import type { CommittedMail, MailDecision } from "../../relay/decision/mailDecision.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import type { SenderLists } from "../senders/senderLists.ts";
import { expireMask } from "./expireMask.ts";
import { expiryColumns } from "./maskExpiry.ts";

/**
 * Counts mails of masks that expire after some mails or lock to their first sender, in the transaction that stores
 * them; exact under parallel transactions. False when a mask has expired meanwhile; then roll back.
 */
export type TakeExpiringMails = (db: Db, mails: readonly CommittedMail[], now: number) => Promise<boolean>;

/** Domains of mailbox providers, where a domain says nothing about who writes. */
const sharedDomains: ReadonlySet<string> = new Set([
  ...["gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com"],
  ...["icloud.com", "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "pm.me", "fastmail.com"],
  ...["gmx.com", "gmx.net", "gmx.de", "gmx.at", "gmx.ch", "web.de", "t-online.de", "tuta.com", "posteo.de"],
  ...["mailbox.org", "orange.fr", "free.fr", "libero.it", "mail.ru", "yandex.ru", "yandex.com", "qq.com"],
  ...["163.com", "126.com", "naver.com", "zoho.com", "hey.com"],
]);

/** The entry of the list that lets a sender write again: the domain, or the address at a mailbox provider. */
const entryOf = (address: string): string => {
  const domain = domainOf(address).toLowerCase();
  return sharedDomains.has(domain) ? address.toLowerCase() : domain;
};

const isCounted = ({ route, block }: MailDecision): boolean =>
  route.active && route.expiry !== null && block === null;

/** Sorted by user and mask, so that two processes lock rows in the same order. */
const decisionsByMask = (mails: readonly CommittedMail[]): readonly (readonly MailDecision[])[] => {
  const decisions = mails.map(({ decided }) => decided).filter(isCounted);
  const keyOf = ({ route }: MailDecision): string => `${route.userId} ${route.maskId}`;
  return [...Map.groupBy(decisions, keyOf)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => own);
};

const warnOfLast = async (
  db: Db,
  { route }: MailDecision,
  { mails, left, taken }: { readonly mails: number; readonly left: number; readonly taken: number },
  now: number,
): Promise<void> => {
  const warnAt = Math.floor(mails / 10);
  if (left > warnAt || left + taken <= warnAt || left === 0) return;
  const message = `The mask ${route.maskEmail} expires after ${left === 1 ? "one more email" : `${left} more emails`}.`;
  await addNotification(db, { userId: route.userId, type: "warning", priority: "normal", message }, now);
};

const takeMails = async (
  db: Db,
  decided: MailDecision,
  { mails, taken }: { readonly mails: number; readonly taken: number },
  now: number,
): Promise<boolean> => {
  const { userId, maskId } = decided.route;
  const row = await db
    .updateTable("masks")
    .set((e) => ({ mails_left: e("mails_left", "-", taken) }))
    .where("id", "=", maskId)
    .where("active", "=", 1)
    .where("mails_left", ">=", taken)
    .returning("mails_left as left")
    .executeTakeFirst();
  if (!row || row.left === null) return false;
  const left = Number(row.left);
  await warnOfLast(db, decided, { mails, left, taken }, now);
  if (left === 0)
    await expireMask(
      db,
      { userId, maskId },
      `it has received ${mails === 1 ? "its email" : `its ${mails} emails`}`,
      now,
    );
  return true;
};

/** Creates the function. A mask locks to the first proven sender by its list of allowed senders. */
export const createTakeExpiringMails = (senderLists: Pick<SenderLists, "lockTo">): TakeExpiringMails => {
  const lockToSender = async (
    db: Db,
    decisions: readonly MailDecision[],
    expiry: NewExpiry,
    now: number,
  ): Promise<boolean> => {
    const senders = new Set(
      decisions
        .filter(({ held, isProven }) => held.length === 0 && isProven)
        .map(({ from }) => from && entryOf(from)),
    );
    senders.delete("");
    const [sender] = senders;
    const route = decisions[0]?.route;
    if (!route || sender === undefined) return true;
    if (senders.size > 1) return false;
    const { firstSender: _, ...rest } = expiry;
    const isLeft = rest.at !== undefined || rest.mails !== undefined || rest.idleDays !== undefined;
    const { numUpdatedRows } = await db
      .updateTable("masks")
      .set({
        sender_mode: expiry.then === "hold" ? "approve" : "listed",
        ...(isLeft ? { expiry: JSON.stringify(rest) } : expiryColumns(null, now)),
      })
      .where("id", "=", route.maskId)
      .where("active", "=", 1)
      .where("expiry", "=", route.expiry)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await senderLists.lockTo(db, route, sender, now);
    const message = `${sender} was the first to write to ${route.maskEmail}: nobody else may from now on.`;
    await addNotification(db, { userId: route.userId, type: "info", priority: "normal", message }, now);
    return true;
  };

  const takeOfMask = async (db: Db, decisions: readonly MailDecision[], now: number): Promise<boolean> => {
    const [decided] = decisions;
    const expiry = JSON.parse(decided?.route.expiry ?? "null") as NewExpiry | null;
    if (!decided || !expiry) return true;
    if (expiry.firstSender && !(await lockToSender(db, decisions, expiry, now))) return false;
    const { mails } = expiry;
    return mails === undefined || takeMails(db, decided, { mails, taken: decisions.length }, now);
  };

  return async (db, mails, now) => {
    const masks = decisionsByMask(mails);
    for (const userId of new Set(masks.map(([decided]) => decided?.route.userId ?? "")))
      await lockUser(db, userId);
    for (const decisions of masks) if (!(await takeOfMask(db, decisions, now))) return false;
    return true;
  };
};
