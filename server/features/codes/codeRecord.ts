import type { FoundCode } from "../../../core/codes/findCode.ts";
import type { CodeContent } from "../../../core/mail/mailCode.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { SealDetail } from "../../delivery/mailLog/sealDetail.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { readBeginning } from "../../platform/spool/mailContent.ts";
import { newId } from "../../platform/store/id.ts";
import type { RawMailWithHeader } from "../../relay/decision/arrivedMail.ts";
import type { MailDecision } from "../../relay/decision/mailDecision.ts";
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
    receivedAt: number,
  ): Promise<readonly NewCode[]> => {
    const content: CodeContent = {
      sender: senderDomain,
      ...(code === null ? {} : { code }),
      ...(link === null ? {} : { link }),
    };
    const { text, isSealed } = await sealDetail(userId, content);
    if (text === null) return [];
    const stored = isSealed ? text : seal.seal(text, sealContext(userId));
    return [{ id: newId(random), userId, maskId, receivedAt, content: stored, isToKey: isSealed }];
  };
  const prepare = async (
    mail: Pick<RawMailWithHeader, "content" | "now">,
    decisions: readonly MailDecision[],
  ): Promise<readonly NewCode[]> => {
    const wanted = decisions.filter(isWanted);
    if (wanted.length === 0) return [];
    try {
      const found = codeIn((await readBeginning(mail.content, searchedBytes)).subarray(0, searchedBytes));
      if (found.code === null && found.link === null) return [];
      return (await Promise.all(wanted.map((decided) => keep(found, decided, mail.now)))).flat();
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
