import { domainOf } from "../../core/mail/emailAddress.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Decision } from "../../core/relay/decision.ts";
import { whyNotAnswer } from "../../core/relay/mayAnswer.ts";
import type { Message } from "../../core/relay/message.ts";
import { type CategoryOf, isClassified } from "../classification/categoryOf.ts";
import type { SpamEnvelope } from "../spam/evidence.ts";
import type { JudgeSpam, SpamJudgement } from "../spam/spamFilter.ts";
import { newId } from "../store/id.ts";
import type { Route } from "../store/routes.ts";
import { askedOf, type Knowledge } from "./asked.ts";
import { automaticAnswer } from "./automaticAnswer.ts";
import { forwarding, type OriginalMail } from "./forwardedMail.ts";
import type { Asked, Judge, Judgement } from "./judge.ts";
import { originalSender } from "./originalSender.ts";
import type { AutomaticAnswer, Passage } from "./passage.ts";
import { readableMail } from "./readableMail.ts";
import { readHeader } from "./readMessage.ts";
import type { Arrival } from "./receivedField.ts";
import { noRules } from "./ruleBook.ts";
import { blockReason, stopSpam } from "./spamStop.ts";
import { withoutTrackers } from "./trackers.ts";

export interface PassageParts extends Knowledge {
  readonly judge: Judge;
  /** Asked about mail to masks whose spam filter is on. */
  readonly judgeSpam: JudgeSpam;
  readonly random: Random;
  /** What a mail is for, as far as its owner wants mail classified. */
  readonly categoryOf: CategoryOf;
}

export interface ArrivedMail extends OriginalMail {
  readonly arrival: Pick<Arrival, "helo" | "remoteAddress">;
  /** Its trace line. */
  readonly received: string;
  readonly now: number;
}

/** The part of an address that names its provider; empty where it is no name of a host. */
const senderDomain = (address: string): string => {
  const domain = domainOf(address).toLowerCase();
  return address.includes("@") && /^[\p{L}\p{N}._-]{1,253}$/u.test(domain) ? domain : "";
};

type Write = (route: Route, decision: Decision) => Buffer;

/** Writes the mail as it leaves for a mask. */
const writer = (mail: ArrivedMail): Write => {
  const plain = forwarding(mail, mail.received);
  let clean: ReturnType<typeof forwarding> | undefined;
  return ({ maskEmail }, { removeTrackers, subject, tags }) => {
    if (!removeTrackers) return plain(maskEmail, { subject, tags });
    clean ??= forwarding({ ...mail, content: withoutTrackers(mail.content, mail.header) }, mail.received);
    return clean(maskEmail, { subject, tags });
  };
};

/** The answer a rule wants, where the envelope sender may be answered as well as the From (RFC 3834, 2). */
const answerOf = async (
  { random }: PassageParts,
  mail: ArrivedMail,
  message: Message | null,
  { mask, account }: Asked,
  { route, decision }: { readonly route: Route; readonly decision: Decision },
): Promise<AutomaticAnswer | null> => {
  const { autoReply } = decision;
  if (autoReply === null || message === null) return null;
  const address = mail.envelopeSender;
  if (whyNotAnswer({ ...message, from: { name: "", address } }, mask, account) !== null) return null;
  const { maskEmail, maskId } = route;
  return automaticAnswer(message, autoReply, address, {
    maskEmail,
    maskId,
    id: newId(random),
    now: mail.now,
  });
};

/** How a mail came, as far as that says who it is from. */
export const spamEnvelope = ({ envelopeSender: sender, arrival }: ArrivedMail): SpamEnvelope => ({
  sender,
  helo: arrival.helo,
  remoteAddress: arrival.remoteAddress,
});

/** What the filter says of a mail, asked once for all the masks that want it; null where none does. */
const spamIn = async (
  { judgeSpam }: PassageParts,
  mail: ArrivedMail,
  routes: readonly Route[],
): Promise<SpamJudgement | null> => {
  const wanted = routes.find(({ spamFilter }) => spamFilter);
  return wanted ? judgeSpam(mail.content, spamEnvelope(mail), wanted.userId) : null;
};

interface Judged extends Judgement {
  readonly route: Route;
  readonly asked: Asked;
  readonly spam: SpamJudgement | null;
}

const passage = async (
  parts: PassageParts,
  mail: ArrivedMail,
  message: Message | null,
  judged: Judged,
  write: Write,
): Promise<Passage> => {
  const { route, decision, read, asked, spam } = judged;
  const { destinations, digest, archive } = decision;
  const leaves = destinations.length + digest.length > 0 || archive !== null;
  const sender = originalSender(mail.content, mail.header);
  const content = leaves ? write(route, decision) : Buffer.alloc(0);
  const copyTo = (recipient: string) => ({ recipient, content });
  return {
    route,
    decision,
    read,
    message,
    senderDomain: senderDomain(sender?.address || mail.envelopeSender),
    category: asked.category,
    size: mail.content.length,
    block: blockReason(decision, spam),
    spam,
    copies: destinations.map(copyTo),
    digest: digest.map(copyTo),
    archive: archive && { content, markAsRead: archive.markAsRead },
    answer: await answerOf(parts, mail, message, asked, judged),
  };
};

/** Asks each mask's rules and spam filter about a mail, and prepares all that their decisions mean (RU11). */
export const passagesOf = async (
  parts: PassageParts,
  mail: ArrivedMail,
  routes: readonly Route[],
): Promise<readonly Passage[]> => {
  const { content, header, now } = mail;
  const isWanted = routes.some((route) => route.rules !== noRules || isClassified(route));
  const message = isWanted ? await readHeader(content.subarray(0, header.isText ? 0 : header.end)) : null;
  const asked = await Promise.all(
    routes.map(async (route) => {
      const category = message && (await parts.categoryOf(message, route));
      return askedOf(parts, route, category, now);
    }),
  );
  const readable = () => readableMail(content, header);
  const [judgements, found] = await Promise.all([
    parts.judge({ readable, message }, asked, now),
    spamIn(parts, mail, routes),
  ]);
  const write = writer(mail);
  return Promise.all(
    routes.flatMap((route, n) => {
      const [question, judgement] = [asked[n], judgements[n]];
      if (!question || !judgement) return [];
      const spam = route.spamFilter ? found : null;
      const decision = stopSpam(judgement.decision, spam);
      const judged = { route, asked: question, read: judgement.read, decision, spam };
      return [passage(parts, mail, message, judged, write)];
    }),
  );
};
