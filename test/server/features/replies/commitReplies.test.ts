import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { defaultRepliesPerDay } from "../../../../core/tiers/tier.ts";
import { rowBodies } from "../../../../server/delivery/queue/rowBodies.ts";
import { readRepliesOfDay } from "../../../../server/features/correspondents/replyCounts.ts";
import { ReverseAddresses } from "../../../../server/features/correspondents/reverseAddresses.ts";
import type { AlsoStore } from "../../../../server/features/replies/commitReplies.ts";
import { createQueueReply } from "../../../../server/features/replies/queueReply.ts";
import { findReplyMask, type ReplyMask } from "../../../../server/features/replies/replyQueries.ts";
import { dailyLimit } from "../../../../server/features/replies/replyRefusals.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../../server/platform/store/groupCommit.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { secrets } from "../../support/secrets.ts";

const maskDomain = named("masks.example");

describe("Replies that are committed together", () => {
  onEachDatabase(({ database, another }) => {
    const clock = createVirtualClock();

    /** What a process that allows so many replies a day sends with. */
    const createSender = (on: Database, limit: number) => {
      const group = new GroupCommit(on, { items: 100, weight: 1_000_000 });
      const reverseAddresses = new ReverseAddresses({ secrets, random: cryptoRandom, clock, database: on });
      const queue = createQueueReply({
        database: on,
        group,
        reverseAddresses,
        repliesPerDay: { ...defaultRepliesPerDay, free: limit },
        bodies: rowBodies,
        fresh: { reserve: () => null, cancel: () => {}, add: () => {} },
        sentLog: { prepare: async () => null },
        clock,
        random: cryptoRandom,
        seal: createSeal(secrets.sealing, cryptoRandom),
      });
      /** Returns what sends a mail, so that several are sent at the same time and in their order. */
      const prepare = async (mask: ReplyMask, names: readonly string[], alsoStore?: AlsoStore) => {
        const correspondents = names.map((name) => ({ name, address: `${name}@shop.example` }));
        const reverse = await reverseAddresses.prepare(mask, correspondents);
        const recipients = reverse.map((one) => ({ address: one.correspondent.address, reverse: one }));
        const head = Buffer.from(`Message-ID: <${names.join("-")}@${maskDomain}>\r\n\r\n`);
        const written = { head, pieces: [Buffer.from("Yes.")], isSealed: false, isShortened: false };
        return () => queue(mask, recipients, written, alsoStore);
      };
      return { prepare, commits: () => group.commits() };
    };

    const addReplyMask = async (): Promise<ReplyMask> => {
      const { id } = await addMask(database().db, await addOwner(database().db));
      const mask = await findReplyMask(database(), id, maskDomain);
      return mask ?? Promise.reject(new Error("there is no mask"));
    };
    const sendAll = <A>(ready: readonly (() => Promise<A>)[]): Promise<A[]> =>
      Promise.all(ready.map((send) => send()));
    const recipients = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("recipient")
          .orderBy("recipient")
          .execute()
      ).map((row) => row.recipient.split("@", 1)[0] ?? "");
    const sentBy = async ({ maskId }: ReplyMask): Promise<number> =>
      Number(
        (
          await database()
            .db.selectFrom("mask_statistics")
            .select("total_sent")
            .where("mask_id", "=", maskId)
            .executeTakeFirst()
        )?.total_sent ?? 0,
      );

    it("share a transaction, with all counters and one event a mask", async () => {
      const [one, other] = [await addReplyMask(), await addReplyMask()];
      const { prepare, commits } = createSender(database(), 10);
      const all = await sendAll([
        await prepare(one, ["a"]),
        await prepare(one, ["a", "b"]),
        await prepare(other, ["c"]),
      ]);
      expect(all.map(({ refusal }) => refusal)).to.deep.equal([null, null, null]);
      expect(commits()).to.equal(1);
      expect(await recipients()).to.deep.equal(["a", "a", "b", "c"]);
      expect([await sentBy(one), await sentBy(other)]).to.deep.equal([3, 1]);
      expect(await readRepliesOfDay(database().db, one.userId, clock.now())).to.equal(3);
      const { db } = database();
      const addresses = await db
        .selectFrom("reverse_addresses")
        .select(["replies", "is_opened as isOpened"])
        .where("mask_id", "=", one.maskId)
        .orderBy("replies")
        .execute();
      expect(addresses.map(({ replies, isOpened }) => [replies, isOpened])).to.deep.equal([
        [1, 1],
        [2, 1],
      ]);
      expect(await db.selectFrom("sent_message_ids").select("queue_id").execute()).to.have.length(4);
      const events = await db
        .selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select("resource_id")
        .orderBy("resource_id")
        .execute();
      expect(events.map((event) => event.resource_id)).to.deep.equal([one.maskId, other.maskId].toSorted());
    });

    it("are stored as far as the limit of their user reaches, which is nobody else's", async () => {
      const [one, other] = [await addReplyMask(), await addReplyMask()];
      const { prepare, commits } = createSender(database(), 3);
      const all = await sendAll([
        await prepare(one, ["a", "b"]),
        await prepare(one, ["c", "d"]),
        await prepare(other, ["e"]),
        await prepare(one, ["f"]),
        await prepare(one, ["g"]),
      ]);
      expect(all.map(({ refusal }) => refusal)).to.deep.equal([null, dailyLimit, null, null, dailyLimit]);
      expect(commits()).to.equal(1);
      expect(await recipients()).to.deep.equal(["a", "b", "e", "f"]);
      expect([await sentBy(one), await sentBy(other)]).to.deep.equal([3, 1]);
      expect(await readRepliesOfDay(database().db, one.userId, clock.now())).to.equal(3);
    });

    it("keep the limit exactly when two processes store them at once", async () => {
      const mask = await addReplyMask();
      const senders = [createSender(database(), 7), createSender(await another(), 7)];
      const all = await Promise.all(
        senders.flatMap(({ prepare }, n) =>
          [0, 1, 2, 3, 4].map(async (k) => (await prepare(mask, [`r${n}${k}`]))()),
        ),
      );
      expect(all.filter(({ refusal }) => refusal === null)).to.have.length(7);
      expect(await recipients()).to.have.length(7);
      expect(await sentBy(mask)).to.equal(7);
    });

    it("are stored without one that fails, which takes nothing of the limit", async () => {
      const [one, other, gone] = [await addReplyMask(), await addReplyMask(), await addReplyMask()];
      await database().db.deleteFrom("users").where("id", "=", gone.userId).execute();
      const { prepare } = createSender(database(), 2);
      const fail: AlsoStore = () => Promise.reject(new Error("it was sent before"));
      const ready = [
        await prepare(one, ["a"]),
        await prepare(one, ["b"], fail),
        await prepare(gone, ["c"]),
        await prepare(other, ["d"]),
        await prepare(one, ["e"]),
      ];
      const all = await Promise.allSettled(ready.map((send) => send()));
      expect(all.map(({ status }) => status)).to.deep.equal([
        "fulfilled",
        "rejected",
        "rejected",
        "fulfilled",
        "fulfilled",
      ]);
      expect(all[1]).to.have.nested.property("reason.message", "it was sent before");
      expect(await recipients()).to.deep.equal(["a", "d", "e"]);
      expect(await readRepliesOfDay(database().db, one.userId, clock.now())).to.equal(2);
    });
  });
});
