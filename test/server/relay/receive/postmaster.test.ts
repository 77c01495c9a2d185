import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { createPostmasterTransport } from "../../../../server/delivery/transport.ts";
import { checkTestMail, hasPostmasterMailSince } from "../../../../server/features/operator/testMail.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { startDnsStub } from "../../support/dnsStub.ts";
import { maskDomain, type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { readQueue, withContent } from "../../support/queue.ts";

const mail = "From: Shop <orders@shop.example>\r\nSubject: Complaint\r\n\r\nHello.\r\n";

describe("Mail to the postmaster", () => {
  onEachDatabase(({ database }) => {
    let relay: RunningListener;

    beforeEach(async () => {
      relay = await startListener(database());
    });
    afterEach(() => relay.close());

    const queued = () => readQueue(database().db);
    const send = async (recipients: readonly string[], content = mail): Promise<string> =>
      (await relay.connect()).mail("orders@shop.example", recipients, content);

    it("is accepted under every name that RFC 5321 and RFC 2142 require", async () => {
      for (const name of [`postmaster@${maskDomain}`, `Abuse@${maskDomain}`, "Postmaster"])
        expect(await send([name]), name).to.match(/^250/);
      const rows = await queued();
      expect(rows.map(({ user_id, recipient }) => ({ user_id, recipient }))).to.deep.equal(
        Array(3).fill({ user_id: null, recipient: `postmaster@${maskDomain}` }),
      );
      expect(Buffer.from(rows[0]?.content ?? []).toString()).to.contain("Subject: Complaint\r\n");
      expect(rows[0]?.envelope_sender).to.equal(`bounces@${maskDomain}`);
    });

    it("goes to the address that the operator configures, once for each mail", async () => {
      await relay.close();
      relay = await startListener(database(), undefined, { postmaster: "ops@home.example" });
      expect(await send([`postmaster@${maskDomain}`, `abuse@${maskDomain}`])).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.deep.equal(["ops@home.example"]);
    });

    it("is what a test mail of the operator waits for, which comes in as that of others does", async () => {
      const check = await checkTestMail({
        transport: createNextHopTransport(
          { host: "127.0.0.1", port: relay.port, secure: false },
          maskDomain,
          1,
        ),
        hasComeSince: (since) => hasPostmasterMailSince(database().db, `postmaster@${maskDomain}`, since),
        sender: { brand: "Masks", maskDomain, publicUrl: "https://masks.example" },
        advice: "",
        clock: relay.clock,
        random: cryptoRandom,
      });
      expect(check.is).to.match(/^came in after \d+ s, and is forwarded to you$/);
    });

    it("can name masks as well, which count for their owner as usual", async () => {
      const owner = await addOwner(database().db);
      const mask = await addMask(database().db, owner);
      expect(await send([`postmaster@${maskDomain}`, mask.email])).to.match(/^250/);
      expect((await queued()).map(({ recipient }) => recipient)).to.have.members([
        owner.email,
        `postmaster@${maskDomain}`,
      ]);
      const usage = await database()
        .db.selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select(["user_id", "received"])
        .execute();
      expect(usage).to.deep.equal([{ user_id: owner.id, received: 1 }]);
    });

    it("is refused at the name of another domain only", async () => {
      expect(await send(["postmaster@elsewhere.example"])).to.match(/^550 5\.7\.1 /);
    });

    it("is deferred after the thirtieth mail of an hour, and accepted again later", async () => {
      const client = await relay.connect();
      for (let sent = 0; sent < 30; sent += 1)
        expect(await client.mail("a@b.example", [`postmaster@${maskDomain}`], mail)).to.match(/^250/);
      expect(await client.mail("a@b.example", [`postmaster@${maskDomain}`], mail)).to.match(/^450 4\.2\.1 /);
      await relay.clock.advance(hourMs);
      expect(await send([`postmaster@${maskDomain}`])).to.match(/^250/);
    });

    it("of one network leaves room for others, and where all is used up for proven senders", async () => {
      const dns = await startDnsStub({
        "shop.example": { TXT: ["v=spf1 ip4:127.0.0.0/8 -all"] },
        "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
      });
      try {
        await relay.close();
        relay = await startListener(database(), undefined, { dnsServer: dns.address, trustedNetworks: [] });
        const from = async (localAddress: string, sender: string): Promise<string> =>
          (await relay.connect(undefined, localAddress)).mail(
            sender,
            [`postmaster@${maskDomain}`],
            `From: ${sender}\r\nSubject: Hello\r\n\r\nHello.\r\n`,
          );
        const flood = async (network: number): Promise<readonly string[]> => {
          const answers: string[] = [];
          for (let n = 0; n < 6; n += 1) answers.push(await from(`127.0.${network}.1`, "a@junk.example"));
          return answers;
        };
        const [, , , , fifth, sixth] = await flood(1);
        expect(fifth).to.match(/^250/);
        expect(sixth).to.match(/^450 4\.2\.1 /);
        expect(await from("127.0.2.1", "b@junk.example"), "from elsewhere").to.match(/^250/);
        for (let network = 3; network < 9; network += 1) await flood(network);
        expect(await from("127.0.20.1", "b@junk.example"), "no proof").to.match(/^450/);
        expect(await from("127.0.20.1", "orders@shop.example"), "proven").to.match(/^250/);
      } finally {
        await dns.close();
      }
    });

    it("is refused when it is larger than 1 MiB, with its size announced or not", async () => {
      const large = `${mail}${`${"x".repeat(998)}\r\n`.repeat(1_100)}`;
      expect(await send([`postmaster@${maskDomain}`], large)).to.match(/^552 5\.3\.4 /);
      const client = await relay.connect();
      await client.say("MAIL FROM:<a@b.example> SIZE=2000000");
      expect(await client.say(`RCPT TO:<postmaster@${maskDomain}>`)).to.match(/^552 5\.3\.4 /);
      expect(await queued()).to.deep.equal([]);
    });
  });

  it("stays in the outbox when no address is configured, while all other mail leaves", async () => {
    const went: string[] = [];
    const to = (place: string) => ({
      send: async ({ recipient }: { readonly recipient: string }) => {
        went.push(`${recipient} ${place}`);
        return { kind: "delivered" as const, answer: "" };
      },
      abort: () => went.push(`${place} abandoned`),
    });
    const transport = createPostmasterTransport("postmaster@masks.example", {
      sending: to("sent"),
      outbox: to("kept"),
    });
    const leaving = { id: "a", envelopeSender: "", createdAt: 0 };
    for (const recipient of ["postmaster@masks.example", "ada@home.example"])
      await transport.send(withContent({ ...leaving, recipient }, new Uint8Array()));
    transport.abort();
    expect(went).to.deep.equal([
      "postmaster@masks.example kept",
      "ada@home.example sent",
      "sent abandoned",
      "kept abandoned",
    ]);
  });
});
