import type { DomainName } from "../../../core/mail/domainName.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import { bounceAddress, postmasterAddress } from "../../delivery/serviceAddresses.ts";
import { maxFromBytes, senderOf } from "../../mime/author.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Span } from "../../platform/ops/tracing.ts";
import type { Submit } from "../../platform/store/groupCommit.ts";
import { newMailId } from "../../platform/store/id.ts";
import { type Refused, refused, type SmtpReply } from "../../smtp/smtpReplies.ts";
import type { CommitRequest, CommitResult } from "../commit/commitRequest.ts";
import type { RawMailWithHeader } from "../decision/arrivedMail.ts";
import { type DecideMailDeps, decideMail } from "../decision/decideMail.ts";
import { prepareForwarding } from "../decision/forwardedMail.ts";
import { copyCount, type MailDecision } from "../decision/mailDecision.ts";
import { isLooping, receivedField } from "../decision/receivedField.ts";
import * as refusals from "../decision/refusals.ts";
import { CannotEncrypt, encryptCopies, type FindEncryption } from "../encrypt/encryptCopies.ts";
import type { Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import type { ReceivedLog } from "../log/receivedLog.ts";
import type { RefusedAtMasks } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { RelayContext } from "../relayContext.ts";
import type { MailLogEntry } from "./logMail.ts";
import { originalSender } from "./originalSender.ts";
import { maxPostmasterMailBytes } from "./postmaster.ts";
import {
  type AcceptedRecipient,
  nothingRead,
  type OpenTransaction,
  type ReadableMail,
  type RecipientKind,
} from "./recipientKind.ts";
import { reportRecipient } from "./reportRecipient.ts";
import { maxCopiesBytes } from "./transaction.ts";

export interface ReceiveMailDeps
  extends Pick<RelayContext, "clock" | "tracing" | "wholeMails" | "postmaster" | "keptRoom"> {
  readonly maskDomain: DomainName;
  readonly decideDeps: DecideMailDeps;
  readonly findEncryption: FindEncryption;
  /** Called with each mail that was queued or refused. */
  readonly onReceived: (mail: MailLogEntry) => void;
  readonly commit: Submit<CommitRequest, CommitResult>;
  readonly reservations: Reservations;
  /** In the order in which they read a mail. */
  readonly kinds: readonly RecipientKind[];
  readonly senderLimits: SenderLimits;
  readonly receivedLog: Pick<ReceivedLog, "prepare">;
  /** Tells the log and the records of features of refused mail. */
  readonly refused: (mail: RefusedAtMasks) => void;
}

const refusalOfCommit: Readonly<Record<CommitResult["kind"], SmtpReply | null>> = {
  queued: null,
  limit: refusals.limitReachedMeanwhile,
  share: refusals.dailyShareUsedUp,
  full: refusals.tooMuchKept,
  waiting: refusals.tooMuchWaits,
  changed: refusals.changedMeanwhile,
};

/** Parses the header of a mail, or refuses the mail. */
const readHeader = (
  { maskDomain, clock }: ReceiveMailDeps,
  mail: RawMail,
  mailId: string,
  readAll: () => Promise<Buffer>,
): Refused | { readonly kind: "read"; readonly mail: RawMailWithHeader } => {
  const { envelope, content } = mail;
  const header = readHeaderBlock(content.head);
  if (!header) return refused(refusals.headerTooLarge);
  if (isLooping(header)) return refused(refusals.mailLoop);
  const from = header.fields.filter(({ name }) => name === "from");
  if (from.length > 1) return refused(refusals.severalFromFields);
  if (from.some(({ start, end }) => end - start > maxFromBytes)) return refused(refusals.fromTooLong);
  const traceLine = receivedField(envelope, mailId, maskDomain);
  const author = originalSender(content.head, header);
  // Nobody hears of a refused report, and some servers write no address into its From: it has no author then.
  if (author.kind === "ambiguous" && envelope.sender !== "") return refused(refusals.unclearAuthor);
  const sender = senderOf(author);
  return { kind: "read", mail: { ...mail, header, sender, traceLine, now: clock.now(), readAll } };
};

interface QueueResult {
  readonly kind: "handled";
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

interface Decided {
  readonly kind: "decided";
  readonly decisions: readonly MailDecision[];
}

/** Decides about a mail and encrypts its copies, or refuses the mail. */
const decideAndEncrypt = async (
  { decideDeps, findEncryption }: ReceiveMailDeps,
  mail: RawMailWithHeader,
  routes: readonly MailRoute[],
  span: Span,
): Promise<Decided | Refused> => {
  const decisions = await span.during("evaluate mail", () => decideMail(decideDeps, mail, routes));
  const copies = decisions.reduce((sum, decided) => sum + copyCount(decided), 0);
  if (copies > 1 && mail.content.size * copies > maxCopiesBytes) return refused(refusals.tooManyCopies);
  try {
    const encrypted = await span.during("encrypt mail", () =>
      Promise.all(decisions.map((decided) => encryptCopies(findEncryption, decided))),
    );
    return { kind: "decided", decisions: encrypted };
  } catch (error) {
    if (error instanceof CannotEncrypt) return refused(refusals.cannotEncrypt);
    throw error;
  }
};

/** Makes what a new route stands for, by the kind that can. */
const makeRoute = async ({ kinds }: ReceiveMailDeps, route: MailRoute): Promise<boolean> => {
  for (const kind of kinds) if (kind.make) return kind.make(route);
  return false;
};

const findMade = async ({ kinds }: ReceiveMailDeps, route: MailRoute): Promise<MailRoute | null> => {
  for (const kind of kinds) if (kind.findMade) return kind.findMade(route);
  return null;
};

/** Returns the routes with those that other mails have made meanwhile; null when one cannot be made any more. */
const refreshRoutes = async (
  deps: ReceiveMailDeps,
  routes: readonly MailRoute[],
): Promise<readonly MailRoute[] | null> => {
  const found = await Promise.all(routes.map((route) => (route.isNew ? findMade(deps, route) : route)));
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
): Promise<Decided | Refused> => {
  const result = await decideAndEncrypt(deps, mail, routes, span);
  if (result.kind === "refused") return result;
  const { decisions } = result;
  if (decisions.some(({ decision }) => decision.block?.by === "undecided-sender"))
    return refused(refusals.senderUndecided);
  let isMissing = false;
  for (const decided of decisions)
    if (decided.route.isNew && !isRefused(decided))
      isMissing = !(await makeRoute(deps, decided.route)) || isMissing;
  if (!isMissing) return result;
  const known = await refreshRoutes(deps, routes);
  return known ? decideAndEncrypt(deps, mail, known, span) : refused(refusals.changedMeanwhile);
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

/** The copies that a mail is received for. */
interface Copies {
  readonly recipients: readonly AcceptedRecipient[];
  /** Address for the postmaster's copy; null when the postmaster is not a recipient. */
  readonly postmaster: string | null;
}

const copiesOf = ({ postmaster }: ReceiveMailDeps, transaction: OpenTransaction): Copies => ({
  recipients: [...transaction.recipients.values()],
  postmaster: transaction.acceptedBy(postmaster).size > 0 ? postmaster.recipient : null,
});

/** null when the copies for masks and the postmaster are not too large together, and the postmaster takes another mail. */
const findRefusal = async (
  { postmaster }: ReceiveMailDeps,
  mail: RawMail,
  copies: Copies,
  readAll: () => Promise<Buffer>,
): Promise<SmtpReply | null> => {
  const { size } = mail.content;
  const isToPostmaster = copies.postmaster !== null;
  if (isToPostmaster && size > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
  if (size * (copies.recipients.length + (isToPostmaster ? 1 : 0)) > maxCopiesBytes)
    return refusals.tooManyCopies;
  return isToPostmaster && !(await postmaster.take(mail, readAll)) ? refusals.postmasterBusy : null;
};

/** Returns the recipients without those whom a kind reaches without a copy. */
const withCopy = async (
  { kinds }: ReceiveMailDeps,
  mail: RawMailWithHeader,
  recipients: readonly AcceptedRecipient[],
): Promise<readonly AcceptedRecipient[]> => {
  let left = recipients;
  for (const kind of kinds) {
    if (!kind.findUsersWithoutCopy) continue;
    const users = left.map(({ route }) => route.userId);
    const without = await kind.findUsersWithoutCopy(mail, users);
    left = left.filter(({ route }) => !without.has(route.userId));
  }
  return left;
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
  { origin }: OpenTransaction,
  { committed: { kind, full }, decisions }: Pick<QueueResult, "committed" | "decisions">,
): Promise<void> => {
  const reply = refusalOfCommit[kind];
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
  transaction: OpenTransaction,
  { mailId, span }: { readonly mailId: string; readonly span: Span },
  readAll: () => Promise<Buffer>,
): Promise<QueueResult | Refused> => {
  const { maskDomain, commit } = deps;
  const { month, origin } = transaction;
  const { recipients, postmaster } = copiesOf(deps, transaction);
  const read = readHeader(deps, received, mailId, readAll);
  if (read.kind === "refused") return read;
  const { mail } = read;
  const notTaken = await findRefusal(deps, received, { recipients, postmaster }, readAll);
  if (notTaken) return refused(notTaken);
  const others = await withCopy(deps, mail, recipients);
  if (others.length === 0 && recipients.length > 0 && postmaster === null)
    return { kind: "handled", committed: nothingToCommit, decisions: [], refusal: null };
  const routes = others.map(({ route }) => route);
  const decided = await decideAndMakeMasks(deps, mail, routes, span);
  if (decided.kind === "refused") return decided;
  const all = decided.decisions;
  // Mail that is refused makes no mask.
  const decisions = all.filter((one) => !one.route.isNew || !isRefused(one));
  if (decisions.length === 0 && all.length > 0 && postmaster === null)
    return refused(refusalOf(all, false) ?? refusals.refusedByRule);
  const sources = deps.senderLimits.sourcesOf(origin, decisions);
  if (deps.senderLimits.isUsedUp(decisions, sources)) return refused(refusals.dailyShareUsedUp);
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
      ...(received.inCommit && { inCommit: received.inCommit }),
    }),
  );
  deps.senderLimits.recordUsedUp(committed.usedUp);
  await recordNoRoom(deps, mail, transaction, { committed, decisions });
  if (committed.kind === "queued") for (const record of records) record.stored?.(mail, decisions);
  return { kind: "handled", committed, decisions, refusal: refusalOf(decisions, notice !== null) };
};

/** Has each kind read a mail, until one understands it; returns the reply of one that refuses it. */
const readMail = async (
  { kinds }: ReceiveMailDeps,
  mail: ReadableMail,
  transaction: OpenTransaction,
): Promise<SmtpReply | null> => {
  for (const kind of kinds) {
    const result = kind.read?.(mail, transaction) ?? nothingRead;
    const reading = result instanceof Promise ? await result : result;
    if (reading.kind === "refused") return reading.reply;
    if (reading.kind === "understood") return null;
  }
  return null;
};

/**
 * Handles a received mail and returns the reply; null means 250, with the mail stored durably for all
 * recipients. In every case the reservations of the transaction are used or released.
 */
export const receiveMail = async (
  deps: ReceiveMailDeps,
  mail: RawMail,
  transaction: OpenTransaction,
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
      routes: [...transaction.recipients.values()].map(({ route }) => route),
      sender: mail.envelope.sender,
      size: mail.content.size,
      network: transaction.origin?.network ?? null,
      reply,
    });
  let usage: CommitResult["received"] = new Map();
  let isTaken = false;
  try {
    const unread = await readMail(deps, { ...mail, readAll: whole.read }, transaction);
    if (unread) {
      record(unread, { result: null, decisions: [] });
      return unread;
    }
    const result = await queueMail(deps, mail, transaction, { mailId, span }, whole.read);
    if (result.kind === "refused") {
      logRefusal(result.reply);
      record(result.reply, { result: null, decisions: [] });
      return result.reply;
    }
    const { committed, decisions, refusal } = result;
    usage = committed.received;
    const notStored = refusalOfCommit[committed.kind];
    if (notStored) logRefusal(notStored);
    const answer = notStored ?? refusal;
    isTaken = answer === null;
    record(answer, { result: committed, decisions });
    return answer;
  } finally {
    whole.close();
    span.end({ "bauta.smtp.code": code, "bauta.size": mail.content.size });
    for (const { allowance, ticket } of transaction.recipients.values()) {
      deps.reservations.release(allowance, usage.get(allowance.userId) ?? 0);
      if (!isTaken) ticket.cancel(true);
    }
  }
};
