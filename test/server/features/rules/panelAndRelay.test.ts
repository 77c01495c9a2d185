import { expect } from "chai";
import { loadRe2Patterns } from "../../../../adapters/re2/re2Patterns.ts";
import { createClassifier } from "../../../../core/insights/classification/classifier.ts";
import { traitsOf } from "../../../../core/insights/classification/mailFeatures.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { Mask } from "../../../../core/masks/mask.ts";
import { maskFacts } from "../../../../core/rules/editing/maskFacts.ts";
import { prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import { writtenProof } from "../../../../core/rules/engine/facts.ts";
import { Rule } from "../../../../core/rules/model/rule.ts";
import { grantConsent } from "../../../../server/features/contentAccess/consentQueries.ts";
import { listConfirmedAddresses } from "../../../../server/features/destinations/destinationQueries.ts";
import { readSenderHabits } from "../../../../server/features/insights/senderHabits.ts";
import { findMask, toMask } from "../../../../server/features/masks/maskQueries.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { tryMail } from "../../../../web/features/rules/testPanel/tryMail.ts";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { maskDomain, type RunningListener, startListener } from "../../support/listener.ts";
import { addDestination, addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import type { SmtpClient } from "../../support/smtpClient.ts";
import { sqliteStore } from "../../support/stores.ts";

type Value = string | number | readonly (string | number)[] | object;
type Written = readonly [field: string, operator: string, value: Value];

interface Tried {
  readonly conditions: readonly Written[];
  readonly mail: Uint8Array;
  readonly holds: boolean;
}

const encoded = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;

interface Content {
  readonly subject?: string;
  readonly from?: string;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: string;
  readonly charset?: BufferEncoding;
}

const mailOf = ({
  subject = "Hello",
  from = "Shop <shop@example.org>",
  type = "text/plain; charset=utf-8",
  body = "Good day.",
  headers = "",
  charset = "utf8",
}: Content): Uint8Array =>
  Buffer.from(
    `From: ${from}\r\nSubject: ${subject}\r\n${headers}Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`,
    charset,
  );

const subject = (text: string): Uint8Array => mailOf({ subject: encoded(text) });
const body = (text: string): Uint8Array => mailOf({ body: text });
const from = (address: string): Uint8Array => mailOf({ from: address });
const html = (text: string): Uint8Array => mailOf({ type: "text/html; charset=utf-8", body: text });
const both = (plain: string, rich: string): Uint8Array =>
  mailOf({
    type: 'multipart/alternative; boundary="b"',
    body: `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${rich}\r\n--b--`,
  });
const attached = (name: string, text = "See the file."): Uint8Array =>
  mailOf({
    type: 'multipart/mixed; boundary="b"',
    body: `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: Application/PDF\r\nContent-Disposition: attachment; filename="${encoded(name)}"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--b--`,
  });
const latin1 = (text: string): Uint8Array =>
  mailOf({ type: "text/plain; charset=iso-8859-1", body: text, charset: "latin1" });

const filler = (length: number): string =>
  "The quick brown fox.\r\n".repeat(length / 22 + 1).slice(0, length);

const holds = (mail: Uint8Array, ...conditions: readonly Written[]): Tried => ({
  mail,
  conditions,
  holds: true,
});
const fails = (mail: Uint8Array, ...conditions: readonly Written[]): Tried => ({
  mail,
  conditions,
  holds: false,
});

const weekly =
  "List-Id: <weekly.example.net>\r\nList-Unsubscribe: <https://list.example.net/u>\r\nPrecedence: bulk\r\n";

const cases: Readonly<Record<string, Tried>> = {
  "ΟΔΟΣ finds Οδοσ": holds(subject("Οδοσ 4"), ["subject", "contains", ["ΟΔΟΣ"]]),
  "ΟΔΟΣ finds οδος": holds(subject("οδος 4"), ["subject", "contains", ["ΟΔΟΣ"]]),
  "οδοσ finds the beginning of a longer word": holds(subject("οδοσσος"), ["subject", "contains", ["ΟΔΟΣ"]]),
  "STRASSE finds straße": holds(subject("Lange straße 4"), ["subject", "contains", ["STRASSE"]]),
  "straße finds STRASSE": holds(subject("LANGE STRASSE 4"), ["subject", "contains", ["straße"]]),
  "ẞ equals ß and ss": holds(subject("STRAẞE"), ["subject", "equals", "strasse"]),
  "composed finds decomposed": holds(subject("Cafe\u0301"), ["subject", "contains", ["café"]]),
  "decomposed finds composed": holds(subject("Café"), ["subject", "equals", "CAFE\u0301"]),
  "a letter without its accent does not match": fails(subject("Café"), ["subject", "contains", ["cafe"]]),
  "a ligature equals its letters": holds(subject("oﬃce"), ["subject", "contains", ["OFFICE"]]),
  "a long s equals an s": holds(subject("ſale"), ["subject", "starts_with", "Sale"]),
  "Turkish capital dotted i": holds(subject("İstanbul"), ["subject", "equals", "İSTANBUL"]),
  "Cyrillic in another case": holds(subject("СКИДКА"), ["subject", "contains", ["скидка"]]),
  "plain ASCII in another case": holds(subject("SALE"), ["subject", "contains", ["sale"]]),
  "a list with one matching value": holds(subject("Big offer"), ["subject", "contains", ["sale", "offer"]]),
  "a list without a matching value": fails(subject("Hello"), ["subject", "contains", ["sale", "offer"]]),
  "text with commas as a list": holds(subject("offer"), ["subject", "contains", "sale, offer"]),
  "a negative list": holds(subject("Hello"), ["subject", "not_contains", ["sale", "offer"]]),
  "a negative list with one matching value": fails(subject("sale"), [
    "subject",
    "not_contains",
    ["sale", "x"],
  ]),
  "equals with a comma is one text": holds(subject("Hello, Ada"), ["subject", "equals", "hello, ada"]),
  "equals with a comma is not a list": fails(subject("Hello"), ["subject", "equals", "Hello, Ada"]),
  "equals ignores space around": holds(subject(" Hello "), ["subject", "equals", "hello"]),
  "starts with": holds(subject("Re: order"), ["subject", "starts_with", "re:"]),
  "starts with the middle": fails(subject("Re: order"), ["subject", "starts_with", "order"]),
  "ends with": holds(subject("Re: order"), ["subject", "ends_with", "ORDER"]),
  "in a list": holds(subject("Hello"), ["subject", "in_list", ["bye", "HELLO"]]),
  "not in a list": holds(subject("Hello"), ["subject", "not_in_list", ["bye"]]),
  "an expression": holds(subject("Invoice 2026-11"), ["subject", "matches_regex", "\\d{4}-\\d\\d$"]),
  "an expression in another case": holds(subject("INVOICE"), ["subject", "matches_regex", "invoice"]),
  "an expression that does not match": fails(subject("Invoice"), ["subject", "matches_regex", "^\\d"]),
  "a domain": holds(from("<a@example.org>"), ["sender", "ends_with", "example.org"]),
  "a subdomain": holds(from("<a@mail.example.org>"), ["sender", "ends_with", "Example.ORG"]),
  "a domain with the same ending that is no subdomain": fails(from("<a@notexample.org>"), [
    "sender",
    "ends_with",
    "example.org",
  ]),
  "a domain with @": fails(from("<a@mail.example.org>"), ["sender", "ends_with", "@example.org"]),
  "an address in another case": holds(from("<Ada@Example.org>"), ["email", "equals", "ada@example.ORG"]),
  "an address in a list": holds(from("<b@x.example>"), ["email", "in_list", ["a@x.example", "b@x.example"]]),
  "no sender": fails(mailOf({ from: "undisclosed:;" }), ["sender", "contains", ["@"]]),
  "no sender and a negative operator": holds(mailOf({ from: "undisclosed:;" }), [
    "sender",
    "not_contains",
    ["@"],
  ]),
  "a display name is not part of the address": fails(from("sale <a@x.example>"), [
    "sender",
    "contains",
    ["sale"],
  ]),
  "a body": holds(body("Your total is 59.90"), ["body", "contains", ["TOTAL"]]),
  "a body of HTML alone": holds(html("<p>Your <b>to</b>tal</p>"), ["body", "contains", ["your total"]]),
  "HTML tags are not part of the text": fails(html("<p class=total>Hi</p>"), ["body", "contains", ["total"]]),
  "HTML with more text than the plain part": holds(both("See the HTML.", "<p>Flash sale</p>"), [
    "body",
    "contains",
    ["flash sale"],
  ]),
  "the plain part beside HTML with more text": holds(both("See below.", "<p>Flash sale</p>"), [
    "body",
    "contains",
    ["see below"],
  ]),
  "HTML with more text than the plain part, negated": fails(both("See.", "<p>Flash sale</p>"), [
    "body",
    "not_contains",
    ["sale"],
  ]),
  "HTML with the same text as the plain part": holds(both("Good day.", "<p>Good <b>day</b>.</p>"), [
    "body",
    "equals",
    "good day.",
  ]),
  "scripts are not part of the text": fails(both("A", "<script>sale</script>A"), [
    "body",
    "contains",
    ["sale"],
  ]),
  "subject or body in the HTML": holds(both("A", "<p>sale</p>"), ["text", "contains", ["sale"]]),
  "ISO 8859-1 by its bytes": holds(latin1("Grüße aus Zürich"), ["body", "contains", ["GRÜSSE"]]),
  "quoted-printable": holds(
    mailOf({ headers: "Content-Transfer-Encoding: quoted-printable\r\n", body: "Gr=C3=BC=C3=9Fe" }),
    ["body", "contains", ["grüsse"]],
  ),
  base64: holds(
    mailOf({
      headers: "Content-Transfer-Encoding: base64\r\n",
      body: Buffer.from("Straße").toString("base64"),
    }),
    ["body", "contains", ["strasse"]],
  ),
  "text within 64 KiB": holds(body(`${filler(60_000)} needle`), ["body", "contains", ["needle"]]),
  "text beyond 64 KiB": fails(body(`${filler(70_000)} needle`), ["body", "contains", ["needle"]]),
  "a negative operator on a cut text": fails(body(filler(70_000)), ["body", "not_contains", ["needle"]]),
  "a negative operator on a text of 60,000": holds(body(filler(60_000)), [
    "body",
    "not_contains",
    ["needle"],
  ]),
  "a negative operator on a very long text": fails(body(filler(400_000)), [
    "body",
    "not_contains",
    ["needle"],
  ]),
  "a negative operator on long HTML": fails(html(`<p>${filler(400_000)}</p>`), [
    "body",
    "not_contains",
    ["needle"],
  ]),
  "not in a list on a cut text": fails(body(filler(70_000)), ["body", "not_in_list", ["needle"]]),
  "a newsletter": holds(mailOf({ subject: "Weekly newsletter", headers: weekly }), [
    "category",
    "equals",
    "newsletter",
  ]),
  "a newsletter without list headers": holds(
    mailOf({
      subject: "Weekly newsletter: notes on slow walking",
      body: "Hello.\r\nTo unsubscribe, answer this.",
    }),
    ["category", "in_list", ["newsletter", "promotional"]],
  ),
  "a mail that is not a newsletter": fails(mailOf({ subject: "Your verification code is 118203" }), [
    "category",
    "equals",
    "newsletter",
  ]),
  "one of the categories": holds(mailOf({ subject: "Your order 12 has been shipped" }), [
    "category",
    "in_list",
    ["transactional", "important"],
  ]),
  "emails this month": holds(body(""), ["emailCount", "equals", 7]),
  "mails this month as text": holds(body(""), ["number", "greater_than", "6"]),
  "fewer mails this month": fails(body(""), ["emailCount", "less_than", 7]),
  "days since the last mail": holds(body(""), ["days", "between", [2, 4]]),
  "the share forwarded": holds(body(""), ["percentage", "greater_than", 49]),
  "a time of day": holds(body(""), [
    "time",
    "during",
    { startTime: "00:00", endTime: "00:00", timeZone: "Asia/Tokyo" },
  ]),
  "a date": holds(body(""), ["date", "after_date", "2020-01-01"]),
  "a header by its name": holds(mailOf({ headers: "X-Priority: 1 (High)\r\n" }), [
    "header:x-priority",
    "starts_with",
    "1",
  ]),
  "an encoded header": holds(mailOf({ headers: `X-Shop: ${encoded("Zürich")}\r\n` }), [
    "header:X-Shop",
    "equals",
    "zürich",
  ]),
  "another header": fails(mailOf({ headers: "X-Other: 1\r\n" }), ["header:X-Priority", "contains", ["1"]]),
  "one of several headers of a name": holds(mailOf({ headers: "X-A: one\r\nX-A: two\r\n" }), [
    "header:X-A",
    "equals",
    "two",
  ]),
  "none of several headers of a name": fails(mailOf({ headers: "X-A: one\r\nX-A: two\r\n" }), [
    "header:X-A",
    "not_in_list",
    ["two", "three"],
  ]),
  "a recipient": holds(mailOf({ headers: "To: a@one.example\r\nCc: Bob <b@two.example>\r\n" }), [
    "recipient",
    "ends_with",
    "two.example",
  ]),
  "another recipient": fails(mailOf({ headers: "To: a@one.example\r\n" }), [
    "recipient",
    "contains",
    ["two.example"],
  ]),
  "a mailing list by its identifier": holds(
    mailOf({ headers: "List-Id: Ducks <ducks.lists.example.org>\r\n" }),
    ["list", "equals", "ducks.lists.example.org"],
  ),
  "a mailing list by its name": holds(mailOf({ headers: "List-Id: Ducks <ducks.lists.example.org>\r\n" }), [
    "list",
    "contains",
    ["Ducks"],
  ]),
  "no mailing list": fails(mailOf({}), ["list", "contains", ["."]]),
  "a language": holds(mailOf({ headers: "Content-Language: de-CH, en\r\n" }), ["language", "equals", "de"]),
  "another language": fails(mailOf({ headers: "Content-Language: de-CH\r\n" }), [
    "language",
    "in_list",
    ["fr", "en"],
  ]),
  "a large mail": holds(body("x".repeat(3_000)), ["size", "greater_than", 2.9]),
  "a small mail": fails(body("x".repeat(2_000)), ["size", "greater_than", 2.9]),
  "the name of an attachment": holds(attached("Rechnung für Ada.PDF"), [
    "attachmentName",
    "ends_with",
    ".pdf",
  ]),
  "the name of an attachment in a large mail": holds(attached("a.exe", filler(200_000)), [
    "attachmentName",
    "ends_with",
    ".exe",
  ]),
  "the type of an attachment": holds(attached("a"), ["attachmentType", "equals", "application/pdf"]),
  "the number of attachments": holds(attached("a"), ["attachmentCount", "equals", 1]),
  "a mail without attachments": holds(body("Hello"), ["attachmentCount", "less_than", 1]),
  "a sender who was not checked": fails(body(""), ["spf", "equals", "pass"]),
  "two conditions, both hold": holds(
    subject("sale"),
    ["subject", "contains", ["sale"]],
    ["number", "equals", 7],
  ),
  "two conditions, one holds": fails(
    subject("sale"),
    ["subject", "contains", ["sale"]],
    ["number", "equals", 8],
  ),
};

describe("A mail in the test panel and in the relay", () => {
  let database: Database;
  let relay: RunningListener;
  let client: SmtpClient;
  const clock = createVirtualClock();

  before(async () => {
    database = await sqliteStore.open();
    relay = await startListener(database, clock);
    client = await relay.connect();
  });
  after(async () => {
    await relay.close();
    await database.close();
  });

  const prepare = async (conditions: readonly Written[], forwardTo?: string): Promise<[Owner, TestMask]> => {
    const owner = await addOwner(database.db, "business");
    await grantConsent(database.db, owner.id, { externalModel: null, now: startsAt });
    const mask = await addMask(database.db, owner);
    const decoded = Rule.decode({
      id: "r1",
      name: "Rule",
      type: "content_filter",
      conditions: conditions.map(([field, operator, value]) => {
        const [name, header] = field.split(":");
        return { field: name, header, operator, value };
      }),
      actions: [
        { type: "tag", params: { tag: "Hit" } },
        ...(forwardTo
          ? [{ type: "forward", params: { email: forwardTo, immediate: true, daily: false } }]
          : []),
      ],
    });
    if (decoded._tag === "Left") throw new Error(decoded.left[0]?.message);
    await database.db
      .updateTable("masks")
      .set({ rules: JSON.stringify([decoded.right]) })
      .where("id", "=", mask.id)
      .execute();
    await database.db
      .insertInto("mask_statistics")
      .values({
        mask_id: mask.id,
        user_id: owner.id,
        total_received: 10,
        total_forwarded: 5,
        spam_blocked: 0,
        total_sent: 0,
        last_used_at: startsAt - 3 * dayMs,
        month: new Date(startsAt).toISOString().slice(0, 7),
        month_received: 7,
      })
      .execute();
    return [owner, mask];
  };

  /** What the panel makes of the mask as the server sends it. */
  const inPanel = async (owner: Owner, { id }: TestMask, mail: Uint8Array) => {
    const row = await findMask(database.db, owner.id, id);
    const mask =
      row && Mask.decode(JSON.parse(JSON.stringify(toMask(row, { open: () => ({ allow: [], block: [] }) }))));
    if (mask?._tag !== "Right") throw new Error("the mask cannot be read");
    const classify = createClassifier();
    const confirmed = await listConfirmedAddresses(database.db, owner.id);
    const rules = (mask.right.settings?.rules ?? []) as readonly Rule[];
    const now = clock.now();
    const compile = await loadRe2Patterns();
    const { decision } = await tryMail(prepareRules(rules, compile), mail, async (message, text) => {
      const domain = domainOf(message.from?.address ?? "");
      const habits = await readSenderHabits(database.db, { userId: owner.id, maskId: id, domain });
      return {
        mask: maskFacts(mask.right, now),
        account: { confirmed, ownDomains: [maskDomain] },
        category: classify({ ...message, traits: traitsOf(text, habits) }),
        size: mail.length,
        proof: writtenProof(message.headers),
        now,
      };
    });
    return { tags: decision.tags, destinations: decision.destinations };
  };

  const inRelay = async ({ id, email }: TestMask, mail: Uint8Array) => {
    expect(await client.mail("ada@sender.example", [email], mail)).to.match(/^250/);
    const queued = await database.db
      .selectFrom("queue")
      .select("recipient")
      .where("mask_id", "=", id)
      .execute();
    const { details } = await database.db
      .selectFrom("mask_statistics")
      .select("details")
      .where("mask_id", "=", id)
      .executeTakeFirstOrThrow();
    const { tags = {} } = JSON.parse(details) as { tags?: Record<string, number> };
    return { tags: Object.keys(tags), destinations: queued.map(({ recipient }) => recipient) };
  };

  it("has 89 cases or more", () => {
    expect(Object.keys(cases).length).to.be.at.least(89);
  });

  for (const [name, { conditions, mail, holds }] of Object.entries(cases))
    it(`has the same result in both: ${name}`, async () => {
      const [owner, mask] = await prepare(conditions);
      const panel = await inPanel(owner, mask, mail);
      expect(panel.tags).to.deep.equal(holds ? ["Hit"] : []);
      expect(await inRelay(mask, mail)).to.deep.equal(panel);
    });

  for (const confirmed of [true, false])
    it(`has the same destinations in both when the rule's address is ${confirmed ? "" : "not "}confirmed`, async () => {
      const [owner, mask] = await prepare([["subject", "contains", ["Hello"]]], "only@rule.example");
      await addDestination(database.db, { owner, email: "only@rule.example", confirmed });
      const panel = await inPanel(owner, mask, mailOf({}));
      expect(panel.destinations).to.deep.equal([confirmed ? "only@rule.example" : owner.email]);
      expect(await inRelay(mask, mailOf({}))).to.deep.equal(panel);
    });
});
