import type { FoundCode } from "../../../core/codes/findCode.ts";
import type { CodeContent } from "../../../core/mail/mailCode.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { SealDetail } from "../../delivery/mailLog/sealDetail.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { readBeginning } from "../../platform/spool/mailContent.ts";
import { newId } from "../../platform/store/id.ts";
import type { RawMailWithHeader } from "../../relay/decision/arrivedMail.ts";
import type { MailDecision } from "../../relay/decision/mailDecision.ts";
import { isProvenAuthor } from "../../relay/decision/provenAuthor.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import { type NewCode, recordCodes } from "./codeQueries.ts";
import { codeIn, searchedBytes } from "./codeText.ts";
import { sealContext } from "./userCodes.ts";

interface CodeRecordDeps {
  /** Encrypts to the key of an owner; without a key it returns the text as it is. */
  readonly sealDetail: SealDetail;
  readonly seal: Pick<Seal, "seal">;
  readonly random: Random;
}

/**
 * True if the domain of the author is proven, or the operator's own network has brought the mail. That an owner accepts unproven
 * mail proves nobody.
 */
const isShownAsProven = (
  { evidence }: Pick<MailDecision, "evidence">,
  sender: RawMailWithHeader["sender"],
): boolean => evidence === null || isProvenAuthor(evidence, sender);

/** A link of whoever could have sent the mail is none to open. */
const withoutLink = (found: FoundCode): FoundCode => ({ ...found, link: null });

/** True if a mail reaches the owner, who wants to see its code. */
const isWanted = ({ route, block, held }: MailDecision): boolean =>
  route.showsCodes && block === null && held.length === 0;

/**
 * Creates what keeps the codes of mail for owners who want to see them, in the transaction of each mail. Mail that is blocked or
 * held has none. A mail to no such mask is not read.
 */
export const createCodeRecord = ({
  sealDetail,
  seal,
  random,
}: CodeRecordDeps): MailRecord<readonly NewCode[]> => {
  const keep = async (
    { code, link }: FoundCode,
    { route: { userId, maskId }, senderDomain }: MailDecision,
    { receivedAt, isProven }: { readonly receivedAt: number; readonly isProven: boolean },
  ): Promise<readonly NewCode[]> => {
    const content: CodeContent = {
      ...(isProven ? { sender: senderDomain } : { sender: "", unproven: true }),
      ...(code === null ? {} : { code }),
      ...(link === null ? {} : { link }),
    };
    const { text, isSealed } = await sealDetail(userId, content);
    if (text === null) return [];
    const stored = isSealed ? text : seal.seal(text, sealContext(userId));
    return [{ id: newId(random), userId, maskId, receivedAt, content: stored, isToKey: isSealed }];
  };
  const prepare = async (
    mail: Pick<RawMailWithHeader, "content" | "now" | "sender">,
    decisions: readonly MailDecision[],
  ): Promise<readonly NewCode[]> => {
    const wanted = decisions.filter(isWanted);
    const [first] = wanted;
    if (!first) return [];
    try {
      const isProven = isShownAsProven(first, mail.sender);
      const all = codeIn((await readBeginning(mail.content, searchedBytes)).subarray(0, searchedBytes));
      const found = isProven ? all : withoutLink(all);
      if (found.code === null && found.link === null) return [];
      const facts = { receivedAt: mail.now, isProven };
      return (await Promise.all(wanted.map((decided) => keep(found, decided, facts)))).flat();
    } catch {
      return [];
    }
  };
  return {
    prepare,
    weightOf: (codes) => codes.reduce((sum, { content }) => sum + content.length, 0),
    // Masks of one mail have the same list.
    store: ({ database, db, now }, _, prepared) =>
      recordCodes(database, db, [...new Set(prepared)].flat(), now),
  };
};
