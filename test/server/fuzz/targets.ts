import { expect } from "chai";
import { readImport } from "../../../core/account/readImport.ts";
import { emailAddress, isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { htmlToText } from "../../../core/mail/htmlText.ts";
import { Rule } from "../../../core/rules/model/rule.ts";
import { exportSieve } from "../../../core/rules/sieve/exportSieve.ts";
import { importSieve } from "../../../core/rules/sieve/importSieve.ts";
import { parseBounceReport } from "../../../server/delivery/bounceReports/bounceReport.ts";
import { ClientError } from "../../../server/delivery/client/clientError.ts";
import { ReplyReader } from "../../../server/delivery/client/reply.ts";
import { PolicyError, parsePolicy } from "../../../server/delivery/direct/mtaStsPolicy.ts";
import { toStorableAnswer } from "../../../server/delivery/smtpAnswer.ts";
import { createHeldLinks } from "../../../server/features/held/heldLinks.ts";
import { createThreadIds, messageIdsIn } from "../../../server/features/replies/threadIds.ts";
import { decodeSessionCookie, encodeSessionCookie } from "../../../server/features/session/sessionCookie.ts";
import { forwardedName } from "../../../server/mime/forwardedName.ts";
import { readHeaderBlock } from "../../../server/mime/headerBlock.ts";
import { fieldWords, isAutomatic, mailboxesIn } from "../../../server/mime/mailFields.ts";
import { findMimeLeaves } from "../../../server/mime/mimeLeaves.ts";
import { decodeAnswer } from "../../../server/platform/dns/dnsMessage.ts";
import { createKeyedHash } from "../../../server/platform/ops/keyedHash.ts";
import { prepareForwarding } from "../../../server/relay/decision/forwardedMail.ts";
import { parseReducedMail, reduceMail } from "../../../server/relay/evaluate/parseMail.ts";
import { originalSender } from "../../../server/relay/receive/originalSender.ts";
import { withoutTrackers } from "../../../server/relay/trackers/removeTrackers.ts";
import { createArrivingBytes } from "../../../server/smtp/connection/arrivingBytes.ts";
import { InputBuffer } from "../../../server/smtp/connection/inputBuffer.ts";
import { createChunkReader, createDataReader } from "../../../server/smtp/contentReader.ts";
import { IncomingContent } from "../../../server/smtp/incomingContent.ts";
import { normalizeLineEndings } from "../../../server/smtp/lineEndings.ts";
import { SmtpSession } from "../../../server/smtp/session.ts";
import type { Step } from "../../../server/smtp/step.ts";
import { undoForwarding } from "../relay/receive/undo.ts";
import { createMemory } from "../support/memoryContent.ts";
import * as seeds from "./seeds.ts";

/** A parser to be fed with mutated seeds. */
export interface Target {
  readonly seeds: () => readonly string[];
  /** Feeds the parser and checks what must hold for any input. */
  readonly check: (text: string) => unknown;
}

const maskDomain = "masks.example";
const maskEmail = `shop@${maskDomain}`;
const now = Date.UTC(2026, 11, 1);

const trace = `Received: from a by ${maskDomain};\r\n Fri, 20 Nov 2026 10:00:00 +0000\r\n`;

/** Seeds have one character for each byte. */
const asReceived = (text: string): Buffer => normalizeLineEndings(Buffer.from(text, "latin1"));

/** Returns null for an error of the expected kind; others are defects. */
const unless = <A>(expected: new (...args: never[]) => Error, work: () => A): A | null => {
  try {
    return work();
  } catch (error) {
    if (error instanceof expected) return null;
    throw error;
  }
};

const checkHeader = (text: string): void => {
  const content = asReceived(`${text}\r\n\r\nbody\r\n`);
  const header = readHeaderBlock(content);
  if (!header) return;
  let last = 0;
  for (const { start, valueStart, end } of header.fields) {
    expect(start).to.be.at.least(last);
    expect(valueStart).to.be.within(start + 2, end);
    last = end;
  }
  expect(header.end).to.be.at.most(content.length);
  const mail = { content, header };
  for (const name of ["from", "to", "cc", "reply-to"]) mailboxesIn(mail, name);
  isAutomatic(mail);
  expect(fieldWords(mail, "subject").length).to.be.at.most(4 * content.length);
  const author = originalSender(content, header);
  const sender = author.kind === "one" ? author.sender : null;
  expect(forwardedName(sender ?? { name: "", address: "" })).not.to.match(/[\r\n@]/);
  const head = prepareForwarding(
    { head: content, header, sender, envelopeSender: "bob@shop.example" },
    trace,
    {
      host: maskDomain,
      evidence: null,
      acceptUnproven: false,
    },
  )(maskEmail);
  expect(head.length).to.be.at.most(20 * content.length + 4_096);
  const forwarded = Buffer.concat([head, content.subarray(header.end)]);
  expect(undoForwarding(forwarded).equals(content), "the original is restored").to.equal(true);
};

const checkMail = async (text: string): Promise<void> => {
  const content = asReceived(text);
  const header = readHeaderBlock(content);
  if (!header) return;
  const found = findMimeLeaves(content, header);
  for (const { start, end } of found?.leaves ?? []) {
    expect(start).to.be.at.least(0);
    expect(end).to.be.at.most(content.length);
  }
  const { content: stripped } = withoutTrackers(content, header);
  expect(stripped.length).to.be.at.most(4 * content.length + 1_024);
  const again = readHeaderBlock(stripped);
  expect(again?.end).to.equal(header.end);
  const reduced = reduceMail(content, header);
  expect(reduced.content.length).to.be.at.most(content.length);
  const parsed = await parseReducedMail(reduced).catch((error: unknown) => {
    // The parser's own limits are an answer.
    if (error instanceof Error && /Maximum|Nesting/i.test(error.message)) return null;
    throw error;
  });
  const report = parseBounceReport(content);
  expect(report.kind === "failure" ? report.recipients.length : 0).to.be.at.most(100);
  if (parsed?.text) expect(parsed.text.length).to.be.at.most(65_536);
  const visible = htmlToText(text, 65_536);
  expect(visible.length).to.be.at.most(Math.min(65_536, 4 * text.length + 4));
};

const mustBeReply = /^(?:[2-5]\d\d-[^\r\n]*\r\n)*[2-5]\d\d [^\r\n]*\r\n$/;

/** Runs a dialog in one piece or in small ones; returns the replies and the mails that were taken. */
const runDialog = async (text: string, pieceLength: number) => {
  const [replies, mails]: [string[], string[]] = [[], []];
  const memory = createMemory(1_000_000);
  const arriving = createArrivingBytes({ perNetwork: 1_000_000, ofThisHost: 1_000_000 });
  const session = new SmtpSession(
    {
      name: maskDomain,
      remoteAddress: "192.0.2.1",
      beginTransaction: () => ({
        onRecipient: () => null,
        onMail: async ({ content, envelope }) => {
          mails.push(content.head.toString("latin1"));
          expect(envelope.sender).not.to.match(/[\r\n\0]/);
          return null;
        },
        end: () => {},
      }),
      submission: null,
      createContent: (size) =>
        new IncomingContent({ beginContent: memory.beginContent, arriving, network: null }, size),
      clock: { now: () => now },
      onRecipientRefused: () => {},
      onError: (error) => {
        throw error;
      },
    },
    { offersTls: false, isSecure: false },
  );
  const input = new InputBuffer();
  let reader: ReturnType<typeof createDataReader> | null = null;
  let isLastChunk = true;
  let isOpen = true;
  const take = (step: Step): void => {
    if (step.text !== "") replies.push(step.text);
    const { next } = step;
    if (next.kind === "close") isOpen = false;
    if (next.kind === "data") [reader, isLastChunk] = [createDataReader(), true];
    if (next.kind === "chunk") [reader, isLastChunk] = [createChunkReader(next.size), next.isLast];
  };
  const advance = async (): Promise<void> => {
    while (isOpen) {
      if (!reader) {
        const line = input.takeLine();
        if (line === "too-long") isOpen = false;
        if (line === null || line === "too-long") return;
        take(await session.command(line));
        continue;
      }
      const { pieces, end } = input.takeContent(reader);
      await session.content()?.add(pieces);
      if (end < 0) return;
      reader = null;
      take(isLastChunk ? await session.contentArrived() : session.chunkArrived());
    }
  };
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length && isOpen; at += pieceLength) {
    input.append(bytes.subarray(at, at + pieceLength));
    await advance();
  }
  session.reset();
  return { replies, mails };
};

const checkSmtp = async (text: string): Promise<void> => {
  const whole = await runDialog(text, Number.MAX_SAFE_INTEGER);
  for (const reply of whole.replies) expect(reply).to.match(mustBeReply);
  for (const mail of whole.mails) {
    expect(mail).not.to.match(/[^\r]\n|\r[^\n]|\0/);
    expect(mail === "" || mail.endsWith("\r\n")).to.equal(true);
  }
  expect(await runDialog(text, 7), "in small pieces").to.deep.equal(whole);
};

/** Errors by which the decoder of DNS refuses a packet. */
const checkDns = (text: string): void => {
  const packet = Buffer.from(text, "hex");
  for (const type of ["A", "AAAA", "MX", "TXT", "TLSA", "CNAME", "PTR", "NS"] as const) {
    const answer = unless(Error, () => decodeAnswer(packet, type));
    if (!answer) continue;
    expect(JSON.stringify(answer.data).length).to.be.at.most(600 * packet.length + 1_024);
    expect(answer.ttl).to.be.at.least(0);
  }
};

const checkSieve = (text: string): void => {
  const imported = importSieve(text);
  if (imported._tag === "Left") return;
  for (const rule of imported.right.rules) {
    const decoded = Rule.decode({ ...rule, id: "r" });
    expect(decoded._tag, JSON.stringify(rule)).to.equal("Right");
  }
  const rules = imported.right.rules.map((rule, n) => ({ ...rule, id: `r${n}` }));
  const exported = exportSieve(rules).script;
  expect(importSieve(exported)._tag, exported).to.equal("Right");
};

const checkImport = (text: string): void => {
  const file = readImport(text);
  if (file._tag === "Left") {
    expect(file.left).to.match(/\.$/);
    return;
  }
  for (const row of file.right.rows)
    if (row.kind === "mask") {
      expect(row.mask.description).not.to.equal("");
      expect(row.mask.description.length).to.be.at.most(200);
      expect(row.mask.description).not.to.match(/[\r\n]/);
    }
};

const hash = createKeyedHash(Buffer.alloc(32, 2));
const links = createHeldLinks(hash, "https://app.example");
const heldMail = { id: "m1", userId: "u1", heldAt: now };
const goodSignature = links.sign(heldMail, "release");
const goodCookie = encodeSessionCookie(hash, "session1", "secret1");
const ids = createThreadIds(Buffer.alloc(32, 1), maskDomain)("user");

const checkSigned = (text: string): void => {
  expect(links.isSigned(heldMail, "release", text)).to.equal(text === goodSignature);
  expect(links.isSigned(heldMail, "delete", text)).to.equal(false);
  expect(decodeSessionCookie(hash, text) !== undefined).to.equal(text === goodCookie);
  for (const id of messageIdsIn(text)) {
    const outside = ids.toOutside(id);
    expect(outside).to.match(/^<[\x21-\x7e]+@masks\.example>$|^<[\x21-\x7e]+>$/);
    // Ids of our own are translated back instead.
    if (id.length <= 400 && !/@masks\.example[\s.]*>$/i.test(id)) {
      expect(ids.toOwner(outside)).to.equal(id);
      expect(ids.toOutside(ids.toOwner(id))).to.equal(id);
    }
  }
};

const address = emailAddress({ required: "required", invalid: "invalid" });

const checkAddress = (text: string): void => {
  const decoded = address.decode(text);
  if (decoded._tag === "Left") return;
  expect(isEmailAddress(decoded.right)).to.equal(true);
  expect(address.decode(decoded.right), "the same again").to.deep.equal(decoded);
};

const checkAnswer = (text: string): void => {
  const stored = toStorableAnswer(text);
  expect(stored.length).to.be.at.most(200);
  expect(stored).not.to.match(/[\p{Cc}]|[^\s<>,;:()"'@]@+[^\s<>,;:()"'@]/u);
  unless(ClientError, () => new ReplyReader().push(Buffer.from(text, "latin1"), () => {}));
};

const checkPolicy = (text: string): void => {
  const policy = unless(PolicyError, () => parsePolicy(text));
  for (const name of policy?.mx ?? []) expect(name).to.match(/^(?:\*\.)?[a-z0-9._-]+$/);
};

/** Every target by the name that `npm run fuzz` takes. */
export const targets: Readonly<Record<string, Target>> = {
  header: { seeds: seeds.headerSeeds, check: checkHeader },
  mime: { seeds: seeds.mailSeeds, check: checkMail },
  smtp: { seeds: () => seeds.smtpSeeds, check: checkSmtp },
  dns: { seeds: () => seeds.dnsSeeds, check: checkDns },
  sieve: { seeds: () => seeds.sieveSeeds, check: checkSieve },
  links: {
    seeds: () => [goodSignature, goodCookie, ids.toOutside("<a@home.example>"), `<${"a".repeat(401)}@b>`],
    check: checkSigned,
  },
  import: { seeds: () => seeds.importSeeds, check: checkImport },
  address: { seeds: () => seeds.addressSeeds, check: checkAddress },
  answer: { seeds: () => seeds.answerSeeds, check: checkAnswer },
  policy: { seeds: () => seeds.policySeeds, check: checkPolicy },
};
