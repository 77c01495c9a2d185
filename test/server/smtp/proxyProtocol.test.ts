import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { createTransport } from "nodemailer";
import { pino } from "pino";
import { isLoopback } from "../../../server/platform/ops/networkOf.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type DnsStub, startDnsStub } from "../support/dnsStub.ts";
import { maskDomain, type RunningListener, startListener } from "../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../support/owners.ts";
import { plainMail } from "../support/plainMail.ts";
import { localHeader, proxied } from "../support/proxyHeaders.ts";
import { readQueue } from "../support/queue.ts";
import { secrets } from "../support/secrets.ts";
import { connectSmtp, type SmtpClient } from "../support/smtpClient.ts";
import { addAppPassword, startSubmission, useCertificate } from "../support/submissionServer.ts";
import { until } from "../support/until.ts";

/** An address of this machine from which no balancer connects. */
const elsewhere = "127.0.0.9";

describe("Mail through a balancer that speaks the PROXY protocol", () => {
  const certificate = useCertificate();

  onEachDatabase(({ database }) => {
    let dns: DnsStub;
    let relay: RunningListener;
    let owner: Owner;
    let mask: TestMask;
    let logged: string[];
    let clients: { readonly destroy: () => void }[];

    beforeEach(async () => {
      dns = await startDnsStub({
        "shop.example": { TXT: ["v=spf1 ip4:192.0.2.7 ip6:2001:db8::/64 -all"] },
        "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
      });
      logged = [];
      clients = [];
      owner = await addOwner(database().db);
      mask = await addMask(database().db, owner);
      relay = await startListener(database(), undefined, {
        dnsServer: dns.address,
        trustedNetworks: ["loopback"],
        isBalancer: (address) => isLoopback(address) && address !== elsewhere,
        isTrustedClient: isLoopback,
        secureContext: () => certificate().context,
        secrets,
        log: pino({ level: "warn" }, { write: (line: string) => void logged.push(line) }),
      });
    });
    afterEach(async () => {
      for (const client of clients) client.destroy();
      await relay.close();
      await dns.close();
    });

    const through = async (header: Uint8Array): Promise<SmtpClient> => {
      const client = await connectSmtp(relay.port, "EHLO client.example", "127.0.0.1", header);
      clients.push(client);
      return client;
    };
    const failure = (work: Promise<unknown>): Promise<string> => work.then(() => "greeted", String);
    const fromShop = plainMail.replace(/^From: .*$/m, "From: shop@shop.example");

    it("is checked by the sender's address, over IPv4 and IPv6, and says it in Received", async () => {
      const from = async (address: string): Promise<string> =>
        (await through(proxied(address))).mail("shop@shop.example", [mask.email], fromShop);
      expect(await from("192.0.2.7")).to.match(/^250/);
      expect(await from("2001:db8::7")).to.match(/^250/);
      expect(await from("192.0.2.8")).to.match(/^5/);
      const stored = (await readQueue(database().db)).map(({ content }) => content.toString());
      expect(stored).to.have.lengthOf(2);
      expect(stored.filter((one) => one.includes("[192.0.2.7]"))).to.have.lengthOf(1);
    });

    it("counts for the limits of the sender's network, not of the balancer's", async () => {
      for (let n = 0; n < 50; n += 1) await through(proxied("192.0.2.7"));
      const client = await through(proxied("198.51.100.1"));
      expect(await client.say("NOOP")).to.match(/^250/);
      const socket = connect({ port: relay.port, host: "127.0.0.1" });
      clients.push(socket);
      socket.write(proxied("192.0.2.7"));
      const [refusal] = await once(socket, "data");
      expect(String(refusal)).to.match(/^421 4\.7\.0 Too many connections/);
    });

    it("is greeted when the header comes in pieces, and not before it is whole", async () => {
      const header = proxied("192.0.2.7", Buffer.alloc(20));
      const socket = connect({ port: relay.port, host: "127.0.0.1", noDelay: true });
      clients.push(socket);
      let heard = "";
      socket.on("data", (bytes) => {
        heard += bytes;
      });
      for (const byte of header) {
        expect(heard).to.equal("");
        await new Promise<void>((resolve) => socket.write(Buffer.from([byte]), () => resolve()));
      }
      await until("it is greeted", () => heard.startsWith("220 "));
    });

    it("is cut off when the balancer sends no header, or something else, and the log says so once", async () => {
      expect(await failure(through(Buffer.from("EHLO a.example\r\n")))).to.contain("hung up");
      expect(await failure(through(Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 1 25\r\n")))).to.contain(
        "hung up",
      );
      expect(logged.filter((line) => line.includes("SMTP_PROXY_PROTOCOL_FROM"))).to.have.lengthOf(1);
      const waiting = connect({ port: relay.port, host: "127.0.0.1" });
      clients.push(waiting);
      const closed = once(waiting, "close");
      waiting.resume().write(proxied("192.0.2.7").subarray(0, 20));
      await once(waiting, "connect");
      await until("it is cut off", async () => {
        await relay.clock.advance(1_000);
        return waiting.closed || waiting.readableEnded;
      });
      waiting.destroy();
      await closed;
    });

    it("is refused with a header from anywhere else", async () => {
      const refused = connectSmtp(relay.port, "NOOP", elsewhere, proxied("192.0.2.7"));
      expect(await failure(refused)).to.contain("hung up");
      const plain = await connectSmtp(relay.port, "EHLO client.example", elsewhere);
      clients.push(plain);
      expect(await plain.say("NOOP")).to.match(/^250/);
    });

    it("is refused when the client speaks before the greeting, also right behind the header", async () => {
      const early = Buffer.concat([proxied("192.0.2.7"), Buffer.from("EHLO a.example\r\n")]);
      expect(await failure(through(early).then((client) => client.reply()))).to.contain("hung up");
    });

    it("greets the balancer itself, which checks whether the server lives", async () => {
      expect(await (await through(localHeader)).say("NOOP")).to.match(/^250/);
    });

    for (const startsWithTls of [false, true])
      it(`is sent by mail programs over ${startsWithTls ? "TLS" : "STARTTLS"}`, async () => {
        const submission = await startSubmission(database(), relay, certificate(), {
          startsWithTls,
          isBalancer: isLoopback,
        });
        const socket = connect({ port: submission.port, host: "127.0.0.1" });
        await once(socket, "connect");
        socket.write(proxied("192.0.2.7"));
        const program = createTransport({
          connection: socket,
          secure: startsWithTls,
          requireTLS: true,
          auth: { user: owner.email, pass: await addAppPassword(database(), owner) },
          tls: { ca: certificate().ca, servername: maskDomain },
        });
        await program.sendMail({
          from: mask.email,
          to: "bob@shop.example",
          subject: "An order",
          text: "Yes.",
        });
        program.close();
        await submission.close();
        expect(await readQueue(database().db)).to.have.lengthOf(1);
      });
  });
});
