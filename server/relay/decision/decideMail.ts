import type { DomainName } from "../../../core/mail/domainName.ts";
import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import { findReplyObstacle } from "../../../core/rules/engine/mayReply.ts";
import { copyChunks, isInMemory, toBuffer } from "../../delivery/outgoingCopy.ts";
import { newId } from "../../platform/store/id.ts";
import type { Evidence } from "../../proof/evidence.ts";
import { type MailCalendars, mayHaveCalendar, readMailCalendars } from "../calendars/forwardedCalendars.ts";
import {
  type EvaluateMail,
  type EvaluationInput,
  type FactsOfMask,
  type MaskDecision,
  toEvaluationInput,
} from "../evaluate/evaluate.ts";
import { parseHeader, reduceMail } from "../evaluate/parseMail.ts";
import { hasRules } from "../evaluate/ruleCache.ts";
import type { CheckSpam, SpamVerdict } from "../evaluate/spamFilter.ts";
import type { FoldedParts, JudgedMail, MailFact, MailJudge } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { Notes } from "../notes.ts";
import type { RelayContext } from "../relayContext.ts";
import type { RawMailWithHeader } from "./arrivedMail.ts";
import { composeAutoReply } from "./autoReply.ts";
import { blockOthers, blockReason, type Verdicts } from "./blocking.ts";
import { heldCopyOf, heldDecision, keptDecision, reasonToHold, toAllDestinations } from "./holdArrival.ts";
import type { ArrivalReason, AutoReply, MailDecision } from "./mailDecision.ts";
import { isProvenAuthor, isProvenEnvelope } from "./provenAuthor.ts";
import { createWriteCopies, type WriteCopies, type WrittenCopy } from "./writeCopies.ts";

export interface DecideMailDeps extends Pick<RelayContext, "judge" | "isTrusted" | "random"> {
  readonly maskDomain: DomainName;
  readonly evaluate: EvaluateMail;
  /** Called for mail to masks whose spam filter is on. */
  readonly checkSpam: CheckSpam;
  readonly parts: FoldedParts;
}

/** Empty when it is not a host name. */
const toSenderDomain = (address: string): string => {
  const domain = domainOf(address).toLowerCase();
  return address.includes("@") && /^[\p{L}\p{N}._-]{1,253}$/u.test(domain) ? domain : "";
};

/**
 * Replies only when the envelope sender may be answered too, not only From (RFC 3834, 2), and is proven or comes from a
 * trusted network: an answer to a forged sender is mail to a stranger.
 */
const composeReplyOf = async (
  { random }: DecideMailDeps,
  mail: RawMailWithHeader,
  parsedMail: ParsedMail | null,
  { facts: { mask, account } }: EvaluationInput,
  { route, decision, evidence }: Pick<EvaluatedMask, "route" | "decision" | "evidence">,
): Promise<AutoReply | null> => {
  const { autoReply } = decision;
  if (autoReply === null || parsedMail === null) return null;
  const address = mail.envelope.sender;
  if (evidence !== null && !isProvenEnvelope(evidence, address, mail.sender)) return null;
  if (findReplyObstacle({ ...parsedMail, from: { name: "", address } }, mask, account) !== null) return null;
  const { maskEmail, maskId } = route;
  return composeAutoReply(parsedMail, autoReply, address, {
    maskEmail,
    maskId,
    id: newId(random),
    now: mail.now,
  });
};

/** The results that all masks of a mail share. */
interface Checks {
  /** Null when the sender was not checked. */
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

const checkMail = async (
  { judge, isTrusted, checkSpam }: DecideMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
): Promise<Checks> => {
  const isFiltered = routes.some(({ spamFilter }) => spamFilter);
  const { envelope } = mail;
  const { remoteAddress } = envelope;
  const isProofNeeded = remoteAddress === null || !isTrusted(remoteAddress);
  if (routes.length === 0 || (!isFiltered && !isProofNeeded)) return { evidence: null, spam: null };
  const { head, size } = mail.content;
  const evidence = await judge({ head, size, readAll: mail.readAll }, envelope);
  return {
    evidence: isProofNeeded ? evidence : null,
    spam: isFiltered ? await checkSpam(await mail.readAll(), envelope, evidence) : null,
  };
};

/** True if the author counts as proven at a mask: its owner may accept unproven senders. */
const isTakenAsProven = (
  evidence: Evidence | null,
  sender: Sender | null,
  { acceptUnproven }: Pick<MailRoute, "acceptUnproven">,
): boolean => evidence === null || acceptUnproven || isProvenAuthor(evidence, sender);

/** Asks the judges of features in their order; the first opinion counts, and the first list that names the sender. */
const askJudges = async (
  judges: readonly MailJudge[],
  judged: JudgedMail,
): Promise<Pick<MailDecision, "listed"> & Pick<Verdicts, "verdict">> => {
  let listed: MailDecision["listed"] = null;
  for (const judge of judges) {
    const opinion = await judge(judged);
    listed ??= opinion.listed;
    if (opinion.verdict) return { listed, verdict: opinion.verdict };
  }
  return { listed, verdict: null };
};

interface EvaluatedMask extends MaskDecision, Verdicts, Pick<MailDecision, "listed"> {
  readonly route: MailRoute;
  readonly input: EvaluationInput;
}

const copiesFor = (
  mail: RawMailWithHeader,
  copyFor: WrittenCopy["copyFor"] | null,
  recipients: readonly string[],
  reason: ArrivalReason | null,
): Pick<MailDecision, "copies" | "held"> => {
  const copies = copyFor ? recipients.map((recipient) => ({ recipient, ...copyFor(recipient) })) : [];
  if (reason === null) return { copies, held: [] };
  const byContent = [...Map.groupBy(copies, ({ head }) => head).values()];
  return {
    copies: [],
    held: byContent.flatMap((same) =>
      same[0]
        ? [
            heldCopyOf(
              mail,
              same[0],
              same.map(({ recipient }) => recipient),
              reason,
            ),
          ]
        : [],
    ),
  };
};

/** Reads the calendars of a mail; null for a mail without calendars. */
type ReadCalendars = () => Promise<MailCalendars | null>;

/** Reads the calendars of a mail when they are first asked for, and those of a mail that has none never. */
const createReadCalendars = ({ content, header, readAll }: RawMailWithHeader): ReadCalendars => {
  if (header.isText || !mayHaveCalendar(content.head, header)) return async () => null;
  let calendars: ReturnType<ReadCalendars> | undefined;
  return () => {
    calendars ??= readAll().then((whole) => readMailCalendars(whole, header));
    return calendars;
  };
};

const becameOf = (calendars: MailCalendars | null): MailDecision["calendars"] =>
  calendars && (calendars.obstacle ?? "through-mask");

const decideForMask = async (
  deps: DecideMailDeps,
  mail: RawMailWithHeader,
  parsedMail: ParsedMail | null,
  evaluated: EvaluatedMask,
  write: WriteCopies,
  readCalendars: ReadCalendars,
): Promise<MailDecision> => {
  const { route, readDepth, input, evidence, spam } = evaluated;
  const { sender } = mail;
  const reason = reasonToHold(evaluated);
  const decision =
    reason === null
      ? keptDecision(evaluated.decision, route)
      : heldDecision(evaluated.decision, reason, route);
  const { destinations, digest, dailyDigest, archive } = decision;
  const isStoredWhole = digest.length + dailyDigest.length > 0 || archive !== null;
  const isWritten = isStoredWhole || destinations.length > 0;
  const calendars = isWritten && route.calendarsThroughMask ? await readCalendars() : null;
  const isLikelySpam = spam?.rating === "likely-spam";
  const written = isWritten ? await write({ route, decision, calendars, isLikelySpam }) : null;
  const copyFor = written?.copyFor ?? null;
  const wholes = new Map<Uint8Array, Promise<Buffer>>();
  /** The same bytes are in memory once. */
  const wholeFor = async (recipient: string): Promise<Buffer> => {
    if (!copyFor) return Buffer.alloc(0);
    const copy = copyFor(recipient);
    const whole = wholes.get(copy.head) ?? toBuffer(copyChunks(copy));
    wholes.set(copy.head, whole);
    return whole;
  };
  const digestFor = (isDaily: boolean) => async (recipient: string) => ({
    recipient,
    content: await wholeFor(recipient),
    isDaily,
  });
  const kept = archive === null ? null : await wholeFor(route.destination);
  return {
    route,
    decision,
    readDepth,
    parsedMail,
    from: mail.sender?.address || mail.envelope.sender,
    senderDomain: toSenderDomain(mail.sender?.address || mail.envelope.sender),
    category: input.facts.category,
    size: mail.content.size,
    notes: written?.notes ?? noNotes,
    listed: evaluated.listed,
    block: blockReason(decision, spam),
    isProven: isTakenAsProven(evidence, sender, route),
    evidence,
    spam,
    keptTrackers: written?.keptTrackers ?? null,
    removedTrackers: written?.removedTrackers ?? 0,
    calendars: becameOf(calendars),
    ...copiesFor(mail, copyFor, destinations, reason),
    digest: await Promise.all([...digest.map(digestFor(false)), ...dailyDigest.map(digestFor(true))]),
    archive: archive && kept && { content: kept, ifFull: kept, markAsRead: archive.markAsRead },
    autoReply: await composeReplyOf(deps, mail, parsedMail, input, { route, decision, evidence }),
  };
};

const noNotes: Notes = new Map();

/** Reads the facts that a mask needs. */
const readFacts = async (
  facts: readonly MailFact[],
  mail: Parameters<MailFact["read"]>[0],
  route: MailRoute,
): Promise<Partial<FactsOfMask>> => {
  const needed = facts.filter(({ isNeeded }) => isNeeded(route));
  if (needed.length === 0) return {};
  return Object.assign({}, ...(await Promise.all(needed.map(({ read }) => read(mail, route)))));
};

/** Evaluates rules and spam filter for each mask and decides about all effects (RU11). */
export const decideMail = async (
  deps: DecideMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
): Promise<readonly MailDecision[]> => {
  const { content, header, now } = mail;
  const { facts, judges, treatments } = deps.parts;
  const isHeaderNeeded = routes.some(
    (route) => hasRules(route.rules) || facts.some(({ isNeeded }) => isNeeded(route)),
  );
  const parsedMail = isHeaderNeeded
    ? await parseHeader(content.head.subarray(0, header.isText ? 0 : header.end))
    : null;
  const inputs = await Promise.all(
    routes.map(async (route) => {
      const read = await readFacts(facts, { parsed: parsedMail, content: content.head, now }, route);
      return toEvaluationInput(route, read, { ownDomain: deps.maskDomain, size: content.size, now });
    }),
  );
  const checks = checkMail(deps, mail, routes);
  const readContent = async () => {
    // A large mail is read when DNS has answered, because few may be in memory.
    if (!isInMemory(content)) await checks;
    return reduceMail(await mail.readAll(), header);
  };
  const readProof = async () => (await checks).evidence?.authentication ?? null;
  const askAllJudges = async () => {
    const { evidence } = await checks;
    return Promise.all(
      routes.map((route) => {
        const isProven = isTakenAsProven(evidence, mail.sender, route);
        return askJudges(judges, { mail, route, isProven, evidence });
      }),
    );
  };
  const [decisions, { evidence, spam: spamVerdict }, opinions] = await Promise.all([
    deps.evaluate({ readContent, parsedMail, readProof }, inputs),
    checks,
    askAllJudges(),
  ]);
  const write = createWriteCopies({ host: deps.maskDomain, treatments }, mail, evidence);
  const readCalendars = createReadCalendars(mail);
  return Promise.all(
    routes.flatMap((route, n) => {
      const input = inputs[n];
      const evaluated = decisions[n];
      const opinion = opinions[n];
      if (!input || !evaluated || !opinion) return [];
      const spam = route.spamFilter ? spamVerdict : null;
      const verdicts = { ...opinion, evidence, spam };
      const decision = toAllDestinations(blockOthers(evaluated.decision, verdicts, route), route);
      const checked = { ...evaluated, ...verdicts, route, input, decision };
      return [decideForMask(deps, mail, parsedMail, checked, write, readCalendars)];
    }),
  );
};
