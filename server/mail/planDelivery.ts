import { domainOf } from "../../core/mail/emailAddress.ts";
import type { ParsedMail } from "../../core/mail/parsedMail.ts";
import type { BlockReason } from "../../core/masks/mailStatistics.ts";
import type { Random } from "../../core/ports/random.ts";
import { blockedDecision, type Decision } from "../../core/rules/engine/decision.ts";
import { findReplyObstacle } from "../../core/rules/engine/mayReply.ts";
import { type ClassifyMail, isClassificationOn } from "../insights/classification.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { Evidence, SenderEnvelope } from "../proof/evidence.ts";
import type { Judge } from "../proof/judge.ts";
import type { IsInNetworks } from "../proof/networks.ts";
import { noRules } from "../rules/ruleCache.ts";
import type { Envelope } from "../smtp/rawMail.ts";
import { newId } from "../store/id.ts";
import { composeAutoReply } from "./autoReply.ts";
import type { AutoReply, DeliveryPlan } from "./deliveryPlan.ts";
import {
  type EvaluateMail,
  type EvaluationInput,
  type EvaluationInputDeps,
  loadEvaluationInput,
  type MaskDecision,
} from "./evaluate.ts";
import { prepareForwarding, type RawMailContent } from "./forwardedMail.ts";
import { originalSender } from "./originalSender.ts";
import { parseHeader, reduceMail } from "./parseMail.ts";
import type { CheckSpam, SpamVerdict } from "./spamFilter.ts";
import { stripTrackers } from "./stripTrackers.ts";

/** Id in `Decision.block` when the spam filter and not a rule blocks a mail. */
const spamFilterRuleId = "spam-filter";

/** Score from which the threat level of a mail is high. */
const highThreatScore = 8;

/** Refuses spam, and nothing else is done with it. A silent block by a rule stays silent. */
const blockSpam = (decision: Decision, spam: SpamVerdict | null): Decision =>
  !spam?.isSpam || decision.block !== null
    ? decision
    : blockedDecision({ how: "refuse", ruleId: spamFilterRuleId });

/** Id in `Decision.block` when a mail is refused because its sender is forged. */
export const forgedSenderRuleId = "forged-sender";

/** Refuses mail that is not from the domain in its From, when that domain asks for it and the owner does not object. */
const blockForged = (
  decision: Decision,
  evidence: Evidence | null,
  { acceptUnproven }: MailRoute,
): Decision =>
  evidence?.standing !== "forged" || acceptUnproven || decision.block !== null
    ? decision
    : blockedDecision({ how: "refuse", ruleId: forgedSenderRuleId });

const forgedReason: BlockReason = { threatLevel: "high", reason: "Forged sender (DMARC)" };

const spamReason = ({ score, reasons: [first] }: SpamVerdict): BlockReason => ({
  threatLevel: score >= highThreatScore ? "high" : "medium",
  reason: first === undefined ? "Spam filter" : `Spam filter: ${first}`,
});

/** Returns the reason why a mail is blocked, as text for its owner; null when it is not blocked. */
const blockReason = ({ block, applied }: Decision, spam: SpamVerdict | null): BlockReason | null => {
  if (block === null) return null;
  if (block.ruleId === forgedSenderRuleId) return forgedReason;
  if (spam?.isSpam && block.ruleId === spamFilterRuleId) return spamReason(spam);
  const rule = applied.find(({ id }) => id === block.ruleId);
  return { threatLevel: "low", reason: `Rule "${rule?.name ?? block.ruleId}"` };
};

export interface DeliveryPlanDeps extends EvaluationInputDeps {
  readonly evaluate: EvaluateMail;
  /** Called for mail from networks that are not trusted, and for mail to masks whose spam filter is on. */
  readonly judge: Judge;
  /** Whether mail from an address is taken without proof of its sender. */
  readonly isTrusted: IsInNetworks;
  /** Called for mail to masks whose spam filter is on. */
  readonly checkSpam: CheckSpam;
  readonly random: Random;
  /** Classifies mail of owners who have turned classification on. */
  readonly classifyMail: ClassifyMail;
}

export interface RawMail extends RawMailContent {
  readonly trace: Pick<Envelope, "helo" | "remoteAddress">;
  /** The Received field of this transmission. */
  readonly traceLine: string;
  readonly now: number;
}

/** Returns the domain of an address in lower case; empty when it is not a host name. */
const toSenderDomain = (address: string): string => {
  const domain = domainOf(address).toLowerCase();
  return address.includes("@") && /^[\p{L}\p{N}._-]{1,253}$/u.test(domain) ? domain : "";
};

type WriteForwarded = (route: MailRoute, decision: Decision) => Buffer;

type Forwarding = ReturnType<typeof prepareForwarding>;

/** Creates the function that writes the forwarded mail for a mask, with or without trackers and marks. */
const createWriteForwarded = (mail: RawMail, host: string, evidence: Evidence | null): WriteForwarded => {
  const prepared = new Map<string, Forwarding>();
  const prepareOnce = (isClean: boolean, acceptUnproven: boolean): Forwarding => {
    const key = `${isClean} ${acceptUnproven}`;
    const content = isClean ? stripTrackers(mail.content, mail.header) : mail.content;
    const forwarding =
      prepared.get(key) ??
      prepareForwarding({ ...mail, content }, mail.traceLine, { host, evidence, acceptUnproven });
    prepared.set(key, forwarding);
    return forwarding;
  };
  return ({ maskEmail, acceptUnproven }, { removeTrackers, subject, tags }) =>
    prepareOnce(removeTrackers, acceptUnproven)(maskEmail, { subject, tags });
};

/**
 * Composes the automatic reply of a rule when the envelope sender may be answered too, not only From (RFC 3834, 2).
 */
const composeReplyOf = async (
  { random }: DeliveryPlanDeps,
  mail: RawMail,
  parsedMail: ParsedMail | null,
  { facts: { mask, account } }: EvaluationInput,
  { route, decision }: { readonly route: MailRoute; readonly decision: Decision },
): Promise<AutoReply | null> => {
  const { autoReply } = decision;
  if (autoReply === null || parsedMail === null) return null;
  const address = mail.envelopeSender;
  if (findReplyObstacle({ ...parsedMail, from: { name: "", address } }, mask, account) !== null) return null;
  const { maskEmail, maskId } = route;
  return composeAutoReply(parsedMail, autoReply, address, {
    maskEmail,
    maskId,
    id: newId(random),
    now: mail.now,
  });
};

/** Returns what a spam check needs to know of the transmission. */
export const toSenderEnvelope = ({ envelopeSender: sender, trace }: RawMail): SenderEnvelope => ({
  sender,
  helo: trace.helo,
  remoteAddress: trace.remoteAddress,
});

/** What was found out about a mail once for all its masks. */
interface Checks {
  /** Null when nobody asks who sent the mail. */
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

/** Checks the sender of a mail, and whether it is spam where a mask's filter is on. */
const checkMail = async (
  { judge, isTrusted, checkSpam }: DeliveryPlanDeps,
  mail: RawMail,
  routes: readonly MailRoute[],
): Promise<Checks> => {
  const isFiltered = routes.some(({ spamFilter }) => spamFilter);
  const isProofNeeded = !isTrusted(mail.trace.remoteAddress);
  if (!isFiltered && !isProofNeeded) return { evidence: null, spam: null };
  const envelope = toSenderEnvelope(mail);
  const evidence = await judge(mail.content, envelope, routes[0]?.userId ?? "");
  return {
    evidence: isProofNeeded ? evidence : null,
    spam: isFiltered ? await checkSpam(mail.content, envelope, evidence) : null,
  };
};

interface EvaluatedMask extends MaskDecision {
  readonly route: MailRoute;
  readonly input: EvaluationInput;
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

const planForMask = async (
  deps: DeliveryPlanDeps,
  mail: RawMail,
  parsedMail: ParsedMail | null,
  evaluated: EvaluatedMask,
  write: WriteForwarded,
): Promise<DeliveryPlan> => {
  const { route, decision, readDepth, input, evidence, spam } = evaluated;
  const { destinations, digest, archive } = decision;
  const isWritten = destinations.length + digest.length > 0 || archive !== null;
  const sender = originalSender(mail.content, mail.header);
  const content = isWritten ? write(route, decision) : Buffer.alloc(0);
  const copyTo = (recipient: string) => ({ recipient, content });
  return {
    route,
    decision,
    readDepth,
    parsedMail,
    senderDomain: toSenderDomain(sender?.address || mail.envelopeSender),
    category: input.facts.category,
    size: mail.content.length,
    block: blockReason(decision, spam),
    evidence,
    spam,
    copies: destinations.map(copyTo),
    digest: digest.map(copyTo),
    archive: archive && { content, markAsRead: archive.markAsRead },
    autoReply: await composeReplyOf(deps, mail, parsedMail, input, evaluated),
  };
};

/** Evaluates the rules and the spam filter of each mask and plans everything that their decisions cause (RU11). */
export const planDelivery = async (
  deps: DeliveryPlanDeps,
  mail: RawMail,
  routes: readonly MailRoute[],
): Promise<readonly DeliveryPlan[]> => {
  const { content, header, now } = mail;
  const isHeaderNeeded = routes.some((route) => route.rules !== noRules || isClassificationOn(route));
  const parsedMail = isHeaderNeeded
    ? await parseHeader(content.subarray(0, header.isText ? 0 : header.end))
    : null;
  const inputs = await Promise.all(
    routes.map(async (route) => {
      const category = parsedMail && (await deps.classifyMail(parsedMail, route));
      return loadEvaluationInput(deps, route, category, now);
    }),
  );
  const readContent = () => reduceMail(content, header);
  const [decisions, { evidence, spam: spamVerdict }] = await Promise.all([
    deps.evaluate({ readContent, parsedMail }, inputs),
    checkMail(deps, mail, routes),
  ]);
  const write = createWriteForwarded(mail, deps.maskDomain, evidence);
  return Promise.all(
    routes.flatMap((route, n) => {
      const [input, evaluated] = [inputs[n], decisions[n]];
      if (!input || !evaluated) return [];
      const spam = route.spamFilter ? spamVerdict : null;
      const decision = blockSpam(blockForged(evaluated.decision, evidence, route), spam);
      const checked = { ...evaluated, route, input, decision, evidence, spam };
      return [planForMask(deps, mail, parsedMail, checked, write)];
    }),
  );
};
