import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { RefusalCode } from "../../../core/mail/refusalCode.ts";
import { LogCause } from "../../../core/mailLog/logEntry.ts";
import { failedLogins } from "../../smtp/smtpLimits.ts";
import { noSuchAddress, type SmtpReply, smtpReply } from "../../smtp/smtpReplies.ts";
import { unusedLifetimeMs } from "../correspondents/reverseAddresses.ts";

/** The help for an owner whose reply was refused. */
export interface RefusalHelp {
  readonly code: string;
  readonly reason: string;
  /** The problem and the remedy, in sentences. */
  readonly advice: string;
}

/** A refused reply: the answer to its sender, and the text for its owner; null does not notify the owner. */
export interface ReplyRefusal {
  /** Without the address of the help; `answerOf` adds it. */
  readonly answer: SmtpReply;
  readonly notice: string | null;
  /** null for refusals without a code. */
  readonly help: RefusalHelp | null;
  /** True if the text is kept, so that its owner can send it again: it is theirs, and a person wrote it. */
  readonly isKept: boolean;
}

const refusal = (
  code: RefusalCode,
  reason: string,
  advice: string,
  { isKept }: Pick<ReplyRefusal, "isKept"> = { isKept: true },
): ReplyRefusal => ({
  answer: smtpReply(550, "5.7.1", `${code} ${reason}`),
  notice: `A reply was not sent (${code}): ${advice}`,
  help: { code, reason, advice },
  isKept,
});

const notKept = { isKept: false };

/** The page of the installation that has a section for each code. */
export const refusalHelpPath = "/help/replies";

/** Returns the answer to the sender of a refused reply, with the address of its help: within 512 octets (RFC 5321). */
export const answerOf = (
  { answer, help }: Pick<ReplyRefusal, "answer" | "help">,
  publicUrl: string,
): SmtpReply =>
  help ? { ...answer, text: `${answer.text}; see ${publicUrl}${refusalHelpPath}#${help.code}` } : answer;

/** Same as for an unknown mask, so that a stranger learns nothing. */
export const strangersReply: ReplyRefusal = {
  answer: noSuchAddress,
  notice: null,
  help: null,
  isKept: false,
};
/**
 * The same for an address that has expired, was forgotten, never was, or belongs to somebody else, so that a stranger
 * learns nothing. Its owner is not known any more, so nobody is notified.
 */
export const unknownReverseAddress = {
  answer: smtpReply(550, "5.1.1", "BAUTA-R16 This reverse address has expired or is none of yours"),
  help: {
    code: "BAUTA-R16",
    reason: "This reverse address has expired or is none of yours",
    advice: `nobody is behind the reverse address any more: it was never answered for ${unusedLifetimeMs / dayMs} days after the last email that named it, or its correspondent was forgotten. Answer a newer email, or choose "Write from this mask" in the app. Or you have written from an address that is not one of your confirmed ones.`,
  },
};
/** For an owner whose mail to such an address is proven to be theirs. */
export const unknownReverseNotice = `A reply was not sent (${unknownReverseAddress.help.code}): ${unknownReverseAddress.help.advice}`;
/** For mail to the address that forwarded mail has where nobody can be answered. */
export const unanswerableMail = {
  answer: smtpReply(550, "5.1.1", "BAUTA-R17 The mail that you answer names nobody who can be answered"),
  help: {
    code: "BAUTA-R17",
    reason: "The mail that you answer names nobody who can be answered",
    advice:
      'the email has no sender, one whose address no mail server takes, or you yourself. What it says about its sender stands in its field X-Bauta-Original-From. If you know an address of theirs, choose "Write from this mask" in the app.',
  },
};
export const unprovenReply = refusal(
  "BAUTA-R1",
  "This reply is not proven to come from you (SPF or DKIM in alignment with From)",
  "its sender could not be proven. If it was yours, send it through your provider's own server; if not, somebody tried to write in your name.",
  notKept,
);
export const otherFrom = refusal(
  "BAUTA-R2",
  "From is not a confirmed address of this mask's owner",
  "its From is not one of your confirmed addresses. Answer from the address that your mail is forwarded to.",
  notKept,
);
/**
 * The same for an author who is proven and whose address is another spelling of a confirmed one, such as without its tag.
 * Both may be two people at a few providers, so the answer does not name the confirmed one.
 */
export const unconfirmedSpelling = (author: string, confirmed: string): ReplyRefusal => {
  const named = /^[\x21-\x7e]{1,254}$/.test(author) ? ` (${author})` : "";
  return refusal(
    "BAUTA-R2",
    `From${named} is not a confirmed address of this mask's owner`,
    `it came from ${author}, and your confirmed address is ${confirmed}. Add ${author} to your destinations and confirm it, or answer from ${confirmed}.`,
  );
};
export const dailyLimit = refusal(
  "BAUTA-R3",
  "The replies of today are used up",
  "your replies for today are used up. Send it again tomorrow.",
);
export const repliesPaused = refusal(
  "BAUTA-R10",
  "The replies of this account are paused, because too many could not be delivered",
  "the replies of your account are paused, because too many could not be delivered. An earlier notification says until when.",
);
export const automaticReply = refusal(
  "BAUTA-R4",
  "Automatic mail is not passed on",
  "it was automatic, such as an out-of-office answer, and would tell your absence to strangers.",
  notKept,
);
export const maskSwitchedOff = refusal(
  "BAUTA-R5",
  "The mask is switched off or its destination is not confirmed",
  "its mask is switched off. Switch it on and send the reply again.",
);
export const foreignRecipient = refusal(
  "BAUTA-R6",
  "To or Cc names an address that is not behind this mask and would see yours",
  "its To or Cc names somebody who would have seen your own address. Remove that recipient, or write to them from the mask.",
);
export const severalMasks = refusal(
  "BAUTA-R7",
  "The recipients belong to different masks",
  "its recipients belong to different masks, which must not become known together. Send it to each mask's correspondents separately.",
);
export const unreadableReply = refusal(
  "BAUTA-R8",
  "This reply has too many parts, or one that cannot be read, to be made anonymous",
  "it has too many nested parts, or a part that cannot be read. Send it in a simpler form, for instance as plain text.",
);
export const revealingReply = refusal(
  "BAUTA-R11",
  "Your own address, name or provider would be visible in this reply",
  "your own address, name or provider would have been visible in it. Remove it, or what contains it, such as a file name or an attached mail.",
);
export const tooManyCorrespondents = refusal(
  "BAUTA-R18",
  "This mask has too many correspondents",
  "its mask has too many correspondents already. Forget some of them in the app, and send it again.",
);
export const oversizedReply = refusal(
  "BAUTA-R12",
  "This reply is too long to be made anonymous",
  "making it anonymous would have taken too much room or time. Leave out what it quotes, or send long texts as an attachment.",
);
export const noMaskOfYours = refusal(
  "BAUTA-R9",
  "The sender and From must be one of your masks",
  "its sender is not one of your masks.",
  notKept,
);
export const proofUnavailable: ReplyRefusal = {
  answer: smtpReply(
    451,
    "4.7.1",
    "The sender of this reply cannot be checked at the moment; try again later",
  ),
  notice: null,
  help: null,
  isKept: false,
};
/** The cause under which a refused mail is logged; null for a stranger's, which is no mail of the owner. */
export const causeOf = (refusal: ReplyRefusal): LogCause | null => {
  if (refusal === strangersReply) return null;
  if (refusal === proofUnavailable) return "proof-unavailable";
  return LogCause.is(refusal.help?.code) ? refusal.help.code : "unacceptable";
};
export const separateRecipients = smtpReply(
  452,
  "4.5.3",
  "Replies and mail to masks are accepted separately; send the others in another transaction",
);

const failedLogin = (number: string, code: [number, string], reason: string, advice: string) => {
  const name = `BAUTA-S${number}`;
  return { answer: smtpReply(...code, `${name} ${reason}`), help: { code: name, reason, advice } };
};
export const wrongLogin = failedLogin(
  "1",
  [535, "5.7.8"],
  "Wrong name or app password",
  "the user name or the app password is wrong, or the password was revoked. Create another one in Settings.",
);
export const tooManyLogins = failedLogin(
  "2",
  [454, "4.7.0"],
  "Too many failed logins; try again later",
  `too many logins from one network or for one account failed. Check the password in your mail program, and try again after ${failedLogins.withinMs / minuteMs} minutes.`,
);
