import { expect } from "chai";
import PostalMime from "postal-mime";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { RuleStatistics } from "../../../../core/masks/mailStatistics.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { type Expected, type RuleCase, ruleCases } from "../../../core/rules/engine/ruleCases.ts";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { maskDomain, type RunningListener, startListener } from "../../support/listener.ts";
import { addDestination, addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import type { SmtpClient } from "../../support/smtpClient.ts";
import { sqliteStore } from "../../support/stores.ts";

const sender = "ada@sender.example";
const second = "second@home.example";

interface Case {
  readonly one: RuleCase;
  readonly owner: Owner;
  readonly mask: TestMask;
}

/** Without `removeTrackers`: the mails of the file contain no trackers. */
type Outcome = Omit<Expected, "removeTrackers">;

/** The effects of a mail in the store, in the format of the file of cases. */
const outcomeOf = async ({ db }: Database, { one, owner, mask }: Case, answer: string): Promise<Outcome> => {
  const of = { user: owner.id, mask: mask.id };
  const rows = (await readQueue(db)).filter((row) => row.mask_id === of.mask);
  const digest = await db.selectFrom("digest_mails").selectAll().where("mask_id", "=", of.mask).execute();
  const stored = await db.selectFrom("archived_mails").selectAll().where("mask_id", "=", of.mask).execute();
  const messages = await db
    .selectFrom("notifications")
    .selectAll()
    .where("user_id", "=", of.user)
    .orderBy("id")
    .execute();
  const { details, ...statistics } = await db
    .selectFrom("mask_statistics")
    .selectAll()
    .where("mask_id", "=", of.mask)
    .executeTakeFirstOrThrow();
  const { rules = {}, tags = {}, blockHistory = [] } = JSON.parse(details) as RuleStatistics;
  const isAnswer = ({ envelope_sender }: { envelope_sender: string }) => envelope_sender === "";
  const sent = rows.filter((row) => !isAnswer(row));
  const answered = rows.find(isAnswer);
  const [copy] = [...sent, ...digest, ...stored];
  const read = await PostalMime.parse(copy?.content ?? "");
  const original = read.headers.some(({ key }) => key === "x-bauta-original-subject");
  const reply = answered && (await PostalMime.parse(answered.content ?? ""));
  const isBlocked = statistics.spam_blocked === 1;

  expect(blockHistory.length, "blocked mails listed").to.equal(isBlocked ? 1 : 0);
  expect(statistics.total_forwarded).to.equal(sent.length + digest.length > 0 ? 1 : 0);
  expect(statistics.total_sent).to.equal(answered ? 1 : 0);
  const field = read.headers.find(({ key }) => key === "x-bauta-tags")?.value ?? "";
  expect(field === "" ? [] : field.split(/, */), "the tags of the header").to.have.lengthOf(
    copy ? Object.keys(tags).length : 0,
  );
  return {
    block: isBlocked ? (answer.startsWith("550 5.7.1") ? "refuse" : "silent") : null,
    destinations: sent.map(({ recipient }) => recipient),
    digest: digest.map(({ recipient }) => recipient),
    tags: Object.keys(tags),
    subject: original || (copy && one.expected.subject !== null) ? (read.subject ?? "") : null,
    notify: messages.map(({ message }) => message),
    autoReply: reply
      ? { subject: reply.subject ?? "", message: (reply.text ?? "").replace(/\n$/, "") }
      : null,
    archive: stored[0] ? { markAsRead: stored[0].read === 1 } : null,
    applied: Object.keys(rules),
  };
};

const asSet = (list: readonly string[]): readonly string[] => [...list].map(mailboxKey).sort();

/** Sorts the lists for which the store keeps no order. */
const asStored = (expected: Outcome): Outcome => ({
  ...expected,
  destinations: asSet(expected.destinations),
  digest: asSet(expected.digest),
  tags: [...expected.tags].sort(),
  applied: [...expected.applied].sort(),
});

describe("Rules on real mails, from SMTP to the store, by the file of cases", () => {
  let database: Database;
  let relay: RunningListener;
  let client: SmtpClient;
  let category: string | null = null;
  let now = startsAt;
  const clock = { ...createVirtualClock(), now: () => now };

  before(async () => {
    database = await sqliteStore.open();
    relay = await startListener(database, clock, {
      parts: [{ facts: [{ isNeeded: () => true, read: async () => ({ category }) }] }],
    });
    client = await relay.connect();
  });
  after(async () => {
    await relay.close();
    await database.close();
  });

  const prepare = async (written: (owner: Owner, mask: string) => RuleCase): Promise<Case> => {
    const owner = await addOwner(database.db, "business");
    await addDestination(database.db, { owner, email: second, confirmed: true });
    const mask = await addMask(database.db, owner);
    const one = written(owner, mask.email);
    await database.db
      .updateTable("masks")
      .set({ rules: JSON.stringify(one.rules) })
      .where("id", "=", mask.id)
      .execute();
    const { lastMailAt, received = 0, forwarded = 0, receivedThisMonth = 0 } = one.facts ?? {};
    await database.db
      .insertInto("mask_statistics")
      .values({
        mask_id: mask.id,
        user_id: owner.id,
        total_received: received,
        total_forwarded: forwarded,
        spam_blocked: 0,
        total_sent: 0,
        last_used_at: lastMailAt ? Date.parse(lastMailAt) : null,
        month: new Date(now).toISOString().slice(0, 7),
        month_received: receivedThisMonth,
      })
      .execute();
    return { one, owner, mask };
  };

  const anybody = { mask: `any@${maskDomain}`, owner: "any@home.example", second, maskDomain };
  for (const [n, { name, now: at }] of ruleCases(anybody).entries())
    it(name, async () => {
      const casesFor = (owner: Owner, mask: string) =>
        ruleCases({ mask, owner: owner.email, second, maskDomain })[n] as RuleCase;
      now = at === null ? startsAt : Date.parse(at);
      const prepared = await prepare(casesFor);
      const { one, mask } = prepared;
      category = one.category;
      const before = await database.db
        .selectFrom("mask_statistics")
        .select(["total_received", "total_forwarded"])
        .where("mask_id", "=", mask.id)
        .executeTakeFirstOrThrow();
      const answer = await client.mail(sender, [mask.email], one.mail);
      await database.db
        .updateTable("mask_statistics")
        .set((eb) => ({
          total_received: eb("total_received", "-", before.total_received),
          total_forwarded: eb("total_forwarded", "-", before.total_forwarded),
        }))
        .where("mask_id", "=", mask.id)
        .execute();
      const outcome = await outcomeOf(database, prepared, answer);
      const { removeTrackers: _, ...expected } = one.expected;
      expect(answer.startsWith(expected.block === "refuse" ? "550 5.7.1" : "250"), answer).to.equal(true);
      const messages = expected.notify.map((message, at) => message || outcome.notify[at] || "words of ours");
      const autoReply = expected.autoReply && {
        ...expected.autoReply,
        subject: expected.autoReply.subject || outcome.autoReply?.subject || "a subject of ours",
      };
      expect(asStored(outcome)).to.deep.equal(asStored({ ...expected, notify: messages, autoReply }));
    });
});
