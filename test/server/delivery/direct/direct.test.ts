import { spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import { createDirectTransport } from "../../../../server/delivery/direct/directTransport.ts";
import { DomainLimits } from "../../../../server/delivery/direct/domainLimits.ts";
import { createDirectDelivery, createFindMxRoute } from "../../../../server/delivery/direct/findMxRoute.ts";
import { createFindServers } from "../../../../server/delivery/direct/findServers.ts";
import type { TlsPolicy } from "../../../../server/delivery/direct/tlsPolicyQueries.ts";
import { createTlsSessionCounts } from "../../../../server/delivery/direct/tlsSessions.ts";
import { toReturnPath } from "../../../../server/delivery/serviceAddresses.ts";
import type { DeliveryOutcome, Transport } from "../../../../server/delivery/transport.ts";
import { createDnsCache } from "../../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../../server/platform/dns/dnsClient.ts";
import { named } from "../../../support/domainNames.ts";
import { freePort } from "../../../support/freePort.ts";
import { skipWithout } from "../../../support/missing.ts";
import { type Certificate, createTestAuthority, type TestAuthority } from "../../support/certificates.ts";
import { type DnsStub, startDnsStub, type Zone } from "../../support/dnsStub.ts";
import {
  type Behavior,
  type MisbehavingServer,
  startMisbehavingServer,
} from "../../support/misbehavingServer.ts";
import { until } from "../../support/until.ts";

const content = Buffer.from("Subject: x\r\n\r\nx\r\n");
const [patientMs, impatientMs] = [20_000, 300];

const good: Behavior = async (visit) => {
  await visit.hello();
  await visit.serve();
};
const silent: Behavior = (visit) => visit.hang();

describe("Delivery to the mail servers of the recipients", () => {
  let dns: DnsStub;
  let servers: MisbehavingServer[];
  let transports: Transport[];
  let sessions: ReturnType<typeof createTlsSessionCounts>;
  let port: number;
  let lastHost: number;
  const policies = new Map<string, TlsPolicy>();

  beforeEach(async () => {
    dns = await startDnsStub({});
    servers = [];
    transports = [];
    sessions = createTlsSessionCounts();
    port = await freePort();
    lastHost = 1;
    policies.clear();
  });
  afterEach(async () => {
    for (const transport of transports) transport.abort();
    for (const server of servers) await server.close();
    await dns.close();
  });

  /** Starts a mail server on a loopback address of its own, and on the port of all. */
  const listen = async (
    behavior: Behavior,
    host = `127.0.0.${++lastHost}`,
  ): Promise<MisbehavingServer & { readonly host: string }> => {
    const server = await startMisbehavingServer(behavior, { host, port });
    ({ port } = server);
    servers.push(server);
    return { ...server, host };
  };

  /** A domain whose mail servers are these, by priority. */
  const domainOf = (domain: string, ...hosts: readonly string[]): Zone =>
    Object.fromEntries([
      [domain, { MX: hosts.map((_, index) => `${index} mx${index}.${domain}`) }],
      ...hosts.map((host, index) => [
        `mx${index}.${domain}`,
        { [host.includes(":") ? "AAAA" : "A"]: [host] },
      ]),
    ]);

  const start = (zone: Zone, { timeoutMs = patientMs, trustsResolver = true } = {}): Transport => {
    dns.zone = zone;
    const lookUp = createDnsCache(createDnsClient(dns.address), Date);
    const random = { fraction: () => 0 };
    const transport = createDirectDelivery({
      findMxRoute: createFindMxRoute({
        findServers: createFindServers({
          lookUp,
          random,
          isOwnName: (name) => name === "masks.example",
          isOwnAddress: () => false,
          isAllowed: () => true,
        }),
        tlsPolicies: { find: async (domain) => policies.get(domain) ?? null },
        lookUp,
        isResolverTrusted: trustsResolver,
        port,
        own: { domain: named("masks.example"), address: "127.0.0.1", port },
        onSession: sessions.add,
      }),
      providerLimits: { run: (_, __, send) => send() },
      limits: new DomainLimits({
        maxInProgress: 20,
        perMinute: 1_000,
        maxUnproven: 50,
        maxUnprovenBytes: 1_000_000,
        clock: Date,
        random,
      }),
      transport: createDirectTransport(
        {
          name: "masks.example",
          connections: 3,
          sources: [],
          tellsTls: false,
          timeouts: {
            connectMs: timeoutMs,
            greetingMs: timeoutMs,
            commandMs: timeoutMs,
            blockMs: timeoutMs,
            contentMs: timeoutMs,
            idleMs: patientMs,
            freshMs: patientMs,
          },
        },
        sessions.add,
      ),
    });
    transports.push(transport);
    return transport;
  };

  let mails = 0;
  const send = (transport: Transport, recipient: string): Promise<DeliveryOutcome> => {
    mails += 1;
    return transport.send({
      id: `mail${mails}`,
      envelopeSender: "bounces@masks.example",
      recipient,
      size: content.length,
      chunks: () => [content],
      createdAt: 0,
    });
  };
  const sendTo = async (zone: Zone, options: Parameters<typeof start>[1] = {}): Promise<string> => {
    const { kind, answer } = await send(start(zone, options), "someone@home.example");
    return `${kind} ${answer}`;
  };
  const results = (): readonly string[] =>
    sessions.read().map(({ policy, result, count }) => `${policy} ${result} ${count}`);
  const gotMail = ({ heard }: MisbehavingServer): boolean => heard.some((line) => line.startsWith("MAIL"));

  it("reaches the first server, with our name, and a return path that identifies the mail", async () => {
    const [first, second] = [await listen(good), await listen(good)];
    expect(await sendTo(domainOf("home.example", first.host, second.host))).to.match(/^delivered 250/);
    expect(first.heard.slice(0, 3)).to.deep.equal([
      "EHLO masks.example",
      `MAIL FROM:<${toReturnPath("bounces@masks.example", `mail${mails}`)}>`,
      "RCPT TO:<someone@home.example>",
    ]);
    expect(second.connections()).to.equal(0);
  });

  it("reaches the next server when the first one hangs, refuses, or is not there", async () => {
    const behaviors: readonly Behavior[] = [
      silent,
      async (visit) => visit.say("554 no service\r\n"),
      async (visit) => visit.say("421 too busy\r\n"),
      async () => {},
    ];
    const hosts = [];
    for (const behavior of behaviors) hosts.push((await listen(behavior)).host);
    const last = await listen(good);
    const zone = domainOf("home.example", "127.0.0.250", ...hosts, last.host);
    expect(await sendTo(zone, { timeoutMs: impatientMs })).to.match(/^delivered/);
    expect(gotMail(last)).to.equal(true);
  });

  it("is given up when every server of the domain greets with 521 or 554, and kept otherwise", async () => {
    const hosts = [];
    for (const code of [521, 554])
      hosts.push((await listen(async (visit) => visit.say(`${code} no mail here\r\n`))).host);
    const transport = start(domainOf("home.example", ...hosts));
    for (const attempt of ["first", "again"])
      expect(await send(transport, "someone@home.example"), attempt).to.deep.equal({
        kind: "permanent",
        answer: "556 5.1.10 No mail server of the domain takes mail",
      });
    const busy = await listen(async (visit) => visit.say("421 too busy\r\n"));
    expect(await sendTo(domainOf("home.example", ...hosts, busy.host))).to.match(/^temporary .*421 too busy/);
    expect(await sendTo(domainOf("home.example", busy.host, ...hosts))).to.match(/^temporary .*554 no mail/);
  });

  it("reaches a server that has IPv6 only", async function () {
    const server = await listen(good, "::1").catch(() => skipWithout(this, "IPv6"));
    expect(await sendTo(domainOf("home.example", "::1"))).to.match(/^delivered/);
    expect(gotMail(server)).to.equal(true);
  });

  it("gives each recipient its own result", async () => {
    const server = await listen(async (visit) => {
      await visit.hello();
      let hasRecipient = false;
      for (let line = await visit.line(); line !== null; line = await visit.line()) {
        if (line.startsWith("RCPT")) {
          const refused = ["550 5.1.1 gone", "452 4.2.2 full"].find((reply) =>
            line?.includes(reply.slice(10)),
          );
          hasRecipient = refused === undefined;
          visit.say(`${refused ?? "250 ok"}\r\n`);
        } else if (line.startsWith("DATA")) {
          visit.say(hasRecipient ? "354 go on\r\n" : "503 5.5.1 no recipient\r\n");
          if (!hasRecipient) continue;
          await visit.content();
          visit.say("250 ok\r\n");
        } else visit.say("250 ok\r\n");
      }
    });
    const transport = start(domainOf("home.example", server.host));
    const kinds = await Promise.all(
      ["gone", "full", "fine"].map(async (name) => (await send(transport, `${name}@home.example`)).kind),
    );
    expect(kinds).to.deep.equal(["permanent", "temporary", "delivered"]);
  });

  it("shares connections among the domains of one server", async () => {
    const server = await listen(good);
    const zone: Zone = {
      "one.example": { MX: ["0 mx.host.example"] },
      "two.example": { MX: ["0 mx.host.example"] },
      "mx.host.example": { A: [server.host] },
    };
    const transport = start(zone);
    for (const domain of ["one.example", "two.example", "one.example"])
      expect((await send(transport, `a@${domain}`)).kind).to.equal("delivered");
    expect(server.connections()).to.equal(1);
  });

  it("brings mail from one mask to another to our own listener", async () => {
    const server = await listen(good, "127.0.0.1");
    const transport = start({});
    expect((await send(transport, "other@masks.example")).kind).to.equal("delivered");
    expect(gotMail(server)).to.equal(true);
    expect(dns.queries).to.deep.equal([]);
  });

  it("refuses at once what DNS says cannot be delivered", async () => {
    await listen(good);
    expect(await sendTo({ "home.example": { MX: ["0 ."] } })).to.match(/^permanent 556 5\.1\.10/);
    expect(await sendTo({ "home.example": { MX: ["0 masks.example"] } })).to.match(/^permanent 550 5\.4\.6/);
    expect(await sendTo({ "home.example": "SERVFAIL" })).to.match(/^temporary 451 4\.4\.3/);
  });

  describe("keeps a mail for later when a server", () => {
    const isKept = async (behavior: Behavior, words: RegExp): Promise<void> => {
      const server = await listen(behavior);
      const result = await sendTo(domainOf("home.example", server.host), { timeoutMs: impatientMs });
      expect(result).to.match(/^temporary /);
      expect(result).to.match(words);
    };
    const onCommand =
      (command: string, what: (visit: Parameters<Behavior>[0]) => unknown): Behavior =>
      async (visit) => {
        await visit.hello();
        for (
          let line = await visit.line();
          line !== null && !line.startsWith(command);
          line = await visit.line()
        )
          visit.say("250 ok\r\n");
        await what(visit);
        await visit.hang();
      };

    it("hangs", () => isKept(silent, /ETIMEDOUT/));
    it("says 421 in the middle", () =>
      isKept(
        onCommand("RCPT", (visit) => visit.say("421 4.3.2 bye\r\n")),
        /421 4\.3\.2/,
      ));
    it("replies without end", () =>
      isKept(
        onCommand("MAIL", (visit) => visit.say("250-more\r\n".repeat(1_000))),
        /EPROTOCOL/,
      ));
    it("closes the connection after the content", () =>
      isKept(
        onCommand("DATA", async (visit) => {
          visit.say("354 go on\r\n");
          await visit.content();
          visit.close();
        }),
        /ECONNECTION/,
      ));
    it("answers a letter at a time", () =>
      isKept(
        onCommand("MAIL", (visit) => visit.trickle("2")),
        /ETIMEDOUT|EPROTOCOL/,
      ));
  });

  it("holds up no other domain while one hangs", async () => {
    const [slow, quick] = [await listen(silent), await listen(good)];
    const transport = start({
      ...domainOf("slow.example", slow.host),
      ...domainOf("home.example", quick.host),
    });
    const hanging = Array.from({ length: 30 }, () => send(transport, "a@slow.example"));
    await until("the slow one is tried", () => slow.connections() > 0);
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(transport, "b@home.example")));
    expect(sent.map(({ kind }) => kind)).to.deep.equal(Array(8).fill("delivered"));
    expect(slow.connections(), "few connections to a server that does not answer").to.be.at.most(3);
    transport.abort();
    const kinds = new Set((await Promise.all(hanging)).map(({ kind }) => kind));
    expect([...kinds].sort()).to.deep.equal(["postponed", "temporary"]);
  });

  it("tries a domain that does not answer no more for a while", async () => {
    const server = await listen(async () => {});
    const transport = start(domainOf("home.example", server.host));
    expect((await send(transport, "a@home.example")).kind).to.equal("temporary");
    const later = await send(transport, "b@home.example");
    expect(later).to.include({ kind: "postponed" });
    expect(later.answer).to.match(/ECONNECTION/);
    expect(server.connections()).to.equal(1);
  });

  describe("with TLS", () => {
    let authority: TestAuthority;
    let right: Certificate;
    let wrong: Certificate;
    const usual = getCACertificates("default");

    before(function () {
      if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
      authority = createTestAuthority();
      right = authority.issue("mx0.home.example");
      wrong = authority.issue("elsewhere.example");
      setDefaultCACertificates([...usual, authority.cert]);
    });
    after(() => setDefaultCACertificates(usual));

    const secured =
      (certificate: () => Certificate): Behavior =>
      async (visit) => {
        await visit.hello("STARTTLS");
        if ((await visit.until("STARTTLS")).at(-1) !== "STARTTLS") return;
        visit.say("220 ready\r\n");
        visit.secure(certificate());
        await visit.serve();
      };
    const injecting: Behavior = async (visit) => {
      await visit.hello("STARTTLS");
      await visit.until("STARTTLS");
      visit.say("220 ready\r\n250 injected\r\n");
      await visit.serve();
    };
    /** Fails the handshake, and takes mail without TLS on the next connection. */
    const breaking: Behavior = async (visit, index) => {
      await visit.hello("STARTTLS");
      if (index > 0) return visit.serve();
      await visit.until("STARTTLS");
      visit.say("220 ready\r\n");
      visit.secure({ cert: "", key: "" });
      return visit.hang();
    };
    const publish = (mode: TlsPolicy["mode"], ...names: readonly string[]): void => {
      policies.set("home.example", {
        id: "1",
        mode,
        servers: names.length > 0 ? names : ["mx0.home.example"],
        fetchedAt: 0,
        expiresAt: Number.MAX_SAFE_INTEGER,
      });
    };

    const tlsa = (usage: number, certificate: string): string => {
      const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
      return `0${usage}0101${createHash("sha256").update(key).digest("hex")}`;
    };
    /** A domain with TLSA records, all protected by DNSSEC. */
    const withDane = (host: string, ...records: readonly string[]): Zone => {
      dns.authentic = ["home.example"];
      return { ...domainOf("home.example", host), [`_${port}._tcp.mx0.home.example`]: { TLSA: records } };
    };

    it("takes any certificate, and none, from a domain without a policy", async () => {
      for (const behavior of [secured(() => wrong), good, breaking]) {
        const server = await listen(behavior);
        expect(await sendTo(domainOf("home.example", server.host))).to.match(/^delivered/);
      }
      expect(results()).to.deep.equal([
        "none success 1",
        "none starttls-not-supported 1",
        "none validation-failure 1",
      ]);
    });

    it("sends nothing to a server that speaks before TLS begins, with a policy or without", async () => {
      for (const isEnforced of [false, true]) {
        if (isEnforced) publish("enforce");
        const server = await listen(injecting);
        expect(await sendTo(domainOf("home.example", server.host))).to.match(/^temporary (?:EPROTOCOL|ETLS)/);
        expect(gotMail(server)).to.equal(false);
      }
    });

    it("takes a valid certificate of a server that the policy names", async () => {
      publish("enforce");
      const server = await listen(secured(() => right));
      expect(await sendTo(domainOf("home.example", server.host))).to.match(/^delivered/);
      expect(results()).to.deep.equal(["sts success 1"]);
    });

    it("sends nothing in clear and nothing to a wrong certificate when the policy is enforced", async () => {
      publish("enforce");
      for (const [behavior, result] of [
        [secured(() => wrong), "certificate-host-mismatch"],
        [good, "starttls-not-supported"],
        [breaking, "validation-failure"],
      ] as const) {
        const server = await listen(behavior);
        expect(await sendTo(domainOf("home.example", server.host)), result).to.match(/^temporary ETLS/);
        expect(gotMail(server), result).to.equal(false);
        expect(results().at(-1)).to.equal(`sts ${result} 1`);
      }
    });

    it("passes over servers that an enforced policy does not name", async () => {
      const [first, second] = [await listen(good), await listen(secured(() => right))];
      const zone: Zone = {
        "home.example": { MX: ["0 evil.example", "1 mx0.home.example"] },
        "evil.example": { A: [first.host] },
        "mx0.home.example": { A: [second.host] },
      };
      publish("enforce");
      expect(await sendTo(zone)).to.match(/^delivered/);
      expect([gotMail(first), gotMail(second)]).to.deep.equal([false, true]);
      publish("enforce", "mx.other.example");
      expect(await sendTo(zone)).to.match(/^temporary 451 4\.7\.5/);
    });

    it("only counts what a policy in testing would have prevented", async () => {
      publish("testing");
      for (const behavior of [secured(() => wrong), good]) {
        const server = await listen(behavior);
        expect(await sendTo(domainOf("home.example", server.host))).to.match(/^delivered/);
      }
      expect(results()).to.deep.equal(["sts certificate-host-mismatch 1", "sts starttls-not-supported 1"]);
    });

    it("takes the certificate that DANE names, of the server or of its issuer", async () => {
      const stranger = createTestAuthority();
      const own = stranger.issue("mx0.home.example");
      const server = await listen(secured(() => own));
      expect(await sendTo(withDane(server.host, tlsa(3, own.cert)))).to.match(/^delivered/);
      expect(await sendTo(withDane(server.host, tlsa(2, stranger.cert)))).to.match(/^delivered/);
      expect(results()).to.deep.equal(["dane success 2"]);
    });

    describe("whose name is an alias", () => {
      const target = "mail.host.example";
      const tlsaAt = (name: string): string => `_${port}._tcp.${name}`;
      /** A domain whose mail server is an alias, with TLSA records by name. */
      const aliased = (host: string, records: Readonly<Record<string, string>>): Zone => ({
        "home.example": { MX: ["0 mx0.home.example"] },
        "mx0.home.example": { CNAME: [target] },
        [target]: { A: [host] },
        ...Object.fromEntries(
          Object.entries(records).map(([name, record]) => [tlsaAt(name), { TLSA: [record] }]),
        ),
      });

      it("takes the certificate that DANE names at its target, which goes before the alias", async () => {
        dns.authentic = ["home.example", "host.example"];
        const stranger = createTestAuthority();
        const own = stranger.issue(target);
        const askedFor: string[] = [];
        const noting = {
          ...own,
          SNICallback: (name: string, answer: (error: null) => void) => {
            askedFor.push(name);
            answer(null);
          },
        };
        const server = await listen(secured(() => noting));
        const send = (records: Readonly<Record<string, string>>) => sendTo(aliased(server.host, records));
        expect(await send({ [target]: tlsa(3, own.cert) })).to.match(/^delivered/);
        expect(await send({ [target]: tlsa(2, stranger.cert) }), "by its issuer").to.match(/^delivered/);
        expect(await send({ [target]: tlsa(3, right.cert), "mx0.home.example": tlsa(3, own.cert) })).to.match(
          /^temporary ETLS: DANE/,
        );
        expect(await send({ "mx0.home.example": tlsa(3, right.cert) }), "at the alias").to.match(
          /^temporary ETLS: DANE/,
        );
        expect(results()).to.deep.equal(["dane success 2", "dane validation-failure 2"]);
        expect(askedFor).to.deep.equal([target, target, target, "mx0.home.example"]);
      });

      it("is believed at the alias alone where DNSSEC does not protect the target", async () => {
        const server = await listen(secured(() => wrong));
        const send = (records: Readonly<Record<string, string>>) => sendTo(aliased(server.host, records));
        dns.authentic = ["home.example"];
        expect(await send({ [target]: tlsa(3, right.cert) })).to.match(/^delivered/);
        expect(await send({ "mx0.home.example": tlsa(3, right.cert) })).to.match(/^temporary ETLS: DANE/);
        expect(await send({ "mx0.home.example": tlsa(3, wrong.cert) })).to.match(/^delivered/);
        dns.authentic = ["host.example"];
        expect(await send({ [target]: tlsa(3, right.cert) }), "an unprotected MX").to.match(/^delivered/);
      });

      it("sends nothing when DNS does not answer for the target", async () => {
        dns.authentic = ["home.example", "host.example"];
        const server = await listen(secured(() => right));
        const zone = { ...aliased(server.host, {}), [tlsaAt(target)]: "SERVFAIL" } as const;
        expect(await sendTo(zone)).to.match(/^temporary 451 4\.4\.3/);
      });
    });

    it("sends nothing when no certificate matches DANE, or the name is wrong, or there is no TLS", async () => {
      const server = await listen(secured(() => wrong));
      expect(await sendTo(withDane(server.host, tlsa(3, right.cert)))).to.match(/^temporary ETLS: DANE/);
      expect(await sendTo(withDane(server.host, tlsa(2, authority.cert))), "another name").to.match(
        /^temporary ETLS: DANE: .*name/,
      );
      const plain = await listen(good);
      expect(await sendTo(withDane(plain.host, tlsa(3, right.cert)))).to.match(/^temporary ETLS/);
      expect([gotMail(server), gotMail(plain)]).to.deep.equal([false, false]);
    });

    it("sends nothing when DNS does not answer whether there is DANE", async () => {
      const server = await listen(good);
      const zone = { ...withDane(server.host), [`_${port}._tcp.mx0.home.example`]: "SERVFAIL" } as const;
      expect(await sendTo(zone)).to.match(/^temporary 451 4\.4\.3/);
      expect(gotMail(server)).to.equal(false);
    });

    it("asks for TLS, with any certificate, when no record of DANE is usable", async () => {
      const unusable = tlsa(1, right.cert);
      const server = await listen(secured(() => wrong));
      expect(await sendTo(withDane(server.host, unusable))).to.match(/^delivered/);
      const plain = await listen(good);
      expect(await sendTo(withDane(plain.host, unusable))).to.match(/^temporary ETLS/);
    });

    it("ignores TLSA records that DNSSEC does not protect, and a resolver that is not trusted", async () => {
      const server = await listen(secured(() => wrong));
      const zone = withDane(server.host, tlsa(3, right.cert));
      expect(await sendTo(zone, { trustsResolver: false })).to.match(/^delivered/);
      dns.authentic = [];
      expect(await sendTo(zone)).to.match(/^delivered/);
    });

    it("lets no policy overrule DANE", async () => {
      publish("enforce");
      const server = await listen(secured(() => right));
      expect(await sendTo(withDane(server.host, tlsa(3, wrong.cert)))).to.match(/^temporary ETLS: DANE/);
    });
  });
});
