import { dayMs, hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import {
  composeSystemMail,
  queueComposedMail,
  type SystemMail,
  type SystemMailSender,
} from "../../delivery/systemMail/systemMail.ts";
import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database } from "../../platform/store/database.ts";
import { actionsFor, type HeldLinks } from "./heldLinks.ts";
import { actionText, describeHeldMail } from "./heldMailTexts.ts";
import {
  claimHeldNotice,
  type DueNotice,
  listDueNotices,
  listUnnoticedMails,
  markNoticed,
} from "./heldNoticeQueries.ts";
import { type HeldMailRow, maskAddressOf } from "./heldQueries.ts";

/** The mails that one notice describes; the app lists all. */
const describedMails = 50;
/** Mail of the hour in which the first one is held goes into one notice. */
const collectForMs = hourMs;
const checkIntervalMs = 5 * minuteMs;

interface NamedMail {
  readonly mail: HeldMailRow;
  readonly mask: string;
}

const countText = (count: number): string => (count === 1 ? "1 email is held" : `${count} emails are held`);

const mailPart = ({ mail, mask }: NamedMail, links: HeldLinks): MailPart => {
  const { subject, sender, reason, until } = describeHeldMail(mail);
  return {
    kind: "mail",
    title: subject,
    facts: [`From ${sender} to ${mask}`, reason, `Deleted on ${until}`],
    links: actionsFor(mail).map((action) => ({
      label: actionText(action, mail, mask).label,
      url: links.url(mail, action),
    })),
  };
};

/** Composes the notice of newly held mails, the newest first. */
export const heldNoticeMail = (
  { brand, publicUrl }: SystemMailSender,
  to: string,
  mails: readonly NamedMail[],
  links: HeldLinks,
): SystemMail => {
  const described = mails.slice(0, describedMails);
  const rest = mails.length - describedMails;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `${mails.length === 1 ? "An email was" : `${mails.length} emails were`} held for you since the last notice. Each link opens a page that says what will happen and asks you first.`,
    },
    ...described.map((mail) => mailPart(mail, links)),
    ...(rest > 0
      ? [
          {
            kind: "paragraph",
            text: `${rest} more ${rest === 1 ? "is" : "are"} listed in ${brand}.`,
          } as const,
        ]
      : []),
    { kind: "link", label: "Open the held mail", url: `${publicUrl}/#held` },
    {
      kind: "note",
      text: "This notice comes at most once a day, and only when mail was held. You can switch it off in Settings. Do not forward it: its links work without a login.",
    },
  ];
  return {
    to,
    subject: `${countText(mails.length)} for you`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

export interface HeldNoticeDeps {
  readonly database: Database;
  readonly seal: Pick<Seal, "open">;
  readonly links: HeldLinks;
  /** Encrypts a mail to the owner's key, if there is one; null when the key cannot be used. */
  readonly encryptToOwner: (owner: DueNotice, content: Uint8Array) => Promise<Uint8Array | null>;
  readonly sender: SystemMailSender;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Called after a notice was queued, so that delivery can be woken. */
  readonly onQueued: () => void;
}

/**
 * Creates the function that mails each owner a notice of newly held mail, once a day at most, encrypted to their key when
 * they have one. It claims the day and queues the mail in one transaction, so that several processes send one. With a key
 * that cannot be used no notice is sent, and the mails are in that of the next day.
 */
export const createSendHeldNotices = (deps: HeldNoticeDeps): (() => Promise<void>) => {
  const { database, seal, links, encryptToOwner, sender, clock, random, onQueued } = deps;

  const readMails = async (userId: string): Promise<readonly NamedMail[]> =>
    Promise.all(
      (await listUnnoticedMails(database.db, seal, userId)).map(async (mail) => ({
        mail,
        mask: (await maskAddressOf(database.db, mail.maskId)) ?? "your masks",
      })),
    );
  const send = async (due: DueNotice): Promise<void> => {
    const at = { now: clock.now(), random };
    const { userId, email: to } = due;
    const mails = await readMails(userId);
    if (mails.length === 0) return;
    const composed = await composeSystemMail(sender, heldNoticeMail(sender, to, mails, links), at);
    const content = await encryptToOwner(due, composed);
    const isQueued = await database.transaction(async (db) => {
      if (!(await claimHeldNotice(db, userId, { now: at.now, lastBefore: at.now - dayMs }))) return false;
      if (!content) return false;
      await markNoticed(db, userId, { ids: mails.map(({ mail }) => mail.id), now: at.now });
      await queueComposedMail(db, sender, { to, content }, at);
      return true;
    });
    if (isQueued) onQueued();
  };
  return async () => {
    const now = clock.now();
    const due = await listDueNotices(database.db, {
      heldBefore: now - collectForMs,
      lastBefore: now - dayMs,
    });
    for (const notice of due) await send(notice);
  };
};

/** Creates the job that sends the notices that are due, every 5 minutes. */
export const createHeldNoticeJob = (
  deps: HeldNoticeDeps & { readonly clock: Clock; readonly log: Log },
): IntervalTask =>
  createIntervalTask(createSendHeldNotices(deps), {
    ...deps,
    everyMs: checkIntervalMs,
    failureMessage: "queueing the notices of held mail failed",
  });
