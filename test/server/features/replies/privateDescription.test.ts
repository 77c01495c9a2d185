import { expect } from "chai";
import { pruneReverseAddresses } from "../../../../server/features/correspondents/reverseAddresses.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";

describe("The description of a mask, shown to its owner beside names of senders", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let owner: Owner;
    let mask: TestMask;
    let relay: RunningListener;
    beforeEach(async () => {
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
      await showSenders("mask");
      await describeMask("Secret shoes");
    });
    afterEach(() => relay.close());

    const showSenders = (shown: "mask" | "full" | "address") =>
      database().db.updateTable("users").set({ sender_shown: shown }).where("id", "=", owner.id).execute();
    const describeMask = (description: string) =>
      database().db.updateTable("masks").set({ description }).where("id", "=", mask.id).execute();
    const send = async (from: string, to: string, text: string): Promise<string> => {
      await relay.clock.advance(1);
      return (await relay.connect()).mail(from, [to], text);
    };
    const newest = async (recipient: string): Promise<string> => {
      const found = (await readQueue(database().db)).filter((one) => one.recipient === recipient).at(-1);
      return found?.content.toString() ?? "";
    };
    /** Sends a mail to the mask, and returns the name and the reverse address that its owner sees. */
    const receive = async (name: string, more: readonly string[] = []) => {
      const fields = [`From: ${name} <bob@shop.example>`, `To: ${mask.email}`, "Subject: Order", ...more];
      const text = [...fields, "", "Is it right?", ""].join("\r\n");
      expect(await send("bob@shop.example", mask.email, text)).to.match(/^250/);
      const header = (await newest(owner.email)).replaceAll(/\r\n[ \t]+/g, " ");
      const [, shown = "", reverse = ""] = /^From: "?(.*?)"? <(.*)>/m.exec(header) ?? [];
      return { shown, reverse, header };
    };
    const answer = async (reverse: string, ...body: readonly string[]): Promise<string> => {
      const fields = [`From: Ada <${owner.email}>`, `To: <${reverse}>`, "Subject: Re: Order"];
      expect(await send(owner.email, reverse, [...fields, "", ...body, ""].join("\r\n"))).to.match(/^250/);
      return newest("bob@shop.example");
    };

    it("stays private where another participant is quoted by name alone", async () => {
      const { reverse, header } = await receive("Bob", ["Cc: Carol <carol@elsewhere.example>"]);
      expect(header).to.contain("Carol - carol at elsewhere.example");
      const carol = ["From: Carol <carol@shop.example>", `To: ${mask.email}`, "", "Me too."];
      expect(await send("carol@shop.example", mask.email, carol.join("\r\n"))).to.match(/^250/);
      const sent = await answer(reverse, "Yes.", "", "From: Carol (Secret shoes)", "> Me too.");
      expect(sent).not.to.contain("Secret");
      expect(sent).to.contain("From: Carol\r\n");
    });

    it("stays private after it was changed, and after senders are shown in another way", async () => {
      const { shown, reverse } = await receive("Bob");
      expect(shown).to.equal("Bob (Secret shoes)");
      await describeMask("Public hats");
      expect(await answer(reverse, "Yes.", "Bob (Secret shoes) wrote:")).to.contain("\r\nBob wrote:");
      expect((await receive("Bob")).shown).to.equal("Bob (Public hats)");
      await describeMask("Gloves");
      await showSenders("full");
      const sent = await answer(reverse, "Bob (Secret shoes) wrote:", "Bob (Public hats) wrote:");
      expect(sent).to.match(/\r\nBob wrote:\r\nBob wrote:\r\n/);
    });

    it("stays private where the sender has another name since, or a name that nobody stored", async () => {
      const { reverse } = await receive("Bob");
      expect((await receive("Robert of Sales")).shown).to.equal("Robert of Sales (Secret shoes)");
      const sent = await answer(
        reverse,
        "Robert of Sales (Secret shoes) wrote:",
        "Bob (secret  SHOES) wrote:",
        "Bob &#40;Secret&nbsp;shoes&#41; wrote:",
      );
      expect(sent.toLowerCase())
        .not.to.contain("secret  shoes")
        .and.not.contain("(secret")
        .and.not.contain("&#40;");
      expect(sent).to.contain("Robert of Sales wrote:");
    });

    it("stays private in names of files, and in mail that is attached", async () => {
      const { reverse } = await receive("Bob");
      const attached = [
        "From: Ada <ada@nowhere.example>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "",
        "Yes.",
        "--b",
        'Content-Type: message/rfc822; name="Bob (Secret shoes).eml"',
        'Content-Disposition: attachment; filename="Bob _Secret shoes_.eml"',
        "",
        'From: "Bob (Secret shoes)" <bob@shop.example>',
        "Subject: Fwd: Bob (Secret shoes)",
        "",
        "Hello",
        "--b--",
        "",
      ];
      const text = [`From: Ada <${owner.email}>`, `To: <${reverse}>`, ...attached.slice(1)].join("\r\n");
      expect(await send(owner.email, reverse, text)).to.match(/^250/);
      expect(await newest("bob@shop.example")).not.to.match(/secret/i);
    });

    it("is the owner's own word where mail has never shown it", async () => {
      await showSenders("full");
      const { reverse } = await receive("Bob");
      const sent = await answer(reverse, "I mean the shoes (Secret shoes) that you sell.");
      expect(sent).to.contain("the shoes (Secret shoes) that you sell.");
    });

    it("is forgotten with its mask, and not before", async () => {
      await receive("Bob");
      const shown = () =>
        database()
          .db.selectFrom("shown_descriptions")
          .select("description")
          .where("mask_id", "=", mask.id)
          .execute();
      await pruneReverseAddresses(database().db, Number.MAX_SAFE_INTEGER);
      expect(await shown()).to.deep.equal([{ description: "Secret shoes" }]);
      await database().db.deleteFrom("masks").where("id", "=", mask.id).execute();
      expect(await shown()).to.deep.equal([]);
    });
  });
});
