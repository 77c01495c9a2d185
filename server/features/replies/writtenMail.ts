import type { WrittenMail } from "../../../core/correspondents/correspondentEndpoints.ts";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { contentOf } from "../../delivery/outgoingCopy.ts";
import { encodeUnstructured, formatMailDate } from "../../mime/headerText.ts";
import { withCrlf } from "../../mime/lineBreaks.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { isUnanswerable, parseReverseLocalPart } from "../correspondents/reverseAddress.ts";
import { assertMask } from "../maskChanges/maskChanges.ts";
import { unanswerableMail } from "./replyRefusals.ts";
import type { OutgoingMail } from "./submitMail.ts";

export interface WrittenMailDeps {
  readonly database: Pick<Database, "db">;
  readonly maskDomain: DomainName;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly outgoing: Pick<OutgoingMail, "findOwn" | "submit">;
}

interface OwnMask {
  readonly userId: string;
  readonly maskId: string;
}

/**
 * Sends a mail that was written in the app from a mask. Rejects with 404 for a mask of another user, and with 409 when the
 * mail is refused.
 */
export type SendWrittenMail = (mask: OwnMask, mail: WrittenMail) => Promise<void>;

const lineLength = 76;

const base64Lines = (text: string): string =>
  (
    Buffer.from(text, "utf8")
      .toString("base64")
      .match(new RegExp(`.{1,${lineLength}}`, "g")) ?? []
  ).join("\r\n");

const maskEmailOf = async (db: Db, { maskId }: OwnMask): Promise<string> =>
  (await db.selectFrom("masks").where("id", "=", maskId).select("email").executeTakeFirstOrThrow()).email;

/** Returns the answer to a mail program without its code of SMTP and the address of its help. */
const reasonIn = (text: string): string => text.replace(/; see https?:.*$/, "");

export const createSendWrittenMail = (deps: WrittenMailDeps): SendWrittenMail => {
  const { maskDomain, clock, random, outgoing } = deps;
  const { db } = deps.database;

  const compose = (from: string, { to, subject, text, inReplyTo }: WrittenMail): Buffer =>
    Buffer.from(
      [
        `From: <${from}>`,
        `To: <${to}>`,
        `Subject: ${encodeUnstructured(subject)}`,
        `Date: ${formatMailDate(clock.now())}`,
        `Message-ID: <${newId(random)}@${maskDomain}>`,
        ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`, `References: ${inReplyTo}`]),
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: base64",
        "",
        base64Lines(withCrlf(text)),
        "",
      ].join("\r\n"),
    );

  return async (mask, mail) => {
    await assertMask(db, mask);
    const isReverse = isAtDomain(mail.to, maskDomain);
    const localPart = isReverse ? parseReverseLocalPart(localPartOf(mail.to)) : null;
    if (localPart !== null && isUnanswerable(localPart))
      throw new UseCaseError("conflict", `Not sent: ${unanswerableMail.answer.text}.`);
    const reverse = localPart === null ? null : await outgoing.findOwn(localPart, mask.userId);
    if (reverse?.maskId !== mask.maskId)
      throw fieldError(
        "missing",
        "to",
        "This correspondent is no longer known. Write to them from the mask again.",
      );
    const content = compose(await maskEmailOf(db, mask), mail);
    const refusal = await outgoing.submit(mask.userId, contentOf(content), [{ address: mail.to, reverse }]);
    if (refusal) throw new UseCaseError("conflict", `Not sent: ${reasonIn(refusal.text)}.`);
  };
};
