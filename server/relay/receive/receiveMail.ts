import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Bounces } from "../../delivery/bounces.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import { bounceAddress, postmasterAddress } from "../../delivery/serviceAddresses.ts";
import type { MasksByMail } from "../../features/domains/masksByMail.ts";
import type { CountLateBounces } from "../../features/replies/lateBounces.ts";
import type { FindOwnAnswers } from "../../features/replies/ownAnswers.ts";
import type { Complaints } from "../../features/reports/complaints/complaints.ts";
import type { ReceiverReportsReceiver } from "../../features/reports/receiveReport.ts";
import { senderOf } from "../../mime/author.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Span } from "../../platform/ops/tracing.ts";
import type { Submit } from "../../platform/store/groupCommit.ts";
import { newMailId } from "../../platform/store/id.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { CommitRequest, CommitResult } from "../commit/commitRequest.ts";
import type { RawMailWithHeader } from "../decision/arrivedMail.ts";
import { type DecideMailDeps, decideMail } from "../decision/decideMail.ts";
import { prepareForwarding } from "../decision/forwardedMail.ts";
import { copyCount, type MailDecision } from "../decision/mailDecision.ts";
import { isLooping, receivedField } from "../decision/receivedField.ts";
import * as refusals from "../decision/refusals.ts";
import { CannotEncrypt, encryptCopies, type FindEncryption } from "../encrypt/encryptCopies.ts";
import type { KeptRoom } from "../limits/keptRoom.ts";
import type { Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import type { MailLogEntry } from "../log/logMail.ts";
import type { ReceivedLog } from "../log/receivedLog.ts";
import type { RefusedAtMasks } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { RelayContext } from "../relayContext.ts";
import { maxFromBytes, originalSender } from "./originalSender.ts";
import { maxPostmasterMailBytes, type Postmaster } from "./postmaster.ts";
import { reportRecipient } from "./reportRecipient.ts";
import { type AcceptedMail, type AcceptedRecipient, maxCopiesBytes } from "./transaction.ts";

export interface ReceiveMailDeps extends Pick<RelayContext, "clock" | "tracing" | "wholeMails"> {
  readonly maskDomain: DomainName;
  readonly decideDeps: DecideMailDeps;
  readonly findOwnAnswers: FindOwnAnswers;
  readonly findEncryption: FindEncryption;
  /** Called with each mail that was queued or refused. */
  readonly onReceived: (mail: MailLogEntry) => void;
  readonly commit: Submit<CommitRequest, CommitResult>;
  readonly reservations: Reservations;
  readonly bounces: Pick<Bounces, "handle">;
  readonly complaints: Complaints;
  readonly receiverReports: Pick<ReceiverReportsReceiver, "receive">;
  readonly postmaster: Pick<Postmaster, "take">;
  readonly countLateBounces: CountLateBounces;
  readonly senderLimits: SenderLimits;
  readonly keptRoom: Pick<KeptRoom, "recordRefused">;
  readonly receivedLog: Pick<ReceivedLog, "prepare">;
  /** Tells the log and the records of features of refused mail. */
  readonly refused: (mail: RefusedAtMasks) => void;
  readonly masksByMail: Pick<MasksByMail, "make">;
  readonly findMaskOf: (address: string) => Promise<MailRoute | null>;
}

const commitReplies: Readonly<Record<CommitResult["kind"], SmtpReply | null>> = {
  queued: null,
  limit: refusals.limitReachedMeanwhile,
  share: refusals.dailyShareUsedUp,
  full: refusals.tooMuchKept,
  waiting: refusals.tooMuchWaits,
  changed: refusals.changedMeanwhile,
};

/** Returns the mail with its header parsed, or the reply that refuses it. */
const readHeader = (
  { maskDomain, clock }: ReceiveMailDeps,
  mail: RawMail,
  mailId: string,
  readAll: () => Promise<Buffer>,
): SmtpReply | RawMailWithHeader => {
  const { envelope, content } = mail;
  const header = readHeaderBlock(content.head);
  if (!header) return refusals.headerTooLarge;
  if (isLooping(header)) return refusals.mailLoop;
  const from = header.fields.filter(({ name }) => name === "from");
  if (from.length > 1) return refusals.severalFromFields;
  if (from.some(({ start, end }) => end - start > maxFromBytes)) return refusals.fromTooLong;
  const traceLine = receivedField(envelope, mailId, maskDomain);
  const author = originalSender(content.head, header);
  // Nobody hears of a refused report, and some servers write no address into its From: it has no author then.
  if (author.kind === "ambiguous" && envelope.sender !== "") return refusals.unclearAuthor;
  const sender = senderOf(author);
  return { ...mail, header, sender, traceLine, now: clock.now(), readAll };
};

interface QueueResult {
  readonly committed: CommitResult;
  readonly decisions: readonly MailDecision[];
  readonly refusal: SmtpReply | null;
}

const isRefused = ({ decision }: MailDecision): boolean => decision.block?.how === "refuse";

/** Returns the reply when all recipients' rules or spam filters refuse a mail; null otherwise. */
const refusalOf = (decisions: readonly MailDecision[], hasNotice: boolean): SmtpReply | null => {
  if (hasNotice || decisions.length === 0 || !decisions.every(isRefused)) return null;
  if (decisions.some(({ decision }) => decision.block?.by === "forged-sender")) return refusals.forgedSender;
  return decisions.some(({ spam }) => spam?.rating === "spam")
    ? refusals.refusedAsSpam
    : refusals.refusedByRule;
};

/** Decides about a mail and encrypts its copies, or returns the reply that refuses the mail. */
const decideAndEncrypt = async (
  { decideDeps, findEncryption }: ReceiveMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
  span: Span,
): Promise<readonly MailDecision[] | SmtpReply> => {
  const decisions = await span.during("evaluate mail", () => decideMail(decideDeps, mail, routes));
  const copies = decisions.reduce((sum, decided) => sum + copyCount(decided), 0);
  if (copies > 1 && mail.content.size * copies > maxCopiesBytes) return refusals.tooManyCopies;
  try {
    return await span.during("encrypt mail", () =>
      Promise.all(decisions.map((decided) => encryptCopies(findEncryption, decided))),
    );
  } catch (error) {
    if (error instanceof CannotEncrypt) return refusals.cannotEncrypt;
    throw error;
  }
};

/** Returns the routes with the masks that other mails have made meanwhile; null when a mask cannot be made any more. */
const refreshRoutes = async (
  { findMaskOf }: ReceiveMailDeps,
  routes: readonly MailRoute[],
): Promise<readonly MailRoute[] | null> => {
  const found = await Promise.all(
    routes.map(async (route) => (route.isNew ? await findMaskOf(route.maskEmail) : route)),
  );
  const known = found.flatMap((route) => (route?.active && route.confirmed ? [route] : []));
  return known.length === routes.length ? known : null;
};

/**
 * Decides about a mail and makes the masks that it makes, unless they refuse it. Of mails that make a mask at the same time, one
 * makes it and the others are decided again, for that mask.
 */
const decideAndMakeMasks = async (
  deps: ReceiveMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
  span: Span,
): Promise<readonly MailDecision[] | SmtpReply> => {
  const decisions = await decideAndEncrypt(deps, mail, routes, span);
  if ("code" in decisions) return decisions;
  if (decisions.some(({ decision }) => decision.block?.by === "undecided-sender"))
    return refusals.senderUndecided;
  let isMissing = false;
  for (const decided of decisions)
    if (decided.route.isNew && !isRefused(decided))
      isMissing = !(await deps.masksByMail.make(decided.route)) || isMissing;
  if (!isMissing) return decisions;
  const known = await refreshRoutes(deps, routes);
  return known ? decideAndEncrypt(deps, mail, known, span) : refusals.changedMeanwhile;
};

/** null when the postmaster is not a recipient. */
const noticeOf = (
  { maskDomain }: ReceiveMailDeps,
  { content, header, sender, envelope, traceLine }: RawMailWithHeader,
  postmaster: string | null,
): OutgoingCopy | null => {
  if (postmaster === null) return null;
  const forwarding = prepareForwarding(
    { head: content.head, header, sender, envelopeSender: envelope.sender },
    traceLine,
    { host: maskDomain, evidence: null, acceptUnproven: true },
  );
  const head = forwarding(postmasterAddress(maskDomain));
  return { recipient: postmaster, head, body: { content, skip: header.end } };
};

/** null when the copies for masks and the postmaster are not too large together, and the postmaster takes another mail. */
const findRefusal = async (
  { postmaster }: ReceiveMailDeps,
  mail: RawMail,
  accepted: Pick<AcceptedMail, "recipients" | "postmaster">,
  readAll: () => Promise<Buffer>,
): Promise<SmtpReply | null> => {
  const { size } = mail.content;
  const isToPostmaster = accepted.postmaster !== null;
  if (isToPostmaster && size > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
  if (size * (accepted.recipients.length + (isToPostmaster ? 1 : 0)) > maxCopiesBytes)
    return refusals.tooManyCopies;
  return isToPostmaster && !(await postmaster.take(mail, readAll)) ? refusals.postmasterBusy : null;
};

/** Returns the recipients without those whose own answer a mail is: it reaches its correspondents by itself. */
const withoutOwnAnswers = async (
  { findOwnAnswers, decideDeps }: ReceiveMailDeps,
  mail: RawMailWithHeader,
  recipients: readonly AcceptedRecipient[],
): Promise<readonly AcceptedRecipient[]> => {
  const { content, header, sender, envelope, readAll } = mail;
  const { head, size } = content;
  const answering = await findOwnAnswers(
    {
      content: head,
      header,
      sender,
      envelopeSender: envelope.sender,
      judge: () => decideDeps.judge({ head, size, readAll }, envelope),
    },
    recipients.map(({ route }) => route.userId),
  );
  return recipients.filter(({ route }) => !answering.has(route.userId));
};

const nothingToCommit: CommitResult = {
  kind: "queued",
  received: new Map(),
  isWaiting: false,
  usedUp: [],
  outcomes: [],
  full: [],
};

/** Remembers the accounts that had no room for a mail, and tells the records of features. */
const recordNoRoom = async (
  { keptRoom, decideDeps }: Pick<ReceiveMailDeps, "keptRoom" | "decideDeps">,
  { envelope, content }: RawMail,
  origin: AcceptedMail["origin"],
  { committed: { kind, full }, decisions }: Pick<QueueResult, "committed" | "decisions">,
): Promise<void> => {
  const reply = commitReplies[kind];
  if (reply === null) return;
  const arrived = { network: origin?.network ?? null, sender: envelope.sender, size: content.size };
  for (const { route } of decisions.filter((decided) => full.includes(decided.route.userId))) {
    if (kind === "full") keptRoom.recordRefused({ route, ...arrived });
    for (const record of decideDeps.parts.records) await record.noRoom?.(route, reply);
  }
};

const queueMail = async (
  deps: ReceiveMailDeps,
  received: RawMail,
  { month, recipients, postmaster, origin }: AcceptedMail,
  { mailId, span }: { readonly mailId: string; readonly span: Span },
  readAll: () => Promise<Buffer>,
): Promise<QueueResult | SmtpReply> => {
  const { maskDomain, commit } = deps;
  const mail = readHeader(deps, received, mailId, readAll);
  if ("code" in mail) return mail;
  const notTaken = await findRefusal(deps, received, { recipients, postmaster }, readAll);
  if (notTaken) return notTaken;
  const others = await withoutOwnAnswers(deps, mail, recipients);
  if (others.length === 0 && recipients.length > 0 && postmaster === null)
    return { committed: nothingToCommit, decisions: [], refusal: null };
  const routes = others.map(({ route }) => route);
  const all = await decideAndMakeMasks(deps, mail, routes, span);
  if ("code" in all) return all;
  // Mail that is refused makes no mask.
  const decisions = all.filter((decided) => !decided.route.isNew || !isRefused(decided));
  if (decisions.length === 0 && all.length > 0 && postmaster === null)
    return refusalOf(all, false) ?? refusals.refusedByRule;
  const sources = deps.senderLimits.sourcesOf(origin, decisions);
  if (deps.senderLimits.isUsedUp(decisions, sources)) return refusals.dailyShareUsedUp;
  const notice = noticeOf(deps, mail, postmaster);
  const envelopeSender = received.envelope.sender === "" ? "" : bounceAddress(maskDomain);
  const reportTo = reportRecipient(mail, decisions[0]?.evidence ?? null, maskDomain);
  const logEntries = await deps.receivedLog.prepare(decisions);
  const { records } = deps.decideDeps.parts;
  const prepared = await Promise.all(records.map((record) => record.prepare?.(mail, decisions)));
  const preparedBytes = prepared.reduce<number>(
    (sum, one, n) => sum + (one === undefined ? 0 : (records[n]?.weightOf?.(one) ?? 0)),
    0,
  );
  const committed = await span.during("commit mail", () =>
    commit({
      mailId,
      month,
      envelopeSender,
      reportTo,
      decisions,
      sources,
      network: origin?.network ?? null,
      notice,
      logEntries,
      prepared,
      preparedBytes,
    }),
  );
  deps.senderLimits.recordUsedUp(committed.usedUp);
  await recordNoRoom(deps, mail, origin, { committed, decisions });
  if (committed.kind === "queued") for (const record of records) record.stored?.(mail, decisions);
  return { committed, decisions, refusal: refusalOf(decisions, notice !== null) };
};

/**
 * Reads what other servers report by a mail: about our mail and TLS, about complaints, and about failed deliveries. Returns
 * the reply when it is none of them and nobody else takes it.
 */
const readReports = async (
  { receiverReports, complaints, bounces }: ReceiveMailDeps,
  mail: RawMail,
  { isReport, takesFeedback, onlyFeedback, bouncedIds, recipients, postmaster }: AcceptedMail,
  readAll: () => Promise<Buffer>,
): Promise<SmtpReply | null> => {
  const unread = isReport ? await receiverReports.receive(mail, readAll) : null;
  // Where others get the mail too, they get it whatever the report is.
  if (unread && recipients.length === 0 && postmaster === null) return unread;
  const isFeedback = takesFeedback && (await complaints.handle(mail.content, bouncedIds));
  if (onlyFeedback && !isFeedback) return refusals.unknownMask;
  const isBounce = !isFeedback && mail.envelope.sender === "";
  if (isBounce) for (const id of bouncedIds) await bounces.handle(id, mail.content);
  return null;
};

/**
 * Handles a received mail and returns the reply; null means 250, with the mail stored durably for all
 * recipients. In every case the reservations of the transaction are used or released.
 */
export const receiveMail = async (
  deps: ReceiveMailDeps,
  mail: RawMail,
  accepted: AcceptedMail,
): Promise<SmtpReply | null> => {
  const whole = deps.wholeMails.open(mail.content);
  const mailId = newMailId(deps.decideDeps.random, deps.clock.now());
  const span = deps.tracing.arrival(mailId);
  const began = performance.now();
  let code = 451;
  const record = (answer: SmtpReply | null, entry: Pick<MailLogEntry, "result" | "decisions">): void => {
    code = answer?.code ?? 250;
    const ms = performance.now() - began;
    deps.onReceived({ mailId, code, size: mail.content.size, ms, ...entry });
  };
  const logRefusal = (reply: SmtpReply): void =>
    deps.refused({
      routes: accepted.recipients.map(({ route }) => route),
      sender: mail.envelope.sender,
      size: mail.content.size,
      network: accepted.origin?.network ?? null,
      reply,
    });
  let usage: CommitResult["received"] = new Map();
  let isTaken = false;
  try {
    const unread = await readReports(deps, mail, accepted, whole.read);
    if (unread) {
      record(unread, { result: null, decisions: [] });
      return unread;
    }
    if (mail.envelope.sender === "")
      await deps.countLateBounces(
        mail.content,
        accepted.recipients.map(({ route }) => route),
      );
    const result = await queueMail(deps, mail, accepted, { mailId, span }, whole.read);
    if ("code" in result) {
      logRefusal(result);
      record(result, { result: null, decisions: [] });
      return result;
    }
    const { committed, decisions, refusal } = result;
    usage = committed.received;
    const notStored = commitReplies[committed.kind];
    if (notStored) logRefusal(notStored);
    const answer = notStored ?? refusal;
    isTaken = answer === null;
    record(answer, { result: committed, decisions });
    return answer;
  } finally {
    whole.close();
    span.end({ "bauta.smtp.code": code, "bauta.size": mail.content.size });
    for (const { allowance, ticket } of accepted.recipients) {
      deps.reservations.release(allowance, usage.get(allowance.userId) ?? 0);
      if (!isTaken) ticket.cancel(true);
    }
  }
};
