import { expect } from "chai";
import PostalMime from "postal-mime";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { createVirtualClock, startsAt } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { addRuledMask } from "../../support/ruledMask.ts";
import type { SmtpClient } from "../../support/smtpClient.ts";

const away: RuleAction = { type: "auto-reply", params: { subject: "", message: "I am away.\n\nAda" } };

describe("The automatic answer of a rule", () => {
  onEachDatabase(({ database }) => {
    let now = startsAt;
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    let client: SmtpClient;
    beforeEach(async () => {
      now = startsAt;
      owner = await addOwner(database().db, "business");
      mask = await addRuledMask(database().db, owner, away);
      relay = await startListener(database(), { ...createVirtualClock(), now: () => now });
      client = await relay.connect();
    });
    afterEach(() => relay.close());

    const answers = () =>
      database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .selectAll()
        .where("envelope_sender", "=", "")
        .where("recipient", "!=", owner.email)
        .execute();
    const send = async (from: string, more = "", envelopeSender = from): Promise<void> => {
      const content = `From: <${from}>\r\nTo: <${mask.email}>\r\nSubject: Lunch?\r\nMessage-ID: <7@home.example>\r\nReferences: <5@home.example> <6@home.example>\r\n${more}\r\nHello.\r\n`;
      expect(await client.mail(envelopeSender, [mask.email], content)).to.match(/^250/);
    };

    it("comes from the mask, in the thread, marked as automatic and with the null sender (RFC 3834)", async () => {
      await send("bob@friend.example");
      const [answer] = await answers();
      expect(answer?.recipient).to.equal("bob@friend.example");
      const read = await PostalMime.parse(answer?.content ?? "");
      const field = (name: string) => read.headers.find(({ key }) => key === name)?.value;
      expect(read.from?.address).to.equal(mask.email);
      expect(read.to?.map(({ address }) => address)).to.deep.equal(["bob@friend.example"]);
      expect(read.subject).to.equal("Automatic answer");
      expect(read.text?.trim()).to.equal("I am away.\n\nAda");
      expect(field("auto-submitted")).to.equal("auto-replied");
      expect(field("in-reply-to")).to.equal("<7@home.example>");
      expect(field("references")).to.equal("<7@home.example>");
      expect(Buffer.from(answer?.content ?? "").toString()).not.to.include(owner.email);
      const counted = await database()
        .db.selectFrom("mask_statistics")
        .where("user_id", "!=", bystander.id)
        .select("total_sent")
        .execute();
      expect(counted).to.deep.equal([{ total_sent: 1 }]);
    });

    it("is sent once in 7 days to a sender, for any spelling of the address", async () => {
      await send("bob@friend.example");
      await send("BOB@Friend.example");
      expect(await answers()).to.have.lengthOf(1);
      now += 7 * dayMs - 1;
      await send("bob@friend.example");
      expect(await answers()).to.have.lengthOf(1);
      now += 1;
      await send("bob@friend.example");
      expect(await answers()).to.have.lengthOf(2);
    });

    it("is sent 20 times an hour at most", async () => {
      for (let n = 0; n < 25; n += 1) await send(`friend${n}@friend.example`);
      expect(await answers()).to.have.lengthOf(20);
      now += 60 * 60_000;
      await send("late@friend.example");
      expect(await answers()).to.have.lengthOf(21);
    });

    it("is not sent to lists, programs, addresses of ours and unknown senders", async () => {
      await send("news@shop.example", "List-Id: <news.shop.example>\r\n");
      await send("ann@shop.example", "Auto-Submitted: auto-replied\r\n");
      await send("cid@shop.example", "Precedence: bulk\r\n");
      await send("no-reply@shop.example");
      await send("else@masks.example");
      await send(owner.email);
      await send("dan@shop.example", "", "");
      await send("eve@shop.example", "", "bounces+eve@shop.example");
      await send("fay@shop.example", "", "other@masks.example");
      expect(await answers()).to.deep.equal([]);
    });

    it("goes to the envelope sender, so that a forged From causes no mail to others", async () => {
      await send("victim@friend.example", "Reply-To: <second@friend.example>\r\n", "mallory@evil.example");
      expect((await answers()).map(({ recipient }) => recipient)).to.deep.equal(["mallory@evil.example"]);
    });
  });
});
