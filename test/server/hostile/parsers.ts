import { generateKeyPairSync } from "node:crypto";
import { resolvePolicy } from "mailauth/lib/mta-sts.js";
import { generateKey } from "openpgp";
import { loadRe2Patterns } from "../../../adapters/re2/re2Patterns.ts";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { readImport } from "../../../core/account/readImport.ts";
import { findCode } from "../../../core/codes/findCode.ts";
import { createClassifier } from "../../../core/insights/classification/classifier.ts";
import { maxSearchedBytes, traitsOf } from "../../../core/insights/classification/mailFeatures.ts";
import { scrubText } from "../../../core/kernel/scrubText.ts";
import { toAnswerable } from "../../../core/mail/answerableAddress.ts";
import { emailAddress, isEmailAddress } from "../../../core/mail/emailAddress.ts";
import { htmlToText } from "../../../core/mail/htmlText.ts";
import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import { evaluate } from "../../../core/rules/engine/evaluate.ts";
import type { Facts } from "../../../core/rules/engine/facts.ts";
import { findReplyObstacle } from "../../../core/rules/engine/mayReply.ts";
import type { Condition } from "../../../core/rules/model/condition.ts";
import { importSieve } from "../../../core/rules/sieve/importSieve.ts";
import { parseBounceReport } from "../../../server/delivery/bounceReports/bounceReport.ts";
import { toPath } from "../../../server/delivery/client/commands.ts";
import { parseExtensions } from "../../../server/delivery/client/extensions.ts";
import { ReplyReader } from "../../../server/delivery/client/reply.ts";
import { parsePolicy } from "../../../server/delivery/direct/mtaStsPolicy.ts";
import { readAnswer } from "../../../server/delivery/direct/rateAnswer.ts";
import { treatmentOf } from "../../../server/delivery/fieldTreatments.ts";
import { toStorableAnswer } from "../../../server/delivery/smtpAnswer.ts";
import { parseAppPassword } from "../../../server/features/appPasswords/appPassword.ts";
import { createHeldLinks } from "../../../server/features/held/heldLinks.ts";
import { readStoredHeader } from "../../../server/features/held/storedHeader.ts";
import { readSes } from "../../../server/features/inbound/amazonSes.ts";
import { readPostmark } from "../../../server/features/inbound/services.ts";
import {
  createOwnAddresses,
  listCorrespondents,
  readAnsweredFields,
  writeForwardedFields,
} from "../../../server/features/replies/rewrite/forwardedFields.ts";
import { reverseLocalPartsIn } from "../../../server/features/replies/rewrite/ownerTraces.ts";
import { readReplyParts } from "../../../server/features/replies/rewrite/replyParts.ts";
import { writeReply } from "../../../server/features/replies/rewrite/writeReply.ts";
import { createThreadIds, messageIdsIn } from "../../../server/features/replies/threadIds.ts";
import { parseFeedbackReport } from "../../../server/features/reports/complaints/feedbackReport.ts";
import { readReport } from "../../../server/features/reports/received/readReport.ts";
import { decodeSessionCookie } from "../../../server/features/session/sessionCookie.ts";
import { readListTargets } from "../../../server/features/unsubscribe/listTarget.ts";
import { senderOf } from "../../../server/mime/author.ts";
import { autocryptKey } from "../../../server/mime/autocryptField.ts";
import { forwardedName, namesAnotherAddress } from "../../../server/mime/forwardedName.ts";
import { type HeaderBlock, readHeaderBlock } from "../../../server/mime/headerBlock.ts";
import { encodeDisplayName, encodeUnstructured } from "../../../server/mime/headerText.ts";
import { fieldWords, isAutomatic, mailboxesIn } from "../../../server/mime/mailFields.ts";
import { findMimeLeaves, findTransferEncoding, parseField } from "../../../server/mime/mimeLeaves.ts";
import type { Envelope } from "../../../server/mime/rawMail.ts";
import { toSevenBit } from "../../../server/mime/sevenBit.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { type AskDns, DnsError } from "../../../server/platform/dns/dnsClient.ts";
import { decodeAnswer } from "../../../server/platform/dns/dnsMessage.ts";
import { registrableDomain } from "../../../server/platform/dns/registrableDomain.ts";
import { errorCodeOf, readListing } from "../../../server/platform/objects/s3Listing.ts";
import { checkPublicKey } from "../../../server/platform/openpgp/checkPublicKey.ts";
import { createKeyedHash } from "../../../server/platform/ops/keyedHash.ts";
import { decodeMessages } from "../../../server/platform/socket/socketMessages.ts";
import { isResultsOf } from "../../../server/proof/authenticationResults.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { createSignMail } from "../../../server/proof/signMail.ts";
import { readMailCalendars } from "../../../server/relay/calendars/forwardedCalendars.ts";
import { composeAutoReply } from "../../../server/relay/decision/autoReply.ts";
import { prepareForwarding } from "../../../server/relay/decision/forwardedMail.ts";
import { isLooping, receivedField } from "../../../server/relay/decision/receivedField.ts";
import { armorMessage } from "../../../server/relay/encrypt/armor.ts";
import { encryptToKey } from "../../../server/relay/encrypt/pgpMime.ts";
import { replaceBlob } from "../../../server/relay/evaluate/joinedBlob.ts";
import { parseHeader, parseReducedMail, reduceMail } from "../../../server/relay/evaluate/parseMail.ts";
import { createRspamd } from "../../../server/relay/evaluate/rspamd.ts";
import { createRuleCache } from "../../../server/relay/evaluate/ruleCache.ts";
import { originalSender } from "../../../server/relay/receive/originalSender.ts";
import { withoutTrackers } from "../../../server/relay/trackers/removeTrackers.ts";
import { stripTrackingFromLink } from "../../../server/relay/trackers/trackingLinks.ts";
import { parseCommand, parsePath } from "../../../server/smtp/commandLine.ts";
import { InputBuffer } from "../../../server/smtp/connection/inputBuffer.ts";
import { createDataReader } from "../../../server/smtp/contentReader.ts";
import { normalizeLineEndings } from "../../../server/smtp/lineEndings.ts";
import { startLogin } from "../../../server/smtp/login.ts";
import type { Work } from "./growth.ts";

/** Returns the work of a parser on a hostile text; what is done before is not measured. */
export type Parser = (text: string) => Work;

const now = Date.UTC(2026, 11, 1);
const maskDomain = "masks.example";
const maskEmail = `shop@${maskDomain}`;

interface Mail {
  readonly content: Buffer;
  readonly header: HeaderBlock;
}

/** Returns a mail as SMTP has received it; without a header when it is too large. */
const mailOf = (text: string): Mail => {
  const content = normalizeLineEndings(Buffer.from(text));
  return {
    content,
    header: readHeaderBlock(content) ?? { fields: [], end: 0, hasMailboxLine: false, isText: false },
  };
};

const fields = "From: Bob <bob@shop.example>\r\nTo: shop@masks.example\r\nMIME-Version: 1.0\r\n";
/** Lines that end a text begin a field. */
const inField = (name: string, text: string): string => `${name}: ${text}\r\n${fields}\r\ntext\r\n`;
const inBody = (type: string, text: string): string => `${fields}Content-Type: ${type}\r\n\r\n${text}\r\n`;

/** Fields that are read in different ways. */
const fieldNames = [
  "From",
  "Subject",
  "Content-Type",
  "Content-Type: multipart/mixed; boundary",
  "References",
  "X-Any",
] as const;
const bodies = {
  "a text": "text/plain",
  "a flowed text": "text/plain; format=flowed; delsp=yes",
  HTML: "text/html; charset=utf-8",
  "a quoted-printable text": "text/plain\r\nContent-Transfer-Encoding: quoted-printable",
  "quoted-printable HTML": "text/html\r\nContent-Transfer-Encoding: quoted-printable",
  "Base64 HTML": "text/html\r\nContent-Transfer-Encoding: base64",
  "a calendar": "text/calendar; method=REPLY",
  "a multipart": 'multipart/mixed; boundary="b"',
  "an attached mail": "message/rfc822",
  "a report": 'multipart/report; report-type=delivery-status; boundary="b"',
} as const;

type Mails = Readonly<Record<string, (text: string) => string>>;

const asHeader: Mails = {
  "a header": (text) => `A: b\r\n${text}`,
  ...Object.fromEntries(fieldNames.map((name) => [name, (text: string) => inField(name, text)])),
};
const asAnsweredField: Mails = Object.fromEntries(
  [
    "Reply-To",
    'Reply-To: "a',
    "List-Unsubscribe",
    "List-Unsubscribe: <mailto",
    "List-Unsubscribe: =?utf-8?q?",
  ].map((name) => [name, (text: string) => inField(name, text)]),
);
const asBody: Mails = Object.fromEntries(
  Object.entries(bodies).map(([name, type]) => [name, (text: string) => inBody(type, text)]),
);

/** Returns a row for each place of a mail. */
const inMails = (
  what: string,
  places: Mails,
  read: (mail: Mail) => unknown,
): Readonly<Record<string, Parser>> =>
  Object.fromEntries(
    Object.entries(places).map(([place, write]) => [
      `${what}: ${place}`,
      (text: string): Work => {
        const mail = mailOf(write(text));
        return () => read(mail);
      },
    ]),
  );

const envelope: Envelope = {
  sender: "bob@shop.example",
  helo: "mx.shop.example",
  remoteAddress: "192.0.2.1",
  protocol: "ESMTP",
  smtpUtf8: false,
  receivedAt: now,
};

const facts: Facts = {
  mask: {
    maskEmail,
    labels: [],
    forwardTo: "ada@home.example",
    lastMailAt: null,
    receivedThisMonth: 0,
    received: 0,
    forwarded: 0,
  },
  account: { confirmed: [], ownDomains: [maskDomain] },
  category: null,
  size: 1,
  proof: null,
  now,
};

const parsed = (text: string): ParsedMail => ({
  from: { name: text, address: `${text}@shop.example` },
  to: [text],
  subject: text,
  headers: ["references", "message-id", "auto-submitted", "precedence", "x-any", "content-type"].map(
    (name) => ({ name, value: text }),
  ),
  text,
  htmlText: text,
  isTextCut: false,
  attachments: [{ name: text, type: text }],
});

const conditions: readonly Condition[] = [
  { field: "subject", operator: "contains", value: ["never there", "=?"] },
  { field: "sender", operator: "ends_with", value: ["never.example"] },
  { field: "body", operator: "starts_with", value: ["never there"] },
  { field: "body", operator: "ends_with", value: ["never there"] },
  { field: "body", operator: "matches_regex", value: "(a|aa)+$|(\\s*b)*c|<.*>.*!" },
];

const ids = createThreadIds(Buffer.alloc(32, 1), maskDomain)("user");
const own = createOwnAddresses(["ada@home.example", maskEmail]);

const replyContext = {
  maskEmail,
  description: "Shopping $& list",
  maskDomain,
  ownerAddresses: ["ada@home.example", "a.b.c@sub.home.example"],
  ownerNames: ["Ada Lovelace"],
  ownerHosts: ["home.example", "sub.home.example"],
  correspondents: new Map([
    [`re-${"a".repeat(32)}`, { name: "Bob $` at", address: "bob@shop.example" }],
    [`re-${"b".repeat(32)}`, { name: "", address: "carol@shop.example" }],
  ]),
  to: [{ name: "Bob", address: "bob@shop.example" }],
  cc: [],
  ids,
  random: cryptoRandom,
  now,
};

/** Writes the reply unless it is refused. */
const reply = ({ content, header }: Mail): unknown => {
  try {
    const mail = { content, header };
    return writeReply(mail, readReplyParts(mail), replyContext);
  } catch {
    return null;
  }
};

const settled = async (work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch {
    // A refusal is an answer.
  }
};

const judgeOptions = { host: maskDomain, trustedSealers: [], judgesPrivate: true };
/** A name server that has the text as record of every name. */
const lookupOf = (records: readonly string[]) => {
  const ask: AskDns = async (name, type) => {
    if (type !== "TXT") throw new DnsError("ENOTFOUND", name);
    const data = records.map((record) => [record]);
    return {
      id: 0,
      isResponse: true,
      isTruncated: false,
      isAuthentic: false,
      code: 0,
      question: { name, type },
      data,
      ttl: 60,
    };
  };
  return createMailLookup(createDnsCache(ask, { now: () => now }));
};
const judge = (content: Buffer, records: readonly string[] = []): Promise<void> =>
  settled(() => judgeSender(content, envelope, judgeOptions, lookupOf(records)));

const signature =
  "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=s; h=from; bh=AAAA; b=AAAA\r\n";

/** A DNS message with a question and one TXT record of this data. */
const dnsMessage = (data: Buffer): Buffer => {
  const head = Buffer.from(
    "0001818000010001000000000161076578616d706c650000100001c00c001000010000003c0000",
    "hex",
  );
  head.writeUInt16BE(data.length, head.length - 2);
  return Buffer.concat([head, data]);
};
const maxUdpBytes = 65_000;
/** The longest subject and name that are written anew. */
const maxWrittenLength = 2_048;

const hash = createKeyedHash(Buffer.alloc(32, 2));
const links = createHeldLinks(hash, "https://app.example");
const classify = createClassifier();

const reportMail = (type: string, text: string): Buffer =>
  Buffer.from(`Content-Type: ${type}\r\n\r\n${text}`);

const toStorableReply = ({ text }: { readonly text: string }): unknown => toStorableAnswer(text);

const readRspamd = async (answer: string): Promise<unknown> => {
  const { fetch } = globalThis;
  globalThis.fetch = async () => new Response(answer);
  try {
    return await createRspamd("http://127.0.0.1:1")(Buffer.from("a"), envelope);
  } finally {
    globalThis.fetch = fetch;
  }
};

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const sign = createSignMail({
  domain: maskDomain,
  activeKeys: async () => [{ selector: "s", algorithm: "rsa-sha256", privateKey }],
  clock: { now: () => now },
});

/** What the table needs that takes time to make. */
const createTools = async () => {
  // As the thread that reads mail for rules does.
  replaceBlob();
  const { publicKey } = await generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [{ name: "Ada" }],
    format: "armored",
  });
  return { publicKey, ruleCache: createRuleCache(await loadRe2Patterns()) };
};

/** A parser of a text alone. */
const of =
  (read: (text: string) => unknown): Parser =>
  (text) =>
  () =>
    read(text);

/**
 * Returns every parser that a stranger's bytes meet on the way of a mail or to a user, by name. A new parser is one line
 * here.
 */
export const createParsers = async (): Promise<Readonly<Record<string, Parser>>> => {
  const { publicKey, ruleCache } = await createTools();
  const rules = ruleCache({
    before: "[]",
    mask: JSON.stringify([
      {
        id: "r",
        name: "r",
        type: "content_filter",
        enabled: true,
        conditions: [{ match: "any", conditions }],
        actions: [{ type: "tag", params: { tag: "t" } }],
      },
    ]),
    after: "[]",
  });
  return {
    "SMTP: a command": of((text) => {
      const { argument } = parseCommand(`MAIL FROM:<${text}`);
      return [
        parsePath("FROM", argument),
        parsePath("FROM", `FROM:${text}`),
        parsePath("TO", `TO:<a@b>${text}`),
      ];
    }),
    "SMTP: lines of commands": (text) => {
      const bytes = Buffer.from(text);
      return () => {
        const input = new InputBuffer();
        for (let at = 0; at < bytes.length; at += 1_024) {
          input.append(bytes.subarray(at, at + 1_024));
          for (let line = input.takeLine(); line !== null; line = input.takeLine())
            if (line === "too-long") return;
        }
      };
    },
    "SMTP: content in small pieces": (text) => {
      const bytes = Buffer.from(text);
      return () => {
        const reader = createDataReader();
        for (let at = 0; at < bytes.length; at += 700) reader.push(bytes.subarray(at, at + 700), 0);
      };
    },
    "SMTP: content": (text) => {
      const bytes = Buffer.from(text);
      return () => [createDataReader().push(bytes, 0), normalizeLineEndings(bytes)];
    },
    "SMTP: a login": of((text) => startLogin(`PLAIN ${text}`)),
    "SMTP: a password of a program": of(parseAppPassword),
    "SMTP: replies of a server": (text) => {
      const bytes = Buffer.from(`250-a\r\n${text}`);
      return () => settled(() => new ReplyReader().push(bytes, toStorableReply));
    },
    "report of a receiver: DMARC": of((text) => readReport(reportMail("text/xml", text))),
    "report of a receiver: elements": of((text) =>
      readReport(reportMail("text/xml", `<feedback><record>${text}</record></feedback>`)),
    ),
    "report of a receiver: TLS": of((text) => readReport(reportMail("application/json", text))),
    "report of a receiver: packed": of((text) =>
      readReport(reportMail("application/zip", `PK\x03\x04${text}`)),
    ),
    "SMTP: an answer of a server": of((text) => [
      readAnswer(toStorableAnswer(text)),
      parseExtensions({ code: 250, text: "", lines: ["", text] }),
    ]),
    ...inMails("header", asHeader, ({ content }) => readHeaderBlock(content)),
    ...inMails("trace fields", asHeader, ({ content, header }) => [
      isLooping(header),
      header.fields.some((field) => isResultsOf(content, field, maskDomain)),
    ]),
    "received field": of((text) => receivedField({ ...envelope, helo: text }, "id", maskDomain)),
    ...inMails("sender", asHeader, ({ content, header }) => originalSender(content, header)),
    ...inMails("fields", asHeader, (mail) => [
      isAutomatic(mail),
      ...["from", "to", "reply-to", "cc"].map((name) => mailboxesIn(mail, name)),
      fieldWords(mail, "subject"),
      parseField(mail.content, mail.header, "content-type"),
      parseField(mail.content, mail.header, "content-disposition"),
    ]),
    ...inMails("forwarded header", asHeader, ({ content, header }) => {
      const sender = senderOf(originalSender(content, header));
      const proof = { host: maskDomain, evidence: null, acceptUnproven: false };
      return prepareForwarding(
        { head: content, header, sender, envelopeSender: "bob@shop.example" },
        "",
        proof,
      )(maskEmail, { subject: "s", tags: [] });
    }),
    ...inMails("forwarded fields", { ...asHeader, ...asAnsweredField }, (mail) => {
      const answered = readAnsweredFields(mail);
      listCorrespondents(answered, senderOf(originalSender(mail.content, mail.header)), own);
      return writeForwardedFields(mail, answered, new Map(), ids, { maskDomain, own });
    }),
    ...inMails(
      "key of the author",
      {
        Autocrypt: (text) => inField("Autocrypt", text),
        "Autocrypt with a key": (text) => inField("Autocrypt", `addr=a@b.example; keydata=${text}`),
      },
      (mail) => autocryptKey(mail, "a@b.example"),
    ),
    ...inMails("held mail", asHeader, ({ content }) => readStoredHeader(() => [content])),
    ...inMails("header for rules", asHeader, ({ content, header }) =>
      parseHeader(content.subarray(0, header.end)),
    ),
    ...inMails("mail for rules", asBody, ({ content, header }) =>
      settled(() => parseReducedMail(reduceMail(content, header))),
    ),
    ...inMails("parts", asBody, ({ content, header }) => findMimeLeaves(content, header)),
    ...inMails("7 bits", { ...asHeader, ...asBody }, ({ content }) => toSevenBit(content)),
    ...inMails("trackers", asBody, ({ content, header }) => withoutTrackers(content, header)),
    ...inMails("calendars", asBody, ({ content, header }) => readMailCalendars(content, header)),
    "link that tracks": of((text) => stripTrackingFromLink(`https://a.example/click?u=${text}#${text}`)),
    ...Object.fromEntries(
      ["base64", "quoted-printable"].map((name): readonly [string, Parser] => [
        `transfer encoding: ${name}`,
        (text) => {
          const [coding, bytes] = [findTransferEncoding(name), Buffer.from(text)];
          return () => coding?.edit(bytes, [{ start: 0, end: 1, text: "b" }]);
        },
      ]),
    ),
    "text of HTML": of((text) => htmlToText(text, 65_536)),
    "codes in a text": of((text) => findCode({ subject: text, text, html: "" })),
    "codes in HTML": of((text) => findCode({ subject: "Your code", text: "", html: text })),
    "rules on texts": (text) => {
      const mail = parsed(text);
      return () => evaluate(rules, mail, facts);
    },
    "automatic answer": (text) => {
      const mail = parsed(text);
      return async () => [
        findReplyObstacle(mail, facts.mask, facts.account),
        await composeAutoReply(mail, { subject: "", message: "m", ruleId: "r" }, "bob@shop.example", {
          maskEmail,
          maskId: "m",
          id: "i",
          now,
        }),
      ];
    },
    classifier: (text) => {
      const { subject, headers } = parsed(text);
      return () =>
        classify({
          subject,
          headers,
          traits: traitsOf(text.slice(0, maxSearchedBytes), { masks: 0, earlierMails: 0 }),
        });
    },
    "name of a sender": of((text) => [
      forwardedName({ name: text, address: text }),
      namesAnotherAddress({ name: text, address: `${text}@b.example` }),
    ]),
    "path of a command": of((text) => [toPath(text), toPath(`"${text}"@b.example`)]),
    "treatment of a field": of((text) =>
      ["x-list-unsubscribe", "x-any"].map((name) => treatmentOf(name, () => `=?utf-8?q?${text}`)),
    ),
    ...inMails("ways to leave a list", asAnsweredField, (mail) =>
      readListTargets(mail, null, { publicUrl: "https://masks.example", maskDomain }),
    ),
    "written fields": of((text) =>
      [encodeDisplayName, encodeUnstructured].map((write) => write(text.slice(0, maxWrittenLength))),
    ),
    "e-mail address": of((text) => [
      toAnswerable(text),
      toAnswerable(`${text}@b.example`),
      toAnswerable(`"${text}"@b.example`),
      toAnswerable(`a@[${text}]`),
      toAnswerable(`a@${text}`),
      isEmailAddress(text),
      isEmailAddress(`${text}@b.example`),
      emailAddress({ required: "", invalid: "" }).decode(` ${text} `),
      registrableDomain(text),
    ]),
    rspamd: (text) => {
      const answer = JSON.stringify({
        score: 1,
        required_score: 5,
        action: text,
        symbols: Object.fromEntries(
          text.split(/[ab]/).map((name, n) => [`${name.slice(0, 99)}${n}`, { score: n }]),
        ),
      });
      return () => settled(() => readRspamd(answer));
    },
    ...inMails("encryption", { "a text": (text) => inBody("text/plain", text) }, ({ content }) =>
      encryptToKey({ content, publicKey, boundary: "b" }),
    ),
    ...inMails("encryption", { "Content-Type": (text) => inField("Content-Type", text) }, ({ content }) =>
      encryptToKey({ content, publicKey, boundary: "b" }),
    ),
    armor: (text) => {
      const bytes = Buffer.from(text);
      return () => armorMessage(bytes);
    },
    "public key": of((text) =>
      checkPublicKey(`-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\n${text}`, new Date(now)),
    ),
    ...inMails("report", { ...asHeader, ...asBody }, ({ content }) => parseBounceReport(content)),
    "status of a report": (text) => {
      const content = Buffer.from(
        `Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: smtp; ${text}\r\nFinal-Recipient: rfc822; ${text}`,
      );
      return () => parseBounceReport(content);
    },
    "feedback report": (text) => {
      const content = Buffer.from(
        `Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nOriginal-Mail-From: ${text}\r\nCFBL-Feedback-ID:${text}\r\n`,
      );
      return () => parseFeedbackReport(content);
    },
    "message ids": of((text) => messageIdsIn(text).map((id) => [ids.toOwner(id), ids.toOutside(id)])),
    "one message id": of((text) => [ids.toOwner(`<${text}@${maskDomain}>`), ids.toOutside(`<${text}>`)]),
    "reverse addresses": of((text) => reverseLocalPartsIn(text, maskDomain)),
    ...inMails("reply", { ...asHeader, ...asBody }, reply),
    ...inMails(
      "signing",
      {
        ...asHeader,
        "Authentication-Results": (text) =>
          `Authentication-Results: ${maskDomain}; dmarc=pass\r\nARC-Seal: i=1; ${text}\r\nARC-Message-Signature: i=1; ${text}\r\nARC-Authentication-Results: i=1; ${text}\r\n${fields}\r\n`,
      },
      ({ content }) => sign([content]),
    ),
    "DNS: a record": (text) => {
      const packet = dnsMessage(Buffer.from(text).subarray(0, maxUdpBytes));
      return () => settled(() => decodeAnswer(packet, "TXT"));
    },
    "DNS: a message": (text) => {
      const packet = Buffer.concat([
        Buffer.from("0001818000010040000000000161076578616d706c650000100001", "hex"),
        Buffer.from(text).subarray(0, maxUdpBytes),
      ]);
      return () => settled(() => decodeAnswer(packet, "TXT"));
    },
    "object store: a list": of((text) => readListing(`<Contents>${text}<Contents>`, "", 0)),
    "object store: an error": of((text) => errorCodeOf(`<Error><Code>${text}`)),
    "MTA-STS: a policy": of((text) =>
      settled(() => parsePolicy(`version: STSv1\nmode: enforce\nmax_age: 1\nmx: ${text}\n${text}\n`)),
    ),
    "MTA-STS: a record": of((text) =>
      settled(() =>
        resolvePolicy("shop.example", {
          strict: true,
          resolver: lookupOf([`v=STSv1; id=1; ${text};`]),
        }),
      ),
    ),
    ...inMails("judging", asHeader, ({ content }) => judge(content)),
    ...inMails(
      "judging",
      {
        "DKIM-Signature": (text) =>
          inField("DKIM-Signature", `v=1; a=rsa-sha256; d=shop.example; s=s; ${text}; b=a`),
        "ARC fields": (text) =>
          inField("ARC-Seal", text) +
          inField("ARC-Message-Signature", text) +
          inField("ARC-Authentication-Results", text),
      },
      ({ content }) => judge(content),
    ),
    ...Object.fromEntries(
      ["v=DKIM1; ", "v=spf1 ", "v=DMARC1; p=reject; ", ""].map((start): readonly [string, Parser] => [
        `judging: the record ${JSON.stringify(start)}`,
        (text) => {
          const { content } = mailOf(`${signature}${fields}\r\ntext\r\n`);
          return () => judge(content, [`${start}${text}`]);
        },
      ]),
    ),
    "Sieve: a script": of(importSieve),
    "Sieve: a text": of((text) => importSieve(`if header "a" "${text}" { keep; }`)),
    "import: CSV": of((text) => readImport(`description,forwardTo\n${text}`)),
    "import: JSON": of((text) => readImport(JSON.stringify({ masks: [{ description: text, email: text }] }))),
    "import: damaged JSON": of((text) => readImport(`[${text}`)),
    "signed links": of((text) => links.isSigned({ id: text, userId: "u", heldAt: now }, "release", text)),
    "session cookie": of((text) => decodeSessionCookie(hash, text)),
    "socket message": of(decodeMessages),
    "text of a log": of(scrubText),
    "Postmark's JSON": of((text) => settled(() => readPostmark(text))),
    "Amazon SES's JSON": of((text) =>
      settled(() => readSes(JSON.stringify({ Type: "Notification", Message: text }))),
    ),
  };
};
