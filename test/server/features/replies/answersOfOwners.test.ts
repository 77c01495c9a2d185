import { expect } from "chai";
import { isOfTest } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import {
  addDestination,
  addDomain,
  addMask,
  addOwner,
  type Owner,
  type TestMask,
} from "../../support/owners.ts";
import { readQueue } from "../../support/queue.ts";
import { secrets } from "../../support/secrets.ts";

describe("An owner whose mail program answers in its own way", () => {
  let dns: DnsStub;
  before(async () => {
    dns = await startDnsStub({
      "home.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "gmail.com": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      "unproven.example": { TXT: ["v=spf1 -all"] },
    });
  });
  after(() => dns.close());

  onEachDatabase(({ database }) => {
    let relay: RunningListener;
    beforeEach(async () => {
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: [],
        secrets,
      });
    });
    afterEach(() => relay.close());

    const send = async (from: string, to: readonly string[], fields: readonly string[]): Promise<string> => {
      await relay.clock.advance(1);
      const text = [...fields, "Date: Fri, 20 Nov 2026 10:00:00 +0000", "", "Text.", ""].join("\r\n");
      return (await relay.connect()).mail(from, to, text);
    };
    const queued = async () =>
      (await readQueue(database().db)).map(({ recipient, status, content }) => ({
        recipient,
        status,
        content: content.toString(),
      }));
    const notices = async (): Promise<readonly string[]> =>
      (await database().db.selectFrom("notifications").select("message").orderBy("id").execute())
        .filter(isOfTest)
        .map(({ message }) => message);
    /** Sends a mail of a shop to a mask, and returns the reverse address that it comes from. */
    const receive = async (mask: TestMask, destination: string): Promise<string> => {
      const fields = ["From: Bob <bob@shop.example>", `To: ${mask.email}`, "Subject: Order"];
      expect(await send("bob@shop.example", [mask.email], fields)).to.match(/^250/);
      const copy = (await queued()).filter(({ recipient }) => recipient === destination).at(-1);
      return (
        /^From: .*<(re-[a-z2-7]{32}@masks\.example)>/m.exec(
          (copy?.content ?? "").replaceAll(/\r\n[ \t]+/g, " "),
        )?.[1] ?? "none"
      );
    };

    describe("from another spelling of the address that mail is forwarded to", () => {
      const spellings = [
        ["me+masks@home.example", "me@home.example"],
        ["me@home.example", "me+shop@home.example"],
        ["me+masks@home.example", "ME+Letters@Home.Example"],
        ["ada.b@gmail.com", "adab@gmail.com"],
      ] as const;
      for (const [confirmed, author] of spellings)
        it(`learns which one to confirm, and the answer is kept: ${author} for ${confirmed}`, async () => {
          const owner = await addOwner(database().db);
          const id = await addDestination(database().db, { owner, email: confirmed, confirmed: true });
          const mask = await addMask(database().db, owner, { destinationId: id });
          const reverse = await receive(mask, confirmed);
          const fields = [`From: Ada <${author}>`, `To: Bob <${reverse}>`, "Subject: Re: Order"];
          const answer = await send(author, [reverse], fields);
          expect(answer).to.match(/^550 5\.7\.1 BAUTA-R2 /);
          expect(answer).to.contain(author).and.not.contain(confirmed);
          expect((await notices()).at(-1))
            .to.contain("BAUTA-R2")
            .and.contain(author)
            .and.contain(confirmed)
            .and.contain("It is kept for 7 days");
          const { status } = (await queued()).at(-1) ?? {};
          expect(status).to.equal("unsent");
        });

      it("is a stranger without a proof, as anybody else at the same provider is", async () => {
        const owner = await addOwner(database().db);
        const id = await addDestination(database().db, {
          owner,
          email: "me+masks@unproven.example",
          confirmed: true,
        });
        const mask = await addMask(database().db, owner, { destinationId: id });
        const reverse = await receive(mask, "me+masks@unproven.example");
        const fields = (author: string) => [`From: Ada <${author}>`, `To: <${reverse}>`];
        expect(await send("me@unproven.example", [reverse], fields("me@unproven.example"))).to.match(
          /^550 5\.1\.1 BAUTA-R16 /,
        );
        expect(await send("other@home.example", [reverse], fields("other@home.example"))).to.match(
          /^550 5\.1\.1 BAUTA-R16 /,
        );
        expect(await notices()).to.deep.equal([]);
      });
    });

    describe("to all, the mask among them", () => {
      let owner: Owner;
      let mask: TestMask;
      let reverse: string;
      beforeEach(async () => {
        owner = await addOwner(database().db);
        mask = await addMask(database().db, owner);
        reverse = await receive(mask, owner.email);
      });
      const fields = (...to: readonly string[]): readonly string[] => [
        `From: Ada <${owner.email}>`,
        `To: ${to.map((address) => `<${address}>`).join(", ")}`,
        "Subject: Re: Order",
      ];
      const recipients = async () => (await queued()).map(({ recipient }) => recipient);

      for (const order of ["before", "after"])
        it(`sends the answer at once, and nothing comes back (the mask ${order} the others)`, async () => {
          const to = order === "before" ? [mask.email, reverse] : [reverse, mask.email];
          expect(await send(owner.email, to, fields(...to))).to.match(/^250/);
          expect(await recipients()).to.deep.equal([owner.email, "bob@shop.example"]);
        });

      it("also where nobody else in the mail can be answered", async () => {
        const nobody = "re-noaddressinthismailcanbeanswered@masks.example";
        expect(await send(owner.email, [mask.email], fields(nobody, mask.email))).to.match(/^250/);
        expect(await recipients()).to.deep.equal([owner.email]);
      });

      it("also with a mask at a domain of the owner", async () => {
        await addDomain(database().db, owner);
        const own = await addMask(database().db, owner, { email: "shop@own.example" });
        const ownReverse = await receive(own, owner.email);
        const to = [ownReverse, own.email];
        expect(await send(owner.email, to, fields(...to))).to.match(/^250/);
        expect((await recipients()).at(-1)).to.equal("bob@shop.example");
        expect(await recipients()).to.have.length(3);
      });

      it("also where the owner's server sends to each recipient by itself", async () => {
        const all = fields(reverse, mask.email);
        expect(await send(owner.email, [reverse], all)).to.match(/^250/);
        expect(await send(owner.email, [mask.email], all)).to.match(/^250/);
        expect(await recipients()).to.deep.equal([owner.email, "bob@shop.example"]);
      });

      it("while mail to the mask alone, of which nobody proves to be the owner, arrives", async () => {
        const all = ["From: Bob <bob@shop.example>", `To: <${reverse}>, <${mask.email}>`, "Subject: Order"];
        expect(await send("bob@shop.example", [mask.email], all)).to.match(/^250/);
        const plain = [`From: Ada <${owner.email}>`, `To: <${mask.email}>`, "Subject: A note"];
        expect(await send(owner.email, [mask.email], plain)).to.match(/^250/);
        expect(await recipients()).to.deep.equal([owner.email, owner.email, owner.email]);
      });

      it("keeps the reverse addresses in what is no proven answer, such as from another spelling", async () => {
        const author = owner.email.replace("@", "+tag@");
        const fieldsOf = [
          `From: Ada <${author}>`,
          `To: <${reverse}>`,
          `Cc: <${mask.email}>`,
          "Subject: Re: Order",
        ];
        expect(await send(author, [mask.email], fieldsOf)).to.match(/^250/);
        expect((await queued()).at(-1)?.content).to.contain(`<${reverse}>`);
      });

      it("refuses it for all where the answer is refused, so that nothing is sent in part", async () => {
        const to = [reverse, mask.email];
        const answer = await send(owner.email, to, [
          "From: Eve <eve@elsewhere.example>",
          `To: <${reverse}>`,
          "Subject: Re: Order",
        ]);
        expect(answer).to.match(/^550/);
        expect(await recipients()).to.deep.equal([owner.email]);
      });

      it("takes the mask of another account separately", async () => {
        const other = await addOwner(database().db);
        const foreign = await addMask(database().db, other);
        expect(await send(owner.email, [reverse, foreign.email], fields(reverse))).to.match(/^452 4\.5\.3/);
      });
    });
  });
});
