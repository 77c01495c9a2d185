import { noSuchAddress, type SmtpReply, smtpReply } from "../smtp/replies.ts";

/** A refused reply: the answer to its sender, and the text for its owner; null does not notify the owner. */
export interface ReplyRefusal {
  readonly answer: SmtpReply;
  readonly notice: string | null;
}

const help = "see docs/replies.md";

const refusal = (code: string, reason: string, notice: string): ReplyRefusal => ({
  answer: smtpReply(550, "5.7.1", `BAUTA-R${code} ${reason}; ${help}`),
  notice: `A reply was not sent (BAUTA-R${code}): ${notice}`,
});

/** Same as for an unknown mask, so that a stranger learns nothing. */
export const strangersReply: ReplyRefusal = {
  answer: noSuchAddress,
  notice: null,
};
export const unprovenReply = refusal(
  "1",
  "This reply is not proven to come from you (SPF or DKIM in alignment with From)",
  "its sender could not be proven. If it was yours, send it through your provider's own server; if not, somebody tried to write in your name.",
);
export const otherFrom = refusal(
  "2",
  "From is not a confirmed address of this mask's owner",
  "its From is not one of your confirmed addresses. Answer from the address that your mail is forwarded to.",
);
export const dailyLimit = refusal(
  "3",
  "The replies of this day are used up",
  "the replies of your plan for today are used up. Send it again tomorrow.",
);
export const automaticReply = refusal(
  "4",
  "Automatic mail is not passed on",
  "it was automatic, such as an out-of-office answer, and would tell your absence to strangers.",
);
export const maskSwitchedOff = refusal(
  "5",
  "The mask is switched off or its destination is not confirmed",
  "its mask is switched off. Switch it on and send the reply again.",
);
export const foreignRecipient = refusal(
  "6",
  "To or Cc names an address that is not behind this mask and would see yours",
  "its To or Cc names somebody who would have seen your own address. Remove that recipient, or write to them from the mask.",
);
export const severalMasks = refusal(
  "7",
  "The recipients belong to different masks",
  "its recipients belong to different masks, which must not become known together. Send it to each mask's correspondents separately.",
);
export const unreadableReply = refusal(
  "8",
  "This reply has too many parts to be made anonymous",
  "it has too many nested parts. Send it in a simpler form.",
);
export const noMaskOfYours = refusal(
  "9",
  "The sender and From must be one of your masks",
  "its sender is not one of your masks.",
);
export const proofUnavailable: ReplyRefusal = {
  answer: smtpReply(
    451,
    "4.7.1",
    "The sender of this reply cannot be checked at the moment; try again later",
  ),
  notice: null,
};
export const separateRecipients = smtpReply(
  452,
  "4.5.3",
  "Replies and mail to masks are taken separately; send the others in another transaction",
);
