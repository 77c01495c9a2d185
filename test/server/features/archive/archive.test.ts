import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { limitsOf, type Tier, tiers } from "../../../../core/tiers/tier.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

interface Page {
  readonly mails: readonly {
    readonly id: string;
    readonly maskId: string;
    readonly size: number;
    readonly read: boolean;
  }[];
  readonly more: boolean;
  readonly storage: { readonly used: number; readonly limit: number };
}

const keep: RuleAction = { type: "archive", params: { markAsRead: false } };
const content = (subject: string, size = 10): string =>
  `From: Shop <orders@shop.example>\r\nSubject: ${subject}\r\n\r\n${"x".repeat(76)}\r\n`.padEnd(
    size,
    "Good day.\r\n",
  );

for (const store of everyStore)
  describe(`The archive, on ${store.name}`, () => {
    let server: TestServer;
    let relay: RunningListener;
    let ada: Client;
    let mask: { readonly id: string; readonly maskEmail: string };

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      const clock = { ...createVirtualClock(), now: () => server.clock.now() };
      relay = await startListener(server.database, clock);
      ada = await server.signIn("ada@home.example");
      mask = (await ada.call("POST", "/masks", { body: { description: "Shop" } })).json as typeof mask;
      const address = mask.maskEmail.replace("masks.test", "masks.example");
      await server.database.db
        .updateTable("mask_addresses")
        .set({ email_key: mailboxKey(address) })
        .where("mask_id", "=", mask.id)
        .execute();
      mask = { ...mask, maskEmail: address };
      await setRules(server.database.db, { id: mask.id, email: "" }, [rule([keep])]);
    });
    afterEach(async () => {
      await relay?.close();
      await server?.stop();
    });

    const send = async (text: string): Promise<void> => {
      const client = await relay.connect();
      expect(await client.mail("orders@shop.example", [mask.maskEmail], text)).to.match(/^250/);
    };
    const page = async (query = ""): Promise<Page> =>
      (await ada.call("GET", `/archive${query}`)).json as Page;
    const forwarded = async () =>
      (await server.mails("ada@home.example")).filter(({ subject }) => subject.startsWith("Order"));

    it("keeps a mail instead of forwarding it, lists it, returns its original bytes and deletes it", async () => {
      await send(content("Order 1"));
      expect(await forwarded()).to.deep.equal([]);
      const { mails, more, storage } = await page();
      expect(mails).to.have.lengthOf(1);
      const [mail] = mails;
      expect(mail).to.deep.include({ maskId: mask.id, read: false });
      expect(more).to.equal(false);
      expect(storage).to.deep.equal({ used: mail?.size, limit: 1_000_000 });

      const opened = await ada.call("GET", `/archive/${mail?.id}`);
      expect(opened.status).to.equal(200);
      expect(opened.headers.get("content-type")).to.match(/^message\/rfc822/);
      expect(opened.text).to.include("\r\nSubject: Order 1\r\n").and.include("X-Bauta-Mask: ");
      expect(opened.text.length).to.equal(mail?.size);
      expect((await page()).mails[0]?.read).to.equal(true);

      expect((await ada.call("DELETE", `/archive/${mail?.id}`)).status).to.equal(200);
      expect((await page()).mails).to.deep.equal([]);
      expect((await ada.call("DELETE", `/archive/${mail?.id}`)).status).to.equal(404);
    });

    it("is accessible only to its owner", async () => {
      await send(content("Order 1"));
      const id = (await page()).mails[0]?.id;
      const bob = await server.signIn("bob@home.example");
      expect(((await bob.call("GET", "/archive")).json as Page).mails).to.deep.equal([]);
      expect((await bob.call("GET", `/archive/${id}`)).status).to.equal(404);
      expect((await bob.call("GET", `/archive/${id}/copy?keepUnread=true`)).status).to.equal(404);
      expect((await bob.call("DELETE", `/archive/${id}`)).status).to.equal(404);
      expect((await server.client().call("GET", `/archive/${id}`)).status).to.equal(401);
      expect((await page()).mails).to.have.lengthOf(1);
    });

    it("lists the mails of one mask, and continues after the last listed mail", async () => {
      for (const n of [1, 2, 3]) {
        await send(content(`Order ${n}`));
        server.clock.advance(1_000);
      }
      expect((await page(`?maskId=${mask.id}`)).mails).to.have.lengthOf(3);
      expect((await page("?maskId=another")).mails).to.deep.equal([]);
      const [newest, ...older] = (await page()).mails;
      expect((await page(`?before=${newest?.id}`)).mails).to.deep.equal(older);
    });

    it("forwards a mail when the 1 MB of the plan are full, and notifies the user once a day", async () => {
      await send(content("Order 1", 700_000));
      await send(content("Order 2", 700_000));
      await send(content("Order 3", 700_000));
      expect((await page()).mails).to.have.lengthOf(1);
      expect((await forwarded()).map(({ subject }) => subject).sort()).to.deep.equal(["Order 2", "Order 3"]);
      const messages = async () =>
        (
          await server.database.db
            .selectFrom("notifications")
            .where("user_id", "!=", bystander.id)
            .select("message")
            .execute()
        ).filter(({ message }) => message.startsWith("Your archive is full"));
      expect(await messages()).to.have.lengthOf(1);
      server.clock.advance(24 * 60 * 60_000 + 1);
      await send(content("Order 4", 700_000));
      expect(await messages()).to.have.lengthOf(2);
    });

    it("deletes a mail after the history period of the plan, and never on Business", async () => {
      const days: Partial<Record<Tier, number | null>> = {
        free: 7,
        basic: 30,
        pro: 365,
        pro_premium: 730,
        business: null,
      };
      for (const tier of tiers.filter((one) => one !== "self_hosted")) {
        await server.database.db.updateTable("users").where("id", "!=", bystander.id).set({ tier }).execute();
        await send(content("Order 1"));
        const age = days[tier] ?? null;
        server.clock.advance((age ?? 3_650) * 24 * 60 * 60_000 - 1_000);
        await pruneAll(server.database, server.clock.now());
        const stored = () =>
          server.database.db
            .selectFrom("archived_mails")
            .where("user_id", "!=", bystander.id)
            .select("id")
            .execute();
        expect(await stored(), `${tier} ${limitsOf[tier].history}`).to.have.lengthOf(1);
        server.clock.advance(2_000);
        await pruneAll(server.database, server.clock.now());
        expect(await stored(), tier).to.have.lengthOf(age === null ? 1 : 0);
      }
    });
  });
