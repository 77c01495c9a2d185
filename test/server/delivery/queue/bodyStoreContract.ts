import { randomBytes } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import {
  contentOf,
  copySize,
  type OutgoingCopy,
  toBuffer,
} from "../../../../server/delivery/outgoingCopy.ts";
import type { BodyStore } from "../../../../server/delivery/queue/bodyStore.ts";
import { bodiesOf, deleteBodies, insertBodies } from "../../../../server/delivery/queue/queueBodies.ts";
import { findQueuedCopy } from "../../../../server/delivery/queue/queuedContent.ts";
import {
  finishMails,
  insertQueuedMails,
  type QueuedMail,
} from "../../../../server/delivery/queue/queueQueries.ts";
import { createBeginContent } from "../../../../server/platform/spool/arrivingContent.ts";
import type { MailContent } from "../../../../server/platform/spool/mailContent.ts";
import type { SpoolFolder } from "../../../../server/platform/spool/spoolFile.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { newQueueId } from "../../../../server/platform/store/id.ts";
import { bystander } from "../../support/bystander.ts";

/** Bodies with what surrounds them. */
export interface TestBodies {
  readonly database: Database;
  readonly spool: SpoolFolder;
  readonly bodies: BodyStore;
}

const lease = "a-process";
const now = Date.UTC(2026, 0, 1);
const newId = (): string => newQueueId(cryptoRandom, now);

/** Returns content as it arrives: in memory up to 256 KiB, in the spool above. */
export const arrive = async (spool: SpoolFolder, bytes: Buffer): Promise<MailContent> => {
  const arriving = createBeginContent(spool)(0);
  for (let at = 0; at < bytes.length; at += 50_000) await arriving.add(bytes.subarray(at, at + 50_000));
  const content = await arriving.finish();
  if (typeof content === "string") throw new Error(content);
  return content;
};

/** Writes copies and their rows, as the relay does; `inTransaction` may make the transaction fail. */
export const queueCopies = async (
  { database, bodies }: Pick<TestBodies, "database" | "bodies">,
  copies: readonly OutgoingCopy[],
  inTransaction: () => void | Promise<void> = () => {},
): Promise<readonly QueuedMail[]> => {
  const { references, rows, contents } = bodiesOf(copies, newId, bodies);
  const written = await bodies.write(contents);
  const mails = copies.map(
    (copy, n): QueuedMail => ({
      id: newId(),
      userId: null,
      maskId: null,
      envelopeSender: "",
      recipient: copy.recipient,
      bodyId: references[n]?.bodyId ?? null,
      bodyHead: references[n]?.bodyHead ?? 0,
      size: copySize(copy),
      attempts: 1,
      reportTo: null,
      logId: null,
      network: null,
      isCounted: false,
      createdAt: now,
    }),
  );
  try {
    await database.transaction(async (db) => {
      written.assertInTime();
      await insertBodies(database, db, [...rows, ...written.rows]);
      await insertQueuedMails(
        database,
        db,
        mails.map((mail) => ({ ...mail, lease })),
      );
      await inTransaction();
    });
  } finally {
    written.release();
  }
  return mails;
};

const readCopy = async ({ database, bodies }: TestBodies, mail: QueuedMail): Promise<Buffer | null> => {
  const read = await findQueuedCopy(database.db, bodies, mail);
  return read && toBuffer(read());
};

/** Finishes mails as a delivery does. */
export const finish = async (
  { database, bodies }: TestBodies,
  mails: readonly QueuedMail[],
): Promise<void> => {
  const { files } = await database.transaction((db) =>
    finishMails(
      database,
      db,
      "delivered",
      mails.map((mail) => ({ mail, lease, answer: "250" })),
      now,
    ),
  );
  await bodies.remove(files);
};

const copyOf = (head: string, content: MailContent, skip: number): OutgoingCopy => ({
  recipient: "someone@home.example",
  head: Buffer.from(head),
  body: { content, skip },
});

/** What every kind of bodies does. */
export const bodyStoreContract = (open: () => TestBodies): void => {
  it("returns every content as it was, small or large, with a head of its own", async () => {
    const size = fc.oneof(fc.nat(2_000), fc.integer({ min: 30_000, max: 140_000 }), fc.constant(700_000));
    await fc.assert(
      fc.asyncProperty(size, fc.nat(500), async (length, skipped) => {
        const bytes = randomBytes(length);
        const skip = Math.min(skipped, length);
        const content = await arrive(open().spool, bytes);
        const [one, other] = await queueCopies(open(), [
          copyOf("one\r\n", content, skip),
          copyOf("other\r\n", content, skip),
        ]);
        const [alone] = await queueCopies(open(), [copyOf("alone\r\n", contentOf(bytes), skip)]);
        for (const [head, mail] of Object.entries({ one, other, alone })) {
          const read = mail && (await readCopy(open(), mail));
          expect(read?.equals(Buffer.concat([Buffer.from(`${head}\r\n`), bytes.subarray(skip)]))).to.equal(
            true,
          );
        }
      }),
      { numRuns: 12 },
    );
  });

  it("keeps a content of 25 MB", async () => {
    const bytes = randomBytes(25_000_000);
    const [mail] = await queueCopies(open(), [copyOf("h\r\n", await arrive(open().spool, bytes), 10)]);
    const read = mail && (await readCopy(open(), mail));
    expect(read?.equals(Buffer.concat([Buffer.from("h\r\n"), bytes.subarray(10)]))).to.equal(true);
  });

  for (const length of [100_000, 600_000])
    it(`keeps the content of ${length} bytes for the copy that is not delivered yet, and no longer`, async () => {
      const content = await arrive(open().spool, randomBytes(length));
      const [one, other] = await queueCopies(open(), [
        copyOf("1\r\n", content, 0),
        copyOf("2\r\n", content, 0),
      ]);
      if (!one || !other) throw new Error("two copies are queued");
      await finish(open(), [one]);
      await open().bodies.sweep();
      expect((await readCopy(open(), other))?.length).to.equal(length + 3);
      await finish(open(), [other]);
      expect(await readCopy(open(), other)).to.equal(null);
      expect(await open().database.db.selectFrom("bodies").select("id").execute()).to.deep.equal([]);
    });

  it("does not tell its content to who has the row no more", async () => {
    const content = await arrive(open().spool, randomBytes(600_000));
    const [mail] = await queueCopies(open(), [copyOf("1\r\n", content, 0)]);
    if (!mail?.bodyId) throw new Error("a copy is queued");
    const { bodyId } = mail;
    await open().database.transaction(async (db) => {
      await db.deleteFrom("queue").where("user_id", "is distinct from", bystander.id).execute();
      await deleteBodies(open().database, db, [bodyId]);
    });
    expect(await readCopy(open(), mail)).to.equal(null);
  });

  it("stores no row of a mail whose transaction fails, and takes others afterwards", async () => {
    const content = await arrive(open().spool, randomBytes(600_000));
    const failed = await queueCopies(open(), [copyOf("1\r\n", content, 0)], () => {
      throw new Error("no");
    }).catch(() => null);
    expect(failed).to.equal(null);
    expect(await open().database.db.selectFrom("bodies").select("id").execute()).to.deep.equal([]);
    await open().bodies.sweep();
    const [mail] = await queueCopies(open(), [copyOf("1\r\n", contentOf(randomBytes(90_000)), 0)]);
    expect(mail && (await readCopy(open(), mail))?.length).to.equal(90_003);
  });
};
