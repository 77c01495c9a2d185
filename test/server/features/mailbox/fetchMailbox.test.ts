import { expect } from "chai";
import { sql } from "kysely";
import { hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { type FetchMailboxDeps, MailboxFetcher } from "../../../../server/features/mailbox/fetchMailbox.ts";
import { MailboxError } from "../../../../server/features/mailbox/mailbox.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import type { Intake } from "../../../../server/relay/receive/intake.ts";
import { maxMailBytes } from "../../../../server/smtp/smtpLimits.ts";
import { onEachDatabase, useSqlite } from "../../support/databases.ts";
import { maskDomain, type RunningListener, silent, useListener } from "../../support/listener.ts";
import { addDestination, addDomain, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { createFakeMailbox, type FakeMailbox, type FakeMailboxOptions } from "./fakeMailbox.ts";

const mailTo = (recipient: string, subject = "Hello"): string =>
  [
    "Return-Path: <orders@shop.example>",
    `X-Original-To: ${recipient}`,
    "Delivered-To: catchall@provider.example",
    "From: Shop <orders@shop.example>",
    `Subject: ${subject}`,
    "",
    "Hello.",
    "",
  ].join("\r\n");

/** A process that fetches; a new one remembers nothing of the one before. */
const newFetcher = (
  database: () => Database,
  { listener, clock }: Pick<RunningListener, "listener" | "clock">,
  more: Partial<FetchMailboxDeps> = {},
): MailboxFetcher =>
  new MailboxFetcher({
    database: database(),
    clock,
    log: silent,
    intake: listener.intake,
    maskDomain,
    takesDomain: async () => false,
    name: "catchall@provider.example",
    own: "catchall@provider.example",
    recipientField: null,
    ...more,
  });

/** Looks through the mailbox once, as a session does before it waits. */
const lookOnce = async (fetcher: MailboxFetcher, fake: FakeMailbox): Promise<void> => {
  let isOver = false;
  const mailbox = await fake.open();
  const wait = async (): Promise<void> => {
    isOver = true;
  };
  try {
    await fetcher.run({ ...mailbox, wait }, () => isOver);
  } finally {
    mailbox.close();
  }
};

describe("Mail in a catch-all mailbox", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    let fake: FakeMailbox;
    const relay = useListener(database);
    beforeEach(async () => {
      owner = await addOwner(database().db, "self_hosted");
      fake = createFakeMailbox();
    });

    const subjects = async (): Promise<readonly string[]> =>
      (await readQueue(database().db))
        .map(({ content }) => /^Subject: (.*)\r$/m.exec(content.toString())?.[1] ?? "")
        .sort();

    it("is forwarded for the masks that it is for, and removed", async () => {
      const { email, id } = await addMask(database().db, owner);
      await fake.deliver(mailTo(email));
      await lookOnce(newFetcher(database, relay), fake);
      const [queued] = await readQueue(database().db);
      expect(queued).to.include({ mask_id: id, recipient: owner.email });
      expect(queued?.content.toString()).to.match(/^Received:.*(?:\r\n .*)* with IMAP id/m);
      expect(fake.uids()).to.deep.equal([]);
    });

    it("stays with a mark where nobody here is meant, and is not read again", async () => {
      const { email } = await addMask(database().db, owner);
      await fake.deliver(mailTo("nobody@masks.example"));
      await fake.deliver(mailTo("me@provider.example"));
      await fake.deliver("Subject: no recipient\r\n\r\n");
      await fake.deliver(mailTo(email));
      const fetcher = newFetcher(database, relay);
      await lookOnce(fetcher, fake);
      expect(fake.uids()).to.deep.equal([1, 2, 3]);
      expect(fake.marked()).to.deep.equal([1, 2, 3]);
      fake.onCall = (call) => expect(call).not.to.equal("read");
      await lookOnce(newFetcher(database, relay), fake);
      expect(await subjects()).to.deep.equal(["Hello"]);
    });

    it("is remembered here where the mailbox takes no marks", async () => {
      fake = createFakeMailbox({ keepsMarks: false });
      await fake.deliver(mailTo("nobody@masks.example"));
      await lookOnce(newFetcher(database, relay), fake);
      fake.onCall = (call) => expect(call).not.to.equal("read");
      await lookOnce(newFetcher(database, relay), fake);
      expect(fake.uids()).to.deep.equal([1]);
      await fake.expunge(1);
      await lookOnce(newFetcher(database, relay), fake);
      expect(await database().db.selectFrom("mailbox_mails").selectAll().execute()).to.deep.equal([]);
    });

    it("is forgotten once it is gone, however much was taken in one look", async () => {
      // More than the parameters that a statement of PostgreSQL can have.
      await sql`insert into mailbox_mails (mailbox, uid_validity, uid, state, recorded_at)
        with recursive taken(uid) as (select 2 union all select uid + 1 from taken where uid < 70000)
        select 'catchall@provider.example', 1, uid, 'taken', 0 from taken`.execute(database().db);
      const { email } = await addMask(database().db, owner);
      await fake.deliver(mailTo(email));
      await lookOnce(newFetcher(database, relay), fake);
      expect(await subjects()).to.deep.equal(["Hello"]);
      const recorded = await database().db.selectFrom("mailbox_mails").select("uid").execute();
      expect(recorded.map(({ uid }) => Number(uid))).to.deep.equal([1]);
    });

    it("goes to all masks that it is for, and to none for a while where one cannot take it yet", async () => {
      const { email } = await addMask(database().db, owner);
      const asked = await addDestination(database().db, {
        owner,
        email: "new@home.example",
        confirmed: false,
      });
      const { email: waiting } = await addMask(database().db, owner, { destinationId: asked });
      const fetcher = newFetcher(database, relay);
      await fake.deliver(mailTo(`${email}, ${waiting}, nobody@masks.example`));
      await lookOnce(fetcher, fake);
      expect([await subjects(), fake.uids(), fake.marked()]).to.deep.equal([[], [1], []]);
      await database()
        .db.updateTable("destinations")
        .set({ confirmed_at: 1 })
        .where("id", "=", asked)
        .execute();
      await lookOnce(fetcher, fake);
      expect(await subjects(), "before its time").to.deep.equal([]);
      await relay.clock.advance(6 * minuteMs);
      await lookOnce(fetcher, fake);
      expect([await subjects(), fake.uids()]).to.deep.equal([["Hello", "Hello"], []]);
    });

    it("is taken once, whenever the process is killed", async () => {
      const { email } = await addMask(database().db, owner);
      const deliverAll = async (): Promise<void> => {
        await fake.deliver(mailTo(email, "one"));
        await fake.deliver(mailTo("nobody@masks.example", "nobody"));
        await fake.deliver(mailTo(email, "two"));
      };
      const intakeOf = (step: (name: string) => void): Intake => ({
        ...relay.listener.intake,
        take: async (mail) => {
          step("before the commit");
          const answers = await relay.listener.intake.take(mail);
          step("after the commit");
          return answers;
        },
      });
      class Killed extends Error {}
      let points = 0;
      for (let killedAt = 0; killedAt === 0 || killedAt <= points; killedAt += 1) {
        fake = createFakeMailbox();
        const before = await subjects();
        await deliverAll();
        let steps = 0;
        const step = (): void => {
          steps += 1;
          if (steps === killedAt) throw new Killed();
        };
        fake.onCall = step;
        const look = (): Promise<void> =>
          lookOnce(
            newFetcher(database, relay, { intake: intakeOf(step), name: `mailbox ${killedAt}` }),
            fake,
          );
        await look().catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        points = Math.max(points, steps);
        await look();
        const after = [...before, "one", "two"].sort();
        expect(await subjects(), `killed at ${killedAt} of ${points}`).to.deep.equal(after);
        expect([fake.uids(), fake.marked()], `killed at ${killedAt}`).to.deep.equal([[2], [2]]);
      }
      expect(points).to.be.greaterThan(12);
    });

    it("is taken once by two processes that fetch at the same time", async () => {
      const { email } = await addMask(database().db, owner);
      for (let n = 0; n < 10; n += 1) await fake.deliver(mailTo(email, `${n}`));
      await Promise.all([
        lookOnce(newFetcher(database, relay), fake),
        lookOnce(newFetcher(database, relay), fake),
      ]);
      await relay.clock.advance(6 * minuteMs);
      await lookOnce(newFetcher(database, relay), fake);
      expect(await subjects()).to.deep.equal(Array.from({ length: 10 }, (_, n) => `${n}`));
      expect(fake.uids()).to.deep.equal([]);
    });
  });
});

describe("A mailbox that mail is fetched from", () => {
  const { database } = useSqlite();
  const relay = useListener(database);
  let fake: FakeMailbox;
  let email: string;
  const filled = (options?: FakeMailboxOptions): void => {
    fake = createFakeMailbox(options);
  };
  const count = async (): Promise<number> => (await readQueue(database().db)).length;
  beforeEach(async () => {
    filled();
    email = (await addMask(database().db, await addOwner(database().db, "self_hosted"))).email;
  });

  it("is not read again where its server says that it removes mail and does not", async () => {
    await fake.deliver(mailTo(email));
    const fetcher = newFetcher(database, relay);
    const open = async () => ({ ...(await fake.open()), remove: async () => {} });
    for (let n = 0; n < 3; n += 1) await lookOnce(fetcher, { ...fake, open });
    expect(await count()).to.equal(1);
  });

  it("is read anew where its server numbers mails anew", async () => {
    await fake.deliver(mailTo(email));
    const open = async () => ({ ...(await fake.open()), remove: async () => {} });
    await lookOnce(newFetcher(database, relay), { ...fake, open });
    await fake.expunge(1);
    await fake.renumber();
    await fake.deliver(mailTo(email, "another one with the same UID"));
    await lookOnce(newFetcher(database, relay), fake);
    expect(await count()).to.equal(2);
    expect(fake.uids()).to.deep.equal([]);
  });

  it("lets other mail through where sessions break at one", async () => {
    for (let n = 0; n < 3; n += 1) await fake.deliver(mailTo(email, `${n}`));
    fake.onCall = (call, _, uid) => {
      if (call === "read" && uid === 2) throw new MailboxError("too-much");
    };
    const fetcher = newFetcher(database, relay);
    expect(await lookOnce(fetcher, fake).catch(({ problem }) => problem)).to.equal("too-much");
    await lookOnce(fetcher, fake);
    expect([fake.uids(), await count()]).to.deep.equal([[2], 2]);
  });

  it("keeps mail that is too large, and lets the next one through", async () => {
    await fake.deliver(Buffer.concat([Buffer.from(mailTo(email)), Buffer.alloc(maxMailBytes, "a")]));
    await fake.deliver(mailTo(email));
    await lookOnce(newFetcher(database, relay), fake);
    expect([fake.uids(), fake.marked(), await count()]).to.deep.equal([[1], [1], 1]);
  });

  it("keeps mail while nothing can be stored, and does not read all of it meanwhile", async () => {
    for (let n = 0; n < 100; n += 1) await fake.deliver(mailTo(email));
    let reads = 0;
    fake.onCall = (call, when) => {
      if (call === "read" && when === "before") reads += 1;
    };
    await database().db.schema.alterTable("queue").renameTo("elsewhere").execute();
    const fetcher = newFetcher(database, relay);
    await lookOnce(fetcher, fake);
    expect(reads).to.equal(20);
    await database().db.schema.alterTable("elsewhere").renameTo("queue").execute();
    await relay.clock.advance(hourMs);
    for (let n = 0; n < 8; n += 1) {
      await lookOnce(fetcher, fake);
      await relay.clock.advance(hourMs);
    }
    expect([fake.uids().length, await count()]).to.deep.equal([0, 100]);
  });

  it("names in the log that it is no catch-all, or that its mail names no recipient", async () => {
    const said: string[] = [];
    const log = {
      ...silent,
      info: () => {},
      warn: (text: string) => said.push(text),
    } as unknown as typeof silent;
    const fetcher = newFetcher(database, relay, { log });
    for (let n = 0; n < 2; n += 1) {
      await fake.deliver(mailTo("me@provider.example"));
      await fake.deliver("Subject: no recipient\r\n\r\n");
    }
    await lookOnce(fetcher, fake);
    expect(said).to.have.lengthOf(2);
    expect(said[0]).to.match(/no catch-all .* or the provider rewrites recipients/);
    expect(said[1]).to.match(/names no recipient.*IMAP_RECIPIENT_HEADER/);
  });

  it("serves the domains of users, too", async () => {
    const owner = await addOwner(database().db, "self_hosted");
    await addDomain(database().db, owner, {}, "ada.example");
    const { email: own } = await addMask(database().db, owner, { email: "shop@ada.example" });
    await fake.deliver(mailTo(own));
    await lookOnce(
      newFetcher(database, relay, { takesDomain: async (name) => name === "ada.example" }),
      fake,
    );
    expect([fake.uids(), await count()]).to.deep.equal([[], 1]);
  });
});
