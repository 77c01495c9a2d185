import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import { mailboxName } from "../../../core/mail/mailboxName.ts";
import { type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import type { Evidence } from "../../proof/evidence.ts";
import { isUnanswerable, parseReverseLocalPart } from "../correspondents/reverseAddress.ts";
import type { ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { isProvenToBeOf } from "./receiveReply.ts";

/** Reverse addresses that are looked up of one mail. */
const maxLookedUp = 5;

/** A mail to masks. */
export interface MailToMasks extends MailWithHeader {
  readonly sender: Sender | null;
  readonly envelopeSender: string;
  /** Checks who sent it. */
  readonly judge: () => Promise<Evidence>;
}

export interface OwnAnswersDeps {
  readonly reverseAddresses: Pick<ReverseAddresses, "find">;
  readonly maskDomain: DomainName;
  readonly confirmedAddressesOf: (userId: string) => Promise<readonly string[]>;
}

/**
 * Returns the users whose own answer a mail to their masks is: its proven author is one of them, and it names reverse
 * addresses of theirs, or the address that stands for those who cannot be answered. A mail program that answers to all writes to the mask too, and a copy would come back to its author.
 */
export const createFindOwnAnswers =
  ({ reverseAddresses, maskDomain, confirmedAddressesOf }: OwnAnswersDeps) =>
  async (mail: MailToMasks, userIds: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    const author = mail.sender?.address ?? "";
    if (author === "") return found;
    const named = ["to", "cc"]
      .flatMap((name) => mailboxesIn(mail, name))
      .filter(({ address }) => isAtDomain(address, maskDomain))
      .flatMap(({ address }) => parseReverseLocalPart(localPartOf(address)) ?? [])
      .slice(0, maxLookedUp);
    if (named.length === 0) return found;
    // It stands in forwarded mail alone, and belongs to nobody.
    const isOfAnyone = named.some(isUnanswerable);
    const reverse = await Promise.all(named.map((localPart) => reverseAddresses.find(localPart)));
    const owners = new Set(reverse.flatMap((one) => one?.userId ?? []));
    for (const userId of new Set(userIds)) {
      if (!isOfAnyone && !owners.has(userId)) continue;
      const confirmed = (await confirmedAddressesOf(userId)).map(mailboxName);
      const isInEnvelope = confirmed.includes(mailboxName(mail.envelopeSender));
      if (confirmed.includes(mailboxName(author)) && isProvenToBeOf(author, isInEnvelope, await mail.judge()))
        found.add(userId);
    }
    return found;
  };

/** Finds whose own answer a mail to masks is. */
export type FindOwnAnswers = ReturnType<typeof createFindOwnAnswers>;
