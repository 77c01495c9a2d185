import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import type { KeptTrackers } from "../../../core/mailLog/logEntry.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import { findReplyObstacle } from "../../../core/rules/engine/mayReply.ts";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import {
  contentOf,
  copyChunks,
  isInMemory,
  type OutgoingCopy,
  type SharedBody,
  toBuffer,
} from "../../delivery/outgoingCopy.ts";
import type { SignedLinks } from "../../features/actionLinks/actionLinks.ts";
import { actionLinksOf } from "../../features/actionLinks/actionLinksOf.ts";
import { addLinkFooter, maxFootedBytes } from "../../features/actionLinks/linkFooter.ts";
import { type ClassifyMail, isClassificationOn } from "../../features/insights/classification.ts";
import type { AnswerFields, Replies } from "../../features/replies/replies.ts";
import type { ListedSender } from "../../features/senders/senderLists.ts";
import type { UnsubscribeFields, WriteUnsubscribe } from "../../features/unsubscribe/unsubscribeFields.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { IsInNetworks } from "../../platform/dns/networkRanges.ts";
import { newId } from "../../platform/store/id.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { Judge } from "../../proof/judge.ts";
import { type MailCalendars, mayHaveCalendar, readMailCalendars } from "../calendars/forwardedCalendars.ts";
import {
  type EvaluateMail,
  type EvaluationInput,
  type EvaluationInputDeps,
  loadEvaluationInput,
  type MaskDecision,
} from "../evaluate/evaluate.ts";
import { parseHeader, reduceMail } from "../evaluate/parseMail.ts";
import { hasRules } from "../evaluate/ruleCache.ts";
import type { CheckSpam, SpamVerdict } from "../evaluate/spamFilter.ts";
import type { MailRoute } from "../mailRoute.ts";
import { withoutTrackers } from "../trackers/removeTrackers.ts";
import { composeAutoReply } from "./autoReply.ts";
import { blockOthers, blockReason, type Verdicts } from "./blocking.ts";
import { createCalendarCopies, wholeOf } from "./calendarCopies.ts";
import { type HeaderChanges, prepareForwarding } from "./forwardedMail.ts";
import { heldCopyOf, heldDecision, keptDecision, reasonToHold, toAllDestinations } from "./holdArrival.ts";
import type { ArrivalReason, AutoReply, MailDecision } from "./mailDecision.ts";
import { isProvenAuthor, isProvenEnvelope } from "./provenAuthor.ts";

/** Returns the list of a mask that names the sender of a mail; null for none. */
type FindListed = (maskId: string, sender: ListedSender) => Promise<SenderList | null>;

export interface DecideMailDeps extends EvaluationInputDeps {
  readonly evaluate: EvaluateMail;
  /** Called for mail from networks that are not trusted, and for mail to masks whose spam filter is on. */
  readonly judge: Judge;
  /** Whether mail from an address needs no sender authentication. */
  readonly isTrusted: IsInNetworks;
  /** Called for mail to masks whose spam filter is on. */
  readonly checkSpam: CheckSpam;
  readonly random: Random;
  /** Directs replies through the masks. */
  readonly replies: Pick<Replies, "prepareAnswer">;
  readonly classifyMail: ClassifyMail;
  /** Finds senders that masks allow or block. */
  readonly findListed: FindListed;
  /** Returns what mail a mask has exchanged with an address; null for none. */
  readonly findContact: Replies["findContact"];
  /** Signs the links of masks whose forwarded mail has some. */
  readonly signedLinks: Pick<SignedLinks, "url">;
  /** Writes the fields by which a list is left through a mask. */
  readonly writeUnsubscribe: WriteUnsubscribe;
}

/** A mail as it arrived, with its header. */
export interface RawMailWithHeader extends RawMail {
  readonly header: HeaderBlock;
  /** null when From contains no author. */
  readonly sender: Sender | null;
  /** The Received field of this transmission. */
  readonly traceLine: string;
  readonly now: number;
  /** Returns the whole mail in one buffer; only few large mails may be read at the same time. */
  readonly readAll: () => Promise<Buffer>;
}

/** Empty when it is not a host name. */
const toSenderDomain = (address: string): string => {
  const domain = domainOf(address).toLowerCase();
  return address.includes("@") && /^[\p{L}\p{N}._-]{1,253}$/u.test(domain) ? domain : "";
};

type CopyBytes = Omit<OutgoingCopy, "recipient">;

/** The copies for the recipients of a mask. */
interface WrittenCopy {
  /** Returns the same copy for all recipients, unless the mail has calendars. */
  readonly copyFor: (recipient: string) => CopyBytes;
  readonly keptTrackers: KeptTrackers | null;
  readonly removedTrackers: number;
}

/** The fields of a copy that differ from mask to mask. */
interface FieldsOfMask {
  readonly answer: AnswerFields;
  readonly unsubscribe: UnsubscribeFields | null;
  /** null for a mail without calendars, or where their answers need not go through the mask. */
  readonly calendars: MailCalendars | null;
  readonly isLikelySpam: boolean;
}

type WriteCopy = (route: MailRoute, decision: Decision, fields: FieldsOfMask) => Promise<WrittenCopy>;

type Forwarding = ReturnType<typeof prepareForwarding>;

const createWriteCopy = (
  { maskDomain: host, signedLinks }: Pick<DecideMailDeps, "maskDomain" | "signedLinks">,
  mail: RawMailWithHeader,
  evidence: Evidence | null,
): WriteCopy => {
  const { content, header, sender, traceLine, envelope, readAll, now } = mail;
  const mailHeader = { head: content.head, header, sender, envelopeSender: envelope.sender };
  const prepared = new Map<boolean, Forwarding>();
  const prepareOnce = (acceptUnproven: boolean): Forwarding => {
    const forwarding =
      prepared.get(acceptUnproven) ??
      prepareForwarding(mailHeader, traceLine, { host, evidence, acceptUnproven });
    prepared.set(acceptUnproven, forwarding);
    return forwarding;
  };
  const received: SharedBody = { content, skip: header.end };
  const asItCame = { body: received, kept: null, removed: 0 };
  let clean: ReturnType<typeof removeTrackers> | undefined;
  const removeTrackers = async () => {
    const whole = await readAll();
    const { content: stripped, ...found } = withoutTrackers(whole, header);
    return {
      body: stripped === whole ? received : { content: contentOf(stripped), skip: header.end },
      ...found,
    };
  };
  let footedBytes = 0;
  /** Returns the fields with the links of a mask, or the body with them below its text. */
  const addActionLinks = async (
    route: MailRoute,
    given: SharedBody,
    unsubscribeUrl: string | null,
  ): Promise<{ readonly fields: string; readonly body: SharedBody }> => {
    if (route.actionLinks === "off") return { fields: "", body: given };
    const linked = { head: content.head, header, sender, now, unsubscribeUrl };
    const { fields, footer } = actionLinksOf(signedLinks, linked, route);
    if (route.actionLinks === "header" || footedBytes + given.content.size > maxFootedBytes)
      return { fields, body: given };
    footedBytes += given.content.size;
    const whole = given === received ? await readAll() : given.content.head;
    const footed = addLinkFooter(whole, header, footer);
    return footed
      ? { fields: "", body: { content: contentOf(footed), skip: header.end } }
      : { fields, body: given };
  };
  const writeCalendars = createCalendarCopies(header);
  /** Returns the copies of a mask: of a mail with calendars, one for each recipient. */
  const writeForEach = async (
    body: SharedBody,
    changes: HeaderChanges,
    { calendarNames }: AnswerFields,
    hasCalendars: boolean,
    writeHead: (changes: HeaderChanges) => Buffer,
  ): Promise<WrittenCopy["copyFor"]> => {
    if (!hasCalendars) {
      const copy = { head: writeHead(changes), body };
      return () => copy;
    }
    const whole = await wholeOf(body, readAll);
    const known = new Map<string, CopyBytes>();
    return (recipient) => {
      const copy =
        known.get(recipient) ??
        writeCalendars(whole, body, calendarNames(recipient), (calendars) =>
          writeHead({ ...changes, calendars }),
        );
      known.set(recipient, copy);
      return copy;
    };
  };
  return async (route, decision, { answer, unsubscribe, calendars, isLikelySpam }) => {
    const { maskEmail, acceptUnproven, nameStyle } = route;
    const { subject, tags } = decision;
    if (decision.removeTrackers) clean ??= removeTrackers();
    const written = decision.removeTrackers && clean ? await clean : asItCame;
    const linked = await addActionLinks(route, written.body, unsubscribe?.url ?? null);
    const keptTrackers = written.kept;
    const actionLinks = linked.fields;
    const changes = { subject, tags, isLikelySpam, keptTrackers, actionLinks, unsubscribe };
    return {
      copyFor: await writeForEach(linked.body, changes, answer, calendars !== null, (more) =>
        prepareOnce(acceptUnproven)(maskEmail, more, answer, nameStyle),
      ),
      keptTrackers,
      removedTrackers: written.removed,
    };
  };
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
  const isProofNeeded = !isTrusted(envelope.remoteAddress);
  if (routes.length === 0 || (!isFiltered && !isProofNeeded)) return { evidence: null, spam: null };
  const { head, size } = mail.content;
  const evidence = await judge({ head, size, readAll: mail.readAll }, envelope);
  return {
    evidence: isProofNeeded ? evidence : null,
    spam: isFiltered ? await checkSpam(await mail.readAll(), envelope, evidence) : null,
  };
};

/** Whether the author counts as proven at a mask: its owner may accept unproven senders. */
const isTakenAsProven = (
  evidence: Evidence | null,
  sender: Sender | null,
  { acceptUnproven }: Pick<MailRoute, "acceptUnproven">,
): boolean => evidence === null || acceptUnproven || isProvenAuthor(evidence, sender);

/**
 * Returns the list that names the sender, and whether it is not among those who may write to the mask. A correspondent
 * and the sender that a mask is locked to have to be proven.
 */
const readSenderLists = async (
  { findListed, findContact }: DecideMailDeps,
  { envelope, sender }: RawMailWithHeader,
  { maskId, hasSenderLists, senderMode }: MailRoute,
  isProven: boolean,
): Promise<Pick<Verdicts, "listed" | "isUnknown">> => {
  const from = sender?.address ?? "";
  const listed = hasSenderLists
    ? await findListed(maskId, { from, envelope: envelope.sender, isProven })
    : null;
  if (senderMode === "all" || listed !== null) return { listed, isUnknown: false };
  if (senderMode === "listed" || !isProven) return { listed, isUnknown: true };
  const contact = await findContact(maskId, from);
  return { listed, isUnknown: senderMode === "contacts" ? contact === null : contact !== "written-to" };
};

interface EvaluatedMask extends MaskDecision, Verdicts {
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

/** Returns the fields of a copy for a mask, and the mailing list that it comes from. */
const prepareFields = async (
  { replies, writeUnsubscribe }: Pick<DecideMailDeps, "replies" | "writeUnsubscribe">,
  { content, header, sender, now }: RawMailWithHeader,
  route: MailRoute,
  evidence: Evidence | null,
  readCalendars: ReadCalendars,
) => {
  const head = { content: content.head, header };
  const signers = evidence?.unsubscribeSigners ?? null;
  const { fields: unsubscribe, list } = writeUnsubscribe({ ...head, signers, sender, now }, route);
  const calendars = route.calendarsThroughMask ? await readCalendars() : null;
  const people = calendars?.people ?? [];
  const answer = await replies.prepareAnswer(head, sender, route, unsubscribe?.replaced, people);
  return { answer, unsubscribe, list, calendars };
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
  write: WriteCopy,
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
  const fields = isWritten ? await prepareFields(deps, mail, route, evidence, readCalendars) : null;
  const isLikelySpam = spam?.rating === "likely-spam";
  const written = fields && (await write(route, decision, { ...fields, isLikelySpam }));
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
    reverse: fields?.answer.reverse ?? [],
    list: fields?.list ?? null,
    listed: evaluated.listed,
    block: blockReason(decision, spam),
    isProven: isTakenAsProven(evidence, sender, route),
    evidence,
    spam,
    keptTrackers: written?.keptTrackers ?? null,
    removedTrackers: written?.removedTrackers ?? 0,
    calendars: becameOf(fields?.calendars ?? null),
    ...copiesFor(mail, copyFor, destinations, reason),
    digest: await Promise.all([...digest.map(digestFor(false)), ...dailyDigest.map(digestFor(true))]),
    archive: archive && kept && { content: kept, ifFull: kept, markAsRead: archive.markAsRead },
    autoReply: await composeReplyOf(deps, mail, parsedMail, input, { route, decision, evidence }),
  };
};

/** Evaluates rules and spam filter for each mask and decides about all effects (RU11). */
export const decideMail = async (
  deps: DecideMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
): Promise<readonly MailDecision[]> => {
  const { content, header, now } = mail;
  const isHeaderNeeded = routes.some((route) => hasRules(route.rules) || isClassificationOn(route));
  const parsedMail = isHeaderNeeded
    ? await parseHeader(content.head.subarray(0, header.isText ? 0 : header.end))
    : null;
  const inputs = await Promise.all(
    routes.map(async (route) => {
      const category = parsedMail && (await deps.classifyMail(parsedMail, route, content.head));
      return loadEvaluationInput(deps, route, { category, size: content.size, now });
    }),
  );
  const checks = checkMail(deps, mail, routes);
  const readContent = async () => {
    // A large mail is read when DNS has answered, because few may be in memory.
    if (!isInMemory(content)) await checks;
    return reduceMail(await mail.readAll(), header);
  };
  const readProof = async () => (await checks).evidence?.authentication ?? null;
  const readAllSenderLists = async () => {
    const { evidence } = await checks;
    return Promise.all(
      routes.map((route) =>
        readSenderLists(deps, mail, route, isTakenAsProven(evidence, mail.sender, route)),
      ),
    );
  };
  const [decisions, { evidence, spam: spamVerdict }, listVerdicts] = await Promise.all([
    deps.evaluate({ readContent, parsedMail, readProof }, inputs),
    checks,
    readAllSenderLists(),
  ]);
  const write = createWriteCopy(deps, mail, evidence);
  const readCalendars = createReadCalendars(mail);
  return Promise.all(
    routes.flatMap((route, n) => {
      const input = inputs[n];
      const evaluated = decisions[n];
      const listVerdict = listVerdicts[n];
      if (!input || !evaluated || !listVerdict) return [];
      const spam = route.spamFilter ? spamVerdict : null;
      const verdicts = { ...listVerdict, evidence, spam };
      const decision = toAllDestinations(blockOthers(evaluated.decision, verdicts, route), route);
      const checked = { ...evaluated, ...verdicts, route, input, decision };
      return [decideForMask(deps, mail, parsedMail, checked, write, readCalendars)];
    }),
  );
};
