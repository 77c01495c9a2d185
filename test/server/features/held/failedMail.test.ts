import { expect } from "chai";
import PostalMime from "postal-mime";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { enqueue } from "../../../../server/delivery/queue/queueQueries.ts";
import { signed } from "../../relay/encrypt/signedMail.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const shop = letter("Shop <orders@shop.example>");

for (const store of everyStore)
  describe(`A mail that the next hop refuses after DATA, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      here.sink.onContent = ({ to }) =>
        to === adaEmail ? `554 5.7.1 <${adaEmail}> does not take spam` : null;
    });
    afterEach(() => here?.stop());

    const held = async (query = ""): Promise<HeldPage> =>
      (await here.ada.call("GET", `/held${query}`)).json as HeldPage;
    const receive = async (
      sender = "orders@shop.example",
      content: string | Uint8Array = shop,
    ): Promise<void> => {
      const before = (await held()).mails.length;
      expect(await here.send(sender, content)).to.match(/^250/);
      here.delivery.wake();
      await until("it is held", async () => (await held()).mails.length > before);
    };
    const notifications = async () =>
      (
        (await here.ada.call("GET", "/notifications?limit=50")).json as {
          notifications: { message: string; heldId?: string; type: string }[];
        }
      ).notifications;
    const bodies = () => here.server.database.db.selectFrom("bodies").select("id").execute();
    const arrived = (to: string) => here.sink.mails.filter((mail) => mail.to === to);
    const arrival = async (to: string, count = 1): Promise<void> => {
      here.delivery.wake();
      await until(`${to} has it`, () => arrived(to).length >= count);
    };

    it("is kept, and its owner is told sender, subject, mask and code", async () => {
      await receive();
      const { mails, more } = await held();
      expect(more).to.equal(false);
      expect(mails[0]).to.deep.include({
        maskId: here.mask.id,
        direction: "received",
        reason: "refused",
        from: { name: "Shop", address: "orders@shop.example" },
        subject: "Your order",
        recipient: adaEmail,
        answer: "554 5.7.1 <[address]> does not take spam",
      });
      const [mail] = mails;
      expect(Date.parse(mail?.until ?? "") - Date.parse(mail?.held ?? "")).to.equal(7 * dayMs);
      const [notification] = await notifications();
      expect(notification).to.deep.include({ type: "error", heldId: mail?.id });
      expect(notification?.message).to.equal(
        `The email “Your order” from Shop (orders@shop.example) to ${here.mask.maskEmail} could not be forwarded: the server of your address refused it (554 5.7.1). The email is held for 7 days.`,
      );
    });

    it("arrives unchanged when its owner tries again, and is held no longer", async () => {
      await receive();
      const [mail] = (await held()).mails;
      here.sink.onContent = () => null;
      expect((await here.ada.call("POST", `/held/${mail?.id}/release`, { body: {} })).status).to.equal(200);
      await arrival(adaEmail);
      expect(arrived(adaEmail)[0]?.content.toString()).to.match(/\r\n\r\nIt is on its way\.\r\n$/);
      expect((await held()).mails).to.deep.equal([]);
      expect((await notifications())[0]).not.to.have.property("heldId");
      await until("its content is erased", async () => (await bodies()).length === 0);
      const again = await here.ada.call("POST", `/held/${mail?.id}/release`, { body: {} });
      expect([again.status, again.json]).to.deep.equal([404, { message: "This email is no longer held." }]);
    });

    it("is held again, with its content, when it is refused again", async () => {
      await receive();
      const [mail] = (await held()).mails;
      await here.ada.call("POST", `/held/${mail?.id}/release`, { body: {} });
      here.delivery.wake();
      await until("it was refused again", async () => (await notifications()).length === 2);
      expect((await held()).mails.map(({ id, subject }) => [id, subject])).to.deep.equal([
        [mail?.id, "Your order"],
      ]);
      expect(await bodies()).to.have.lengthOf(1);
    });

    it("goes to another confirmed address of the account, and to no other", async () => {
      await receive();
      const [mail] = (await held()).mails;
      const release = (to: string) => here.ada.call("POST", `/held/${mail?.id}/release`, { body: { to } });
      await here.ada.call("POST", "/destinations", { body: { email: "second@home.example" } });
      for (const to of ["second@home.example", "stranger@shop.example", ""]) {
        const refused = await release(to);
        expect(refused.status, to).to.equal(400);
        expect(refused.json).to.have.nested.property("errors[0].field", "to");
      }
      await here.server.database.db
        .updateTable("destinations")
        .set({ confirmed_at: 1 })
        .where("email", "=", "second@home.example")
        .execute();
      expect((await release("Second@Home.example")).status).to.equal(200);
      await arrival("second@home.example");
      expect((await held()).mails).to.deep.equal([]);
    });

    it("counts as a failed reply when its owner has sent it", async () => {
      here.sink.onContent = () => "550 5.1.1 nobody";
      const { db } = here.server.database;
      const { id: userId } = await db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow();
      const { id: maskId, maskEmail: envelopeSender } = here.mask;
      const mail = { userId, maskId, envelopeSender, recipient: "bob@nowhere.example" };
      const content = Buffer.from(`From: ${envelopeSender}\r\nSubject: Hello\r\n\r\nHello\r\n`);
      await enqueue(db, { ...mail, content }, { now: here.server.clock.now(), random: cryptoRandom });
      here.delivery.wake();
      await until("it is held", async () => (await held()).mails.length === 1);
      expect((await held()).mails[0]).to.include({ direction: "sent", reason: "refused" });
      const [day] = await db
        .selectFrom("daily_replies")
        .where("user_id", "!=", bystander.id)
        .select(["sent", "failed"])
        .execute();
      expect([Number(day?.sent), Number(day?.failed)]).to.deep.equal([0, 1]);
    });

    it("is deleted with its content when its owner deletes it", async () => {
      await receive();
      const [mail] = (await held()).mails;
      expect((await here.ada.call("POST", `/held/${mail?.id}/delete`)).status).to.equal(200);
      expect((await held()).mails).to.deep.equal([]);
      expect(await bodies()).to.deep.equal([]);
      expect((await here.ada.call("POST", `/held/${mail?.id}/delete`)).status).to.equal(404);
    });

    it("belongs to its owner: others neither see, release nor delete it", async () => {
      await receive();
      const [mail] = (await held()).mails;
      const eve = await here.server.signIn("eve@home.example");
      expect((await eve.call("GET", "/held")).json).to.deep.equal({ mails: [], more: false });
      for (const action of ["release", "delete"])
        expect((await eve.call("POST", `/held/${mail?.id}/${action}`, { body: {} })).status).to.equal(404);
      expect((await here.server.client().call("GET", "/held")).status).to.equal(401);
      expect((await held()).mails).to.have.lengthOf(1);
    });

    it("is deleted after 7 days, and its owner is told of all at once", async () => {
      await receive();
      await receive("orders@shop.example", letter("Shop <orders@shop.example>", [], "Second"));
      const { database, clock } = here.server;
      clock.advance(7 * dayMs - 60_000);
      await pruneAll(database, clock.now());
      await here.ada.refresh();
      expect((await held()).mails).to.have.lengthOf(2);
      clock.advance(120_000);
      await pruneAll(database, clock.now());
      expect(
        await database.db
          .selectFrom("held_mails")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .execute(),
      ).to.deep.equal([]);
      expect(await bodies()).to.deep.equal([]);
      const messages = await database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .select("message")
        .orderBy("id")
        .execute();
      expect(messages.at(-1)?.message).to.equal(
        "2 held emails were deleted, because they were not released within 7 days.",
      );
    });

    it("is in the export of the account, and goes with the account", async () => {
      await receive();
      const taken = (await here.ada.call("GET", "/account/export")).json as { held: { subject: string }[] };
      expect(taken.held.map(({ subject }) => subject)).to.deep.equal(["Your order"]);
      expect((await here.ada.call("DELETE", "/account", { body: { email: adaEmail } })).status).to.equal(200);
      const { db } = here.server.database;
      expect(
        await db.selectFrom("held_mails").where("user_id", "!=", bystander.id).select("id").execute(),
      ).to.deep.equal([]);
      expect(await bodies()).to.deep.equal([]);
    });

    it("shows neither sender nor subject in the list that a copy of the database has", async () => {
      await receive();
      const rows = await here.server.database.db
        .selectFrom("held_mails")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.to.match(/\b(?:order|shop)\b/i);
    });

    describe("is reported to its sender", () => {
      const reports = () => here.sink.mails.filter(({ to }) => to !== adaEmail);
      const settled = async (): Promise<void> => {
        here.delivery.wake();
        await until("nothing waits", async () => {
          const waiting = await here.server.database.db
            .selectFrom("queue")
            .select("id")
            .where("status", "=", "waiting")
            .where("recipient", "not like", "%@home.example")
            .execute();
          return waiting.length === 0;
        });
      };

      it("in the format of RFC 3464, once, with the mask's address alone", async () => {
        await receive("bounce@shop.example");
        await arrival("bounce@shop.example");
        const [mail] = (await held()).mails;
        await here.ada.call("POST", `/held/${mail?.id}/release`, { body: {} });
        here.delivery.wake();
        await until("it was refused again", async () => (await notifications()).length === 2);
        await settled();
        const [report, ...others] = reports();
        expect(others).to.deep.equal([]);
        expect(report?.from).to.equal("");
        const text = report?.content.toString() ?? "";
        expect(text).to.match(/^Auto-Submitted: auto-replied\r$/m);
        expect(text).to.match(/^Content-Type: multipart\/report; report-type=delivery-status;/m);
        const { attachments, text: explanation } = await PostalMime.parse(text, {
          forceRfc822Attachments: true,
        });
        expect(explanation).to.contain(`Your mail to ${here.mask.maskEmail} could not be delivered.`);
        const partOf = (type: string): string => {
          const content = attachments.find(({ mimeType }) => mimeType === type)?.content;
          return content === undefined || typeof content === "string"
            ? (content ?? "")
            : Buffer.from(content as ArrayBuffer).toString();
        };
        expect(
          partOf("message/delivery-status")
            .replaceAll("\r", "")
            .replace(/(?<=^Arrival-Date: ).*$/m, (date) => String(Date.now() - Date.parse(date) < hourMs))
            .trim()
            .split("\n"),
        ).to.deep.equal([
          "Reporting-MTA: dns; masks.test",
          "Arrival-Date: true",
          "",
          `Final-Recipient: rfc822; ${here.mask.maskEmail}`,
          "Action: failed",
          "Status: 5.7.1",
        ]);
        expect(partOf("text/rfc822-headers").replaceAll("\r", "").trim()).to.equal(
          shop.slice(0, shop.indexOf("\r\n\r\n")).replaceAll("\r", ""),
        );
        expect(text).not.to.match(/\bada\b|home\.example|does not take spam|bauta/i);
      });

      it("when DKIM of the sender's own domain is aligned, too", async () => {
        await receive("b@signed.example", await signed(letter("B <b@signed.example>"), "signed.example"));
        await arrival("b@signed.example");
      });

      it("never when nothing proves the sender, to the null sender, to lists, bulk mailers or programs", async () => {
        const list = ["List-Id: <l.shop.example>"];
        for (const [sender, content] of [
          ["a@elsewhere.example", letter("A <a@elsewhere.example>")],
          ["victim@elsewhere.example", await signed(letter("B <b@signed.example>"), "signed.example")],
          ["", letter("Shop <orders@shop.example>")],
          ["orders@shop.example", letter("Shop <orders@shop.example>", list)],
          ["orders@shop.example", letter("Shop <orders@shop.example>", ["Precedence: bulk"])],
          ["orders@shop.example", letter("Shop <orders@shop.example>", ["Auto-Submitted: auto-replied"])],
        ] as const)
          await receive(sender, content);
        await settled();
        expect(reports()).to.deep.equal([]);
      });

      it("at most 10 times a day", async () => {
        for (let count = 0; count < 12; count += 1) await receive();
        await settled();
        await until("the reports have arrived", () => reports().length >= 10);
        expect(reports()).to.have.lengthOf(10);
        here.server.clock.advance(dayMs);
        await here.ada.refresh();
        await receive();
        await until("another day has begun", () => {
          here.delivery.wake();
          return reports().length === 11;
        });
      });
    });
  });
