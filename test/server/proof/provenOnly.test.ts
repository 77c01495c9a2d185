import { expect } from "chai";
import type { RuleAction } from "../../../core/rules/model/action.ts";
import { bystander } from "../support/bystander.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type DnsStub, startDnsStub } from "../support/dnsStub.ts";
import { type RunningListener, startListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../support/owners.ts";
import { readQueue } from "../support/queue.ts";
import { addRuledMask } from "../support/ruledMask.ts";
import { secrets } from "../support/secrets.ts";

const away: RuleAction = { type: "auto-reply", params: { subject: "", message: "I am away." } };

/** Both send from 127.0.0.1; only the envelope sender is proven by SPF. */
const own = { TXT: ["v=spf1 ip4:127.0.0.1 -all"] };
const notTaken = /^550 5\.7\.1 The owner of this address/;

describe("A sender that only says who it is", () => {
  onEachDatabase(({ database }) => {
    let dns: DnsStub;
    let owner: Owner;
    let relay: RunningListener;
    before(async () => {
      dns = await startDnsStub({ "shop.example": own, "attack.example": own });
    });
    after(() => dns?.close());
    beforeEach(async () => {
      owner = await addOwner(database().db, "business");
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
    });
    afterEach(() => relay.close());

    const send = async (mask: TestMask, from: string, envelopeSender = from): Promise<string> => {
      const content = `From: <${from}>\r\nTo: <${mask.email}>\r\nSubject: Buy pills\r\nMessage-ID: <1@shop.example>\r\n\r\nHello.\r\n`;
      const client = await relay.connect();
      const answer = await client.mail(envelopeSender, [mask.email], content);
      client.destroy();
      return answer;
    };
    const forge = (mask: TestMask, from: string): Promise<string> => send(mask, from, "eve@attack.example");
    const recipients = async () => (await readQueue(database().db)).map(({ recipient }) => recipient);

    it("gets no automatic answer, which would be mail to a stranger; a proven one gets it without its own words", async () => {
      const mask = await addRuledMask(database().db, owner, away);
      expect(await forge(mask, "bob@shop.example")).to.match(/^250/);
      expect(await send(mask, "bob@shop.example", "victim@elsewhere.example")).to.match(/^250/);
      expect(await recipients()).to.deep.equal([owner.email, owner.email]);
      expect(await send(mask, "bob@shop.example")).to.match(/^250/);
      const answer = (await readQueue(database().db)).find((one) => one.recipient === "bob@shop.example");
      expect(String(answer?.content)).to.contain("Auto-Submitted: auto-replied").and.not.contain("pills");
    });

    it("does not lock a mask to itself, and does not pass as the one that has", async () => {
      const mask = await addMask(database().db, owner);
      const expiry = '{"firstSender":true,"then":"disable"}';
      await database()
        .db.updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ expiry, expiry_from: 0 })
        .execute();
      expect(await forge(mask, "bob@shop.example")).to.match(/^250/);
      expect(await send(mask, "amy@shop.example")).to.match(/^250/);
      expect(await send(mask, "eve@attack.example")).to.match(notTaken);
      expect(await forge(mask, "bob@shop.example")).to.match(notTaken);
      expect(await send(mask, "bob@shop.example")).to.match(/^250/);
      await database()
        .db.updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ accept_unproven: 1 })
        .execute();
      expect(await forge(mask, "bob@shop.example")).to.match(/^250/);
    });

    it("is no correspondent of a mask", async () => {
      const mask = await addMask(database().db, owner);
      expect(await send(mask, "bob@shop.example")).to.match(/^250/);
      await database()
        .db.updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ sender_mode: "contacts" })
        .execute();
      expect(await send(mask, "bob@shop.example")).to.match(/^250/);
      expect(await forge(mask, "bob@shop.example")).to.match(notTaken);
    });
  });
});
