import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { enqueue } from "../../../../server/delivery/queue/queueQueries.ts";
import { generateAddress } from "../../../../server/features/masks/maskAddress.ts";
import { removeTakenNames } from "../../../../server/features/masks/removeTakenNames.ts";
import { checkRemovedNames } from "../../../../server/features/operator/removedNameCheck.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addDomain, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";

const maskDomain = named("masks.example");
const sender = { brand: "Bauta", maskDomain, publicUrl: "https://bauta.example" };

describe("An update that removes names of the installation from masks", () => {
  onEachDatabase(({ database }) => {
    const clock = createVirtualClock();
    let thief: Owner | undefined;
    let honest: Owner | undefined;
    const logged: object[] = [];
    const log = { warn: (fields: object) => void logged.push(fields) };

    beforeEach(async () => {
      const { db } = database();
      logged.splice(0);
      await db
        .insertInto("installation")
        .values({ id: "this", keys_mark: "k", mask_domain: maskDomain })
        .execute();
      thief = await addOwner(db);
      honest = await addOwner(db);
    });

    const run = () => removeTakenNames({ database: database(), clock, random: cryptoRandom, sender, log });
    const add = async (owner: Owner | undefined, email: string): Promise<string> => {
      if (!owner) throw new Error("there is no owner");
      const { id } = await addMask(database().db, owner, { email });
      await database()
        .db.updateTable("users")
        .set((e) => ({ mask_count: e("mask_count", "+", 1) }))
        .where("id", "=", owner.id)
        .execute();
      return id;
    };
    const masks = async () =>
      new Map(
        (
          await database()
            .db.selectFrom("masks")
            .where("user_id", "!=", bystander.id)
            .select(["id", "email", "deleted_at"])
            .execute()
        ).map(({ id, email, deleted_at }) => [id, deleted_at === null ? email : "deleted"]),
      );
    const keyOf = async (id: string): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("mask_addresses")
          .select("email_key")
          .where("mask_id", "=", id)
          .orderBy("email_key")
          .execute()
      ).map(({ email_key }) => email_key);
    const notices = async (owner: Owner | undefined): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("notifications")
          .select("message")
          .where("user_id", "=", owner?.id ?? "")
          .execute()
      ).map(({ message }) => message);

    it("moves their masks to the trash, frees their places and gives the names to nobody", async () => {
      const ids = [];
      for (const email of [
        "hostmaster@MASKS.EXAMPLE",
        "No-Reply@Masks.example",
        "john@MASKS.EXAMPLE",
        "admin@masks。example",
        "postmaster@%6dasks.example",
        "bounces@masks.example",
      ])
        ids.push(await add(thief, email));
      await run();
      expect([...(await masks()).values()]).to.deep.equal(ids.map(() => "deleted"));
      for (const id of ids) expect(await keyOf(id)).to.deep.equal([]);
      const { mask_count } = await database()
        .db.selectFrom("users")
        .select("mask_count")
        .where("id", "=", thief?.id ?? "")
        .executeTakeFirstOrThrow();
      expect(Number(mask_count)).to.equal(0);
      const reserved = await database()
        .db.selectFrom("mask_addresses")
        .select("email_key")
        .where("email_key", "=", mailboxKey("hostmaster@masks.example"))
        .execute();
      expect(reserved).to.have.length(1);
    });

    it("sends none of the mail on that waits for a taken name", async () => {
      const { db } = database();
      const masks = [
        await add(thief, "hostmaster@MASKS.EXAMPLE"),
        await add(honest, "bcdfghjkmn@masks.example"),
      ];
      for (const [n, maskId] of masks.entries())
        await enqueue(
          db,
          {
            userId: (n === 0 ? thief : honest)?.id ?? "",
            maskId,
            envelopeSender: "",
            recipient: `inbox-${n}@home.example`,
            content: Buffer.from("Subject: proof\r\n\r\n"),
          },
          { now: 0, random: cryptoRandom },
        );
      await run();
      const to = (await readQueue(db)).map(({ recipient }) => recipient);
      expect(to).to.contain("inbox-1@home.example").and.not.contain("inbox-0@home.example");
    });

    it("takes a chosen name that the mask of another spelling has as an earlier address too", async () => {
      const id = await add(thief, "shop.bcdfghjkmn@MASKS.EXAMPLE");
      await database()
        .db.insertInto("mask_addresses")
        .values({ email_key: mailboxKey("john@masks.example"), mask_id: id, created_at: 0 })
        .execute();
      await run();
      expect(await keyOf(id)).to.deep.equal(["shop.bcdfghjkmn@masks.example"]);
    });

    it("takes a name that only an earlier address of a mask has, and leaves the mask", async () => {
      const id = await add(thief, "shop.bcdfghjkmn@MASKS.EXAMPLE");
      await database()
        .db.insertInto("mask_addresses")
        .values({ email_key: mailboxKey("hostmaster@masks.example"), mask_id: id, created_at: 0 })
        .execute();
      await run();
      expect((await masks()).get(id)).to.equal("shop.bcdfghjkmn@masks.example");
      expect(await keyOf(id)).to.deep.equal(["shop.bcdfghjkmn@masks.example"]);
      expect((await notices(thief))[0]).to.contain("hostmaster@masks.example");
    });

    it("leaves what was generated or offered, and writes its domain in one spelling", async () => {
      if (honest) await addDomain(database().db, honest, {}, "xn--bcher-kva.example");
      const words = generateAddress(cryptoRandom, maskDomain, {
        prefix: null,
        format: { kind: "words", length: 4 },
      });
      const kept = {
        "bcdfghjkmn@masks.example": "bcdfghjkmn@masks.example",
        "bcdfghjkm2@MASKS.example": "bcdfghjkm2@masks.example",
        "shop.bcdfg@masks.example": "shop.bcdfg@masks.example",
        "older-form@masks.example": "older-form@masks.example",
        [words]: words,
        "0b4d4cd6-1111-4222-8333-444455556666@masks.example":
          "0b4d4cd6-1111-4222-8333-444455556666@masks.example",
        "News.Letter@Bücher.example": "News.Letter@xn--bcher-kva.example",
        "hostmaster@elsewhere.example": "hostmaster@elsewhere.example",
        "hostmaster@mine.masks.example": "hostmaster@mine.masks.example",
      };
      const ids = [];
      for (const email of Object.keys(kept)) ids.push(await add(honest, email));
      await run();
      const found = await masks();
      expect(ids.map((id) => found.get(id))).to.deep.equal(Object.values(kept));
      for (const [index, id] of ids.entries())
        expect(await keyOf(id)).to.deep.equal([mailboxKey(Object.values(kept)[index] ?? "")]);
      expect([await notices(honest), logged]).to.deep.equal([[], []]);
    });

    it("leaves the names that somebody chose while the domain was theirs, but for the installation's own", async () => {
      if (honest) await addDomain(database().db, honest, {}, maskDomain);
      const [john, admin] = [
        await add(honest, "john@masks.example"),
        await add(honest, "admin@masks.example"),
      ];
      await run();
      expect([(await masks()).get(john), (await masks()).get(admin)]).to.deep.equal([
        "john@masks.example",
        "deleted",
      ]);
    });

    it("tells the owner by mail and notification, the operators, the log and bauta doctor", async () => {
      const { db } = database();
      await db
        .updateTable("users")
        .set({ is_operator: 1 })
        .where("id", "=", honest?.id ?? "")
        .execute();
      await add(thief, "hostmaster@MASKS.EXAMPLE");
      await add(honest, "bcdfghjkmn@masks.example");
      expect((await checkRemovedNames(db, clock.now())).state).to.equal("ok");
      await run();
      expect((await notices(thief))[0]).to.match(/You have lost hostmaster@masks\.example.*own domains only/);
      expect((await notices(honest))[0]).to.match(
        /names of this server: hostmaster\. .*certificate authority/,
      );
      const mails = await readQueue(db);
      expect(mails.map(({ recipient }) => recipient)).to.deep.equal([thief?.email]);
      expect(String(mails[0]?.content)).to.match(/hostmaster@masks\.example/);
      expect(logged).to.deep.equal([{ addresses: 1, accounts: 1, names: ["hostmaster"] }]);
      const check = await checkRemovedNames(db, clock.now());
      expect(check.state).to.equal("warning");
      expect(check.is).to.contain(`hostmaster@masks.example (${thief?.email})`);
      expect((await checkRemovedNames(db, clock.now() + 91 * dayMs)).state).to.equal("ok");
    });

    it("happens once for a database", async () => {
      await run();
      await add(thief, "hostmaster@MASKS.EXAMPLE");
      await run();
      expect([...(await masks()).values()]).to.deep.equal(["hostmaster@MASKS.EXAMPLE"]);
    });
  });
});
