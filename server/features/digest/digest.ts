import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { countMaskPasses, isMaskField, maskField, originalPrefix } from "../../delivery/maskField.ts";
import { enqueue } from "../../delivery/queue/queueQueries.ts";
import { bounceAddress, systemMailAddress } from "../../delivery/serviceAddresses.ts";
import type { SystemMailSender } from "../../delivery/systemMail/systemMail.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { encodeDisplayName, formatMailDate } from "../../mime/headerText.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Database } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { type DigestBatch, type DueDigest, listDueDigests, takeDigestMails } from "./digestQueries.ts";

const countText = (count: number): string => (count === 1 ? "1 email" : `${count} emails`);

/**
 * Returns the fields that name the masks of collected mails, as often as one of the mails has passed a mask: a digest
 * that comes back to a mask, also inside another digest, ends as the mails themselves do.
 */
const maskFieldsOf = (collected: readonly Uint8Array[]): readonly string[] => {
  const masks = new Set<string>();
  let passes = 1;
  for (const bytes of collected) {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = readHeaderBlock(content);
    const own = header?.fields.find(({ name }) => isMaskField(name));
    if (!header || !own) continue;
    masks.add(content.toString("utf8", own.valueStart, own.end).trim());
    passes = Math.max(passes, countMaskPasses(header));
  }
  if (masks.size === 0) return [];
  const names = [...masks].join(",\r\n ");
  return Array.from({ length: passes }, (_, n) => `${originalPrefix.repeat(n)}${maskField}: ${names}`);
};

/** Attaches each collected mail as message/rfc822 (RFC 2046, 5.2.1). */
const composeDigest = (
  { brand, maskDomain }: Pick<SystemMailSender, "brand" | "maskDomain">,
  { recipient, isDaily }: { readonly recipient: string; readonly isDaily: boolean },
  collected: readonly Uint8Array[],
  at: { readonly now: number; readonly random: Random },
): Buffer => {
  const id = newId(at.random);
  const boundary = `=_${newId(at.random)}`;
  const count = countText(collected.length);
  const head = [
    `From: ${encodeDisplayName(brand)} <${systemMailAddress(maskDomain)}>`,
    `To: <${recipient}>`,
    `Subject: ${count} to your masks in the last ${isDaily ? "day" : "hour"}`,
    `Date: ${formatMailDate(at.now)}`,
    `Message-ID: <${id}@${maskDomain}>`,
    "Auto-Submitted: auto-generated",
    "X-Auto-Response-Suppress: All",
    ...maskFieldsOf(collected),
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "Content-Transfer-Encoding: 8bit",
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `${count} ${collected.length === 1 ? "has" : "have"} come to your masks, by a rule of yours once ${isDaily ? "a day" : "an hour"}.`,
    `${collected.length === 1 ? "The email is" : "The emails are"} attached.`,
    "",
  ].join("\r\n");
  const attached = collected.flatMap((content, n) => [
    Buffer.from(
      [
        `--${boundary}`,
        "Content-Type: message/rfc822",
        "Content-Transfer-Encoding: 8bit",
        `Content-Disposition: attachment; filename="mail-${n + 1}.eml"`,
        "",
        "",
      ].join("\r\n"),
    ),
    content,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([Buffer.from(head), ...attached, Buffer.from(`--${boundary}--\r\n`)]);
};

export interface DigestDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly sender: Pick<SystemMailSender, "brand" | "maskDomain">;
  /** Called after mails were queued, so that delivery can be woken. */
  readonly onQueued: () => void;
}

const checkIntervalMs = 60_000;

/** Limits of one digest mail; more mail is sent as several. */
const digestLimits = { mails: 200, bytes: 15 * 1024 * 1024 };

const sendingHour = 6;

/** Returns the batches that have ended at a moment: that of the hour before, and that of the day up to the morning. */
const batchesAt = (now: number): readonly DigestBatch[] => {
  const morning = sendingHour * hourMs;
  return [
    { isDaily: false, before: Math.floor(now / hourMs) * hourMs },
    { isDaily: true, before: Math.floor((now - morning) / dayMs) * dayMs + morning },
  ];
};

/**
 * Creates the job that sends one digest mail per address after each hour, and one each day at 6 in the morning (UTC). It removes the collected mails and
 * queues the digest in one transaction, so that no mail is lost or sent twice when a process stops or several
 * run.
 */
export const createDigest = (deps: DigestDeps): IntervalTask => {
  const { database, clock, random, log, sender, onQueued } = deps;

  /** Returns false when no collected mail is left. */
  const sendDigest = (due: DueDigest, batch: DigestBatch): Promise<boolean> =>
    database.transaction(async (db) => {
      const collected = await takeDigestMails(db, due, batch, digestLimits);
      if (collected.length === 0) return false;
      const { userId, recipient } = due;
      const at = { now: clock.now(), random };
      const content = composeDigest(sender, { recipient, ...batch }, collected, at);
      const envelopeSender = bounceAddress(sender.maskDomain);
      await enqueue(db, { userId, maskId: null, envelopeSender, recipient, content }, at);
      return true;
    });

  const sendAll = async (): Promise<void> => {
    for (const batch of batchesAt(clock.now()))
      for (const due of await listDueDigests(database.db, batch)) {
        while (await sendDigest(due, batch)) onQueued();
      }
  };

  return createIntervalTask(sendAll, {
    everyMs: checkIntervalMs,
    failureMessage: "queueing the digests failed",
    clock,
    log,
  });
};
