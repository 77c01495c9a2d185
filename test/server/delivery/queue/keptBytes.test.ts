import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { recordDelivered } from "../../../../server/delivery/queue/deliveredLog.ts";
import {
  addKept,
  type KeptLimits,
  readArchivedBytes,
  readKeptCounts,
  recountKept,
  removeKept,
  removeKeptOfUser,
  takeRoom,
} from "../../../../server/delivery/queue/keptBytes.ts";
import { deleteWaitingMail } from "../../../../server/delivery/queue/queueAdministration.ts";
import {
  enqueue,
  finishMails,
  insertQueuedMails,
  leaseDueMails,
  postponeMail,
  type QueuedMail,
} from "../../../../server/delivery/queue/queueQueries.ts";
import {
  archiveMail,
  deleteArchivedMailRow,
  pruneArchive,
} from "../../../../server/features/archive/archiveQueries.ts";
import {
  deleteHeldMail,
  holdQueuedMail,
  insertHeldMail,
  releaseHeldMail,
} from "../../../../server/features/held/heldQueries.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { newQueueId } from "../../../../server/platform/store/id.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";

const network = "192.0.2.7";
const roomy: KeptLimits = {
  ofAccount: 1_000_000,
  ofNetworkInAccount: 1_000_000,
  ofNetwork: 1_000_000,
  ofArchive: 1_000_000,
};
const now = 1_000;
const at = { now, random: cryptoRandom };
const seal = { seal: () => "" };

describe("What is kept of mail", () => {
  onEachDatabase(({ database, another }) => {
    let userId = "";
    let other = "";

    beforeEach(async () => {
      userId = (await addOwner(database().db)).id;
      other = (await addOwner(database().db)).id;
    });

    const counts = (of = userId) => readKeptCounts(database(), { userId: of, network });
    const ofUser = async (of = userId) => (await counts(of)).ofAccount;
    /** Stores a mail on its way to its first attempt. */
    const send = async (size: number, lease: string | null = "first"): Promise<QueuedMail> => {
      const mail = {
        id: newQueueId(cryptoRandom, now),
        ...{ userId, maskId: null, envelopeSender: "", recipient: "ada@home.example", bodyId: null },
        ...{ bodyHead: 0, size, attempts: 1, reportTo: null, logId: null, network, isCounted: false },
        createdAt: now,
      };
      await database().transaction((db) => insertQueuedMails(database(), db, [{ ...mail, lease }]));
      return mail;
    };
    const postpone = (mail: QueuedMail, lease = "first"): Promise<void> =>
      database().transaction((db) =>
        postponeMail(db, { mail, lease, answer: "450" }, { at: now, isAttempt: true }),
      );
    const lease = async (name: string): Promise<QueuedMail> => {
      const [mail] = await leaseDueMails(database(), { count: 1, lease: name, now });
      if (!mail) throw new Error("no mail is due");
      return mail;
    };
    const finish = (mail: QueuedMail, name: string) =>
      database().transaction((db) =>
        finishMails(database(), db, "delivered", [{ mail, lease: name, answer: "250" }], now),
      );
    const hold = (mail: QueuedMail, name = "first", recipients?: readonly string[]) =>
      database().transaction(async (db) => {
        await holdQueuedMail(db, { mail, lease: name, answer: "550" });
        const summary = { from: null, subject: null, direction: "received", reason: "refused" } as const;
        await insertHeldMail(
          db,
          seal,
          { id: mail.id, userId, maskId: null, ...summary, ...(recipients && { recipients }) },
          now,
        );
      });
    /** Fails unless counting everything anew changes nothing. */
    const expectExact = async (): Promise<void> => {
      const read = async () => ({
        accounts: (await database().db.selectFrom("kept_bytes").selectAll().execute())
          .filter(({ bytes }) => Number(bytes) !== 0)
          .map((row) => ({ ...row, bytes: Number(row.bytes), archived: Number(row.archived) })),
        networks: (await database().db.selectFrom("network_bytes").selectAll().execute())
          .filter(({ bytes }) => Number(bytes) !== 0)
          .map((row) => ({ ...row, bytes: Number(row.bytes) })),
      });
      const before = await read();
      await recountKept(database().db, now, database().engine);
      const after = await read();
      expect(before.accounts).to.have.deep.members(after.accounts);
      expect(before.networks).to.have.deep.members(after.networks);
    };

    it("counts no mail on its way to its first attempt, and mail that waits until it is delivered", async () => {
      const delivered = await send(100);
      await finish(delivered, "first");
      expect(await ofUser()).to.equal(0);
      const mail = await send(300);
      await postpone(mail);
      expect(await counts()).to.deep.equal({ ofAccount: 300, ofNetworkInAccount: 300, ofNetwork: 300 });
      await postpone(await lease("second"), "second");
      expect(await ofUser(), "each mail once").to.equal(300);
      await expectExact();
      await finish(await lease("third"), "third");
      expect(await counts()).to.deep.equal({ ofAccount: 0, ofNetworkInAccount: 0, ofNetwork: 0 });
      await expectExact();
    });

    it("counts held mail until it is deleted, or released and delivered, for each recipient", async () => {
      const deleted = await send(100);
      await hold(deleted);
      expect(await ofUser()).to.equal(100);
      await database().transaction((db) => deleteHeldMail(database(), db, { userId, id: deleted.id }, now));
      expect(await ofUser()).to.equal(0);
      const released = await send(200);
      await postpone(released);
      await hold(await lease("second"), "second", ["ada@home.example", "bob@home.example"]);
      expect(await ofUser()).to.equal(200);
      await database().transaction((db) => releaseHeldMail(database(), db, { userId, id: released.id }, at));
      expect(await ofUser()).to.equal(400);
      await expectExact();
      for (const name of ["third", "fourth"]) await finish(await lease(name), name);
      expect(await ofUser()).to.equal(0);
      await expectExact();
    });

    it("counts what the operator deletes, or an earlier process has delivered, no more", async () => {
      for (const size of [10, 20]) await postpone(await send(size));
      const [one, two] = await database()
        .db.selectFrom("queue")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .execute();
      expect(await deleteWaitingMail(database(), one?.id ?? "")).to.equal(true);
      await recordDelivered(database(), [two?.id ?? ""], now);
      expect(await ofUser()).to.equal(0);
      await expectExact();
    });

    it("counts archived mail until it is deleted or its time is over, and in the archive apart", async () => {
      const content = Buffer.alloc(70, "x");
      const archive = (expiresAt: number | null) =>
        database().transaction((db) =>
          archiveMail(
            database(),
            db,
            { userId, maskId: "m", content, read: false, expiresAt, network },
            { ...at, limits: roomy },
          ),
        );
      for (const expiresAt of [now + 1, null]) expect(await archive(expiresAt)).to.equal(true);
      await postpone(await send(1));
      expect(await counts()).to.deep.equal({ ofAccount: 141, ofNetworkInAccount: 141, ofNetwork: 141 });
      expect(await readArchivedBytes(database().db, userId)).to.equal(140);
      await expectExact();
      await pruneArchive(database().db, now + 2);
      expect(await readArchivedBytes(database().db, userId)).to.equal(70);
      const [row] = await database()
        .db.selectFrom("archived_mails")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .execute();
      const remove = (owner: string) =>
        database().transaction((db) => deleteArchivedMailRow(db, owner, row?.id ?? ""));
      expect(await remove(other)).to.equal(false);
      expect(await ofUser()).to.equal(71);
      expect(await remove(userId)).to.equal(true);
      expect(await ofUser()).to.equal(1);
      await expectExact();
    });

    it("counts a copy that the product queues for a user, and no system mail", async () => {
      const mail = { maskId: null, envelopeSender: "", recipient: "ada@home.example" };
      const content = Buffer.alloc(50, "x");
      await database().transaction((db) => enqueue(db, { ...mail, userId, content }, at));
      await database().transaction((db) => enqueue(db, { ...mail, userId: null, content }, at));
      expect(await counts()).to.deep.equal({ ofAccount: 50, ofNetworkInAccount: 0, ofNetwork: 0 });
      await expectExact();
    });

    it("takes what a deleted user had from its networks", async () => {
      await addKept(database().db, [
        { userId, network, bytes: 5 },
        { userId: other, network, bytes: 7 },
      ]);
      await database().transaction(async (db) => {
        await removeKeptOfUser(db, userId);
        await db.deleteFrom("users").where("id", "=", userId).execute();
      });
      expect(await counts(other)).to.deep.equal({ ofAccount: 7, ofNetworkInAccount: 7, ofNetwork: 7 });
      expect(await ofUser()).to.equal(0);
    });

    const take = (on: Database, of: string, bytes: number, limits: Partial<KeptLimits>) =>
      on.transaction((db) =>
        takeRoom(on, db, [{ userId: of, network, bytes, limits: { ...roomy, ...limits } }]),
      );

    it("has an end for each account, for one network there, and for the network at all accounts", async () => {
      expect(await take(database(), userId, 60, { ofAccount: 100 })).to.deep.equal([]);
      expect(await take(database(), userId, 41, { ofAccount: 100 })).to.have.lengthOf(1);
      expect(await take(database(), userId, 40, { ofNetworkInAccount: 99 })).to.have.lengthOf(1);
      expect(await take(database(), other, 40, { ofNetwork: 99 })).to.have.lengthOf(1);
      expect(await take(database(), other, 40, { ofAccount: 100, ofNetwork: 100 })).to.deep.equal([]);
      expect(await counts()).to.deep.equal({ ofAccount: 60, ofNetworkInAccount: 60, ofNetwork: 100 });
      await removeKept(database().db, [{ userId, network, bytes: 20 }]);
      expect(await take(database(), userId, 60, { ofAccount: 100 })).to.deep.equal([]);
    });

    it("never passes its end by parallel transactions of two processes", async () => {
      const processes = [database(), await another()];
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          take(processes[n % 2] ?? database(), userId, 30, { ofAccount: 200 }),
        ),
      );
      expect(results.filter((refused) => refused.length === 0)).to.have.lengthOf(6);
      expect(await ofUser()).to.equal(180);
    });

    it("is counted anew where a count is wrong, and forgets networks without mail", async () => {
      await postpone(await send(300));
      await addKept(database().db, [{ userId, network: "198.51.100.1", bytes: 9 }]);
      expect(await ofUser()).to.equal(309);
      await recountKept(database().db, now, database().engine);
      expect(await counts()).to.deep.equal({ ofAccount: 300, ofNetworkInAccount: 300, ofNetwork: 300 });
      const left = await database().db.selectFrom("network_bytes").select("network").execute();
      expect(left).to.deep.equal([{ network }]);
    });
  });
});
