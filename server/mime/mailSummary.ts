import type { Sender } from "../../core/mail/forwardedFrom.ts";
import { toVisibleLine } from "./displayName.ts";
import { shownName } from "./forwardedName.ts";
import { fieldWords, type MailWithHeader } from "./mailFields.ts";

/** The sender and the subject of a mail, as its owner sees them; null where they are not known. */
export interface MailSummary {
  readonly from: Sender | null;
  readonly subject: string | null;
}

const maxSubjectLength = 200;

const shorten = (text: string): string => {
  const characters = Array.from(toVisibleLine(text));
  return characters.length <= maxSubjectLength
    ? characters.join("")
    : `${characters.slice(0, maxSubjectLength - 1).join("")}…`;
};

/** Returns sender and subject as they are shown to the owner. */
export const summarize = (
  mail: MailWithHeader,
  from: Sender | null,
  subjectField = "subject",
): MailSummary => ({
  from: from && { name: shownName(from), address: toVisibleLine(from.address) },
  subject: shorten(fieldWords(mail, subjectField)),
});
