import { expect } from "chai";
import { maxMadePerDay } from "../../../../core/domains/domain.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { limitsOf } from "../../../../core/tiers/tier.ts";
import { madePerDayOfNetwork } from "../../../../server/features/domains/domainFeature.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { secrets } from "../../support/secrets.ts";

const letter = (from = "shop@sender.example"): string =>
  [`From: ${from}`, "Subject: Your order", "", "It is on its way.", ""].join("\r\n");

describe("Mail to the domain of a user", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    let relay: RunningListener;

    beforeEach(async () => {
      owner = await addOwner(database().db, "business");
      relay = await startListener(database(), undefined, { secrets });
    });
    afterEach(() => relay.close());

    const send = async (to: string | readonly string[], content = letter()): Promise<string> =>
      (await relay.connect()).mail("shop@sender.example", [to].flat(), content);
    const masks = () =>
      database()
        .db.selectFrom("masks")
        .where("masks.user_id", "!=", bystander.id)
        .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
        .select(["email", "description", "sender_mode", "total_received"])
        .orderBy("email")
        .execute();
    const queued = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select(["recipient", "status"])
          .execute()
      ).map(({ recipient, status }) => `${recipient} ${status}`);
    const notices = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .execute()
      ).map(({ message }) => message);

    it("is refused as that of any other domain before its proof", async () => {
      await addDomain(database().db, owner, { proven_at: null, catch_all: "all" });
      expect(await send("shop@own.example")).to.match(/^550 5\.7\.1 Relaying refused/);
    });

    it("reaches a mask there by its exact address, and nobody else", async () => {
      await addDomain(database().db, owner);
      const mask = await addMask(database().db, owner, { email: "shop@own.example" });
      expect(await send(mask.email)).to.match(/^250/);
      expect(await send("Shop@OWN.example")).to.match(/^250/);
      expect(await send("other@own.example")).to.match(/^550 5\.1\.1/);
      expect(await queued()).to.deep.equal([`${owner.email} waiting`, `${owner.email} waiting`]);
    });

    it("makes the mask where the domain takes all names, and tells its owner", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      expect(await send("New.Shop@own.example")).to.match(/^250/);
      expect(await send("new.shop@own.example")).to.match(/^250/);
      expect(await masks()).to.deep.equal([
        { email: "new.shop@own.example", description: "New.Shop", sender_mode: "all", total_received: 2 },
      ]);
      expect(await notices()).to.deep.equal(["Mail has created the mask new.shop@own.example."]);
      const events = await database()
        .db.selectFrom("events")
        .where("user_id", "!=", bystander.id)
        .select(["resource", "action"])
        .execute();
      expect(events).to.deep.include({ resource: "masks", action: "created" });
      const { mask_count } = await database()
        .db.selectFrom("users")
        .where("id", "=", owner.id)
        .select("mask_count")
        .executeTakeFirstOrThrow();
      expect(Number(mask_count)).to.equal(1);
    });

    it("makes masks for the names of the patterns alone", async () => {
      await addDomain(database().db, owner, { catch_all: "pattern", patterns: '["shop-*","news"]' });
      expect(await send("shop-1@own.example")).to.match(/^250/);
      expect(await send("NEWS@own.example")).to.match(/^250/);
      expect(await send("newsletter@own.example")).to.match(/^550 5\.1\.1/);
      expect((await masks()).map(({ email }) => email)).to.deep.equal([
        "news@own.example",
        "shop-1@own.example",
      ]);
    });

    it("waits for its owner where new masks are approved first", async () => {
      await addDomain(database().db, owner, { catch_all: "all", approve_first: 1 });
      expect(await send("shop@own.example")).to.match(/^250/);
      expect(await queued()).to.deep.equal([`${owner.email} held`]);
      expect((await masks())[0]).to.include({ email: "shop@own.example", sender_mode: "approve" });
      expect((await notices()).join(" ")).to.include("waits until you approve the sender");
    });

    it("makes a mask once for many mails at the same time, which all arrive", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      const answers = await Promise.all(Array.from({ length: 12 }, () => send("shop@own.example")));
      expect(answers.filter((answer) => answer.startsWith("250"))).to.have.length(12);
      expect(await masks()).to.have.length(1);
      expect((await masks())[0]).to.include({ total_received: 12 });
      expect(await notices()).to.have.length(1);
    });

    it("makes one mask for a recipient that is named twice", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      expect(await send(["shop@own.example", "SHOP@own.example"])).to.match(/^250/);
      expect((await masks())[0]).to.include({ total_received: 1 });
      expect(await queued()).to.have.length(1);
    });

    it("makes no mask for a recipient without a mail", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      const client = await relay.connect();
      await client.say("MAIL FROM:<shop@sender.example>");
      expect(await client.say("RCPT TO:<shop@own.example>")).to.match(/^250/);
      await client.say("RSET");
      expect(await masks()).to.deep.equal([]);
    });

    it("makes no mask again whose owner has deleted it", async () => {
      await addDomain(database().db, owner, { catch_all: "all" });
      await send("shop@own.example");
      await database()
        .db.updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ deleted_at: 5, active: 0 })
        .execute();
      expect(await send("shop@own.example")).to.match(/^550 5\.1\.1/);
      await database().db.deleteFrom("masks").where("user_id", "!=", bystander.id).execute();
      expect(await send("shop@own.example")).to.match(/^550 5\.1\.1/);
    });

    it("makes a limited number of masks a day", async () => {
      const today = new Date(relay.clock.now()).toISOString().slice(0, 10);
      await addDomain(database().db, owner, {
        catch_all: "all",
        made_day: today,
        made_count: maxMadePerDay - 2,
      });
      const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => send(`shop${n}@own.example`)));
      expect(answers.filter((answer) => answer.startsWith("250"))).to.have.length(2);
      expect(await masks()).to.have.length(2);
      expect(await send("late@own.example")).to.match(/^450 4\.2\.1 This domain takes no more/);
      await relay.clock.advance(dayMs);
      expect(await send("late@own.example")).to.match(/^250/);
    });

    it("of one network makes a share of these, and that of others still makes some", async () => {
      await relay.close();
      relay = await startListener(database(), undefined, { secrets, trustedNetworks: [] });
      await addDomain(database().db, owner, { catch_all: "all" });
      const guess = async (localAddress: string, localPart: string): Promise<string> => {
        const client = await relay.connect(undefined, localAddress);
        await client.say("MAIL FROM:<shop@sender.example>");
        const answer = await client.say(`RCPT TO:<${localPart}@own.example>`);
        client.destroy();
        return answer;
      };
      for (let n = 0; n < madePerDayOfNetwork; n += 1)
        expect(await guess("127.0.9.1", `guess${n}`)).to.match(/^250/);
      expect(await guess("127.0.9.1", "one-more")).to.match(/^450 4\.2\.1 This domain takes no more/);
      expect(await guess("127.0.9.2", "one-more")).to.match(/^250/);
    });

    it("makes no more masks than the plan has", async () => {
      owner = await addOwner(database().db, "free");
      await addDomain(database().db, owner, { catch_all: "all" });
      const [count, most] = [12, limitsOf.free.masks ?? 0];
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) => send(`shop${n}@own.example`)),
      );
      expect(answers.filter((answer) => answer.startsWith("250"))).to.have.length(most);
      expect(await masks()).to.have.length(most);
    });

    it("goes to the domain's own destination, and to the default one without", async () => {
      await database()
        .db.insertInto("destinations")
        .values({
          id: "second",
          user_id: owner.id,
          email: "second@home.example",
          email_key: mailboxKey("second@home.example"),
          confirmed_at: 1,
          token_hash: null,
          token_expires_at: null,
          asked_at: null,
          created_at: 0,
        })
        .execute();
      await addDomain(database().db, owner, { catch_all: "all", destination_id: "second" });
      await send("a@own.example");
      await database()
        .db.updateTable("domains")
        .where("user_id", "!=", bystander.id)
        .set({ destination_id: null })
        .execute();
      await send("b@own.example");
      expect((await queued()).toSorted()).to.deep.equal(
        ["second@home.example waiting", `${owner.email} waiting`].toSorted(),
      );
    });

    it("of the postmaster goes to the postmaster where no mask has the name", async () => {
      await addDomain(database().db, owner);
      expect(await send("postmaster@own.example")).to.match(/^250/);
      expect(await queued()).to.deep.equal(["postmaster@masks.example waiting"]);
    });

    it("is refused for a suspended account, and long after the proof is gone", async () => {
      await addDomain(database().db, owner, { catch_all: "all", lapsed_at: relay.clock.now() - 13 * dayMs });
      expect(await send("a@own.example")).to.match(/^250/);
      await relay.clock.advance(2 * dayMs);
      expect(await send("b@own.example")).to.match(/^550/);
      expect(await send("a@own.example")).to.match(/^250/);
      await database()
        .db.updateTable("domains")
        .where("user_id", "!=", bystander.id)
        .set({ lapsed_at: null })
        .execute();
      await database().db.updateTable("users").set({ suspended: 1 }).where("id", "=", owner.id).execute();
      expect(await send("c@own.example")).to.match(/^550/);
    });
  });
});
