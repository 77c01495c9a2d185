import { execFileSync, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Check } from "../../../../server/features/operator/check.ts";
import { checkBlockLists, checkDnssec } from "../../../../server/features/operator/dnsChecks.ts";
import { checkInbound } from "../../../../server/features/operator/inboundCheck.ts";
import { checkNames, createResolver } from "../../../../server/features/operator/installationChecks.ts";
import { checkBackups, checkClock, checkDisk } from "../../../../server/features/operator/machineChecks.ts";
import {
  checkCertificate,
  checkMtaStsPolicy,
  checkServer,
  checkSmtp,
} from "../../../../server/features/operator/networkChecks.ts";
import { createDnsClient } from "../../../../server/platform/dns/dnsClient.ts";
import { named } from "../../../support/domainNames.ts";
import { freePort } from "../../../support/freePort.ts";
import { skipWithout } from "../../../support/missing.ts";
import { bauta } from "../../cli/support.ts";
import { startDnsStub } from "../../support/dnsStub.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

const ntpEpochSeconds = 2_208_988_800;
const now = Date.UTC(2026, 10, 20);

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port;

describe("bauta doctor", () => {
  const folder = useTemporaryFolder();
  let closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing) close();
    closing = [];
  });

  const listening = async <S extends Server>(server: S): Promise<number> => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    closing.push(() => void server.close());
    return portOf(server);
  };
  const mailServer = (greeting: string): Promise<number> =>
    listening(createServer((socket) => socket.on("error", () => {}).end(greeting)));
  /** Answers with a time in milliseconds since 1970, or with too few bytes. */
  const timeServer = async (time: number | null): Promise<number> => {
    const socket = createSocket("udp4");
    socket.on("message", (_packet, from) => {
      const answer = Buffer.alloc(time === null ? 7 : 48);
      if (time !== null) answer.writeUInt32BE(Math.floor(time / 1_000) + ntpEpochSeconds, 40);
      socket.send(answer, from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    closing.push(() => socket.close());
    return portOf(socket);
  };
  const health = (status: number, parts: object): Promise<number> =>
    listening(
      createHttpServer((_request, response) =>
        response.writeHead(status).end(JSON.stringify({ status: "", parts })),
      ),
    );

  it("says how much room the disk has, and refuses less than a gigabyte and a folder that is missing", async () => {
    expect(await checkDisk("/proc")).to.include({ state: "problem", is: "0.0 GB free" });
    const missing = await checkDisk(join(folder(), "missing"));
    expect([missing.state, missing.advice]).to.deep.equal([
      "problem",
      "Start the server once, or set DATA_DIR to its folder",
    ]);
  });

  it("says how old the newest backup is", async () => {
    const backups = join(folder(), "backups");
    expect(await checkBackups(backups, now)).to.include({ state: "warning", is: "none" });
    await mkdir(backups);
    for (const [name, days, expected] of [
      ["a.gz", 3, { state: "warning", is: "3 days old" }],
      ["b.gz", 1, { state: "ok", is: "of yesterday" }],
      ["c.gz", 0, { state: "ok", is: "of today" }],
      ["d.gz.pgp", -1 / 24, { state: "ok", is: "of today" }],
    ] as const) {
      await writeFile(join(backups, name), "");
      const at = new Date(now - days * dayMs);
      await utimes(join(backups, name), at, at);
      expect(await checkBackups(backups, now)).to.include(expected);
    }
  });

  it("says whether somebody else could hand over mail by HTTP", () => {
    const url = "https://mail.example.org";
    const random = "9f86d081884c7d659a2feaa0c55ad015";
    expect(checkInbound(random, url)).to.include({ state: "ok", is: `at ${url}/inbound/…` });
    expect(checkInbound(random, "http://mail.example.org").is).to.equal("PUBLIC_URL is not https");
    expect(checkInbound(random.slice(1), url).is).to.equal("the secret is too short");
    for (const guessed of ["0123456701234567012345670123456701", `my-own-secret-${random}`])
      expect(checkInbound(guessed, url).is, guessed).to.equal("the secret can be guessed");
  });

  it("compares the clock with a time server, which may be silent or answer nonsense", async () => {
    const check = async (time: number | null) => {
      const port = await timeServer(time);
      return checkClock(() => now, { host: "127.0.0.1", port });
    };
    expect(await check(now - 9_000)).to.include({ state: "ok", is: "9.0 s off" });
    expect(await check(now + 60_000)).to.include({ state: "problem", is: "60.0 s off" });
    expect(await check(null)).to.include({ state: "unknown", is: "127.0.0.1 does not answer" });
    const unreachable = { host: "time.invalid", port: 123 };
    expect(await checkClock(() => now, unreachable)).to.include({ state: "unknown" });
  });

  it("reads the greeting of a mail server, and says what kept it from doing so", async () => {
    const check = (port: number) => checkSmtp("outgoing port 25", { host: "127.0.0.1", port }, "Open it");
    expect(await check(await mailServer("220 mx.example ESMTP\r\n"))).to.include({
      state: "ok",
      is: "220 mx.example ESMTP",
    });
    expect(await check(await mailServer("554 5.7.1 not you\r\n"))).to.include({
      state: "problem",
      is: "554 5.7.1 not you",
      advice: "Open it",
    });
    const port = await freePort();
    expect(await check(port)).to.include({ state: "problem", is: `127.0.0.1:${port} ECONNREFUSED` });
    const silent = await mailServer("");
    expect(await check(silent)).to.include({ state: "problem", is: `127.0.0.1:${silent} closed` });
  });

  it("says which part of the server is not ready, or that it does not answer", async () => {
    const url = async (port: Promise<number>) => `http://127.0.0.1:${await port}`;
    expect(await checkServer(await url(health(200, { http: true })))).to.include({ state: "ok" });
    expect(await checkServer(await url(health(503, { http: true, store: false })))).to.include({
      state: "problem",
      is: "not ready: store",
    });
    const gone = await url(freePort());
    expect(await checkServer(gone)).to.include({ state: "problem", is: `${gone} does not answer` });
  });

  it("says that the app has no HTTPS, or nothing that speaks it", async () => {
    expect(await checkCertificate("http://app.example", now)).to.include({
      state: "warning",
      is: "PUBLIC_URL is not https",
    });
    const connectTo = { host: "127.0.0.1", port: await freePort() };
    expect(await checkCertificate("https://app.example", now, connectTo)).to.include({
      state: "problem",
      is: "ECONNREFUSED",
    });
  });

  it("says until when a certificate is valid, that it ends soon, and that nobody trusts it", async function () {
    if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
    const serve = async (days: number) => {
      const [key, cert] = [join(folder(), `${days}.key`), join(folder(), `${days}.pem`)];
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const files = ["-keyout", key, "-out", cert, "-days", String(days)];
      execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...subject], { stdio: "ignore" });
      const port = await listening(createTlsServer({ key: await readFile(key), cert: await readFile(cert) }));
      return { port, cert };
    };
    const check = ({ port }: { readonly port: number }) =>
      checkCertificate("https://localhost", Date.now(), { host: "127.0.0.1", port });
    const [long, short] = [await serve(90), await serve(5)];
    const unknown = await check(long);
    expect([unknown.state, unknown.advice]).to.satisfy(
      ([state, advice]: [string, string]) => state === "problem" && advice.includes("ACME_EMAIL"),
    );
    const own = await Promise.all([long, short].map(({ cert }) => readFile(cert, "utf8")));
    setDefaultCACertificates([...getCACertificates("default"), ...own]);
    const endOf = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
    expect(await check(long)).to.include({ state: "ok", is: `valid until ${endOf(90)}` });
    expect(await check(short)).to.deep.include({
      state: "warning",
      is: `valid until ${endOf(5)}`,
      advice: "It should have been renewed: see the log for the reason",
    });
  });

  it("says whether the resolver checks DNSSEC, which DANE needs, and is believed", async () => {
    const dns = await startDnsStub({ "ietf.org": { A: ["192.0.2.1"] } });
    closing.push(() => void dns.close());
    const check = async (isBelieved: boolean) => {
      const { state, is } = await checkDnssec(createDnsClient(dns.address), isBelieved);
      return `${state}: ${is}`;
    };
    expect(await check(true)).to.equal("warning: not checked");
    dns.authentic = ["ietf.org"];
    expect(await check(true)).to.equal("ok: checked");
    expect(await check(false)).to.equal("warning: checked, but not believed");
    dns.zone = { "ietf.org": "SERVFAIL" };
    expect(await check(true)).to.equal("unknown: DNS does not answer");
  });

  it("checks DNSSEC only where mail goes to the servers of its recipients", async () => {
    const dns = await startDnsStub({ "ietf.org": { A: ["192.0.2.1"] } });
    closing.push(() => void dns.close());
    const titles = async (nextHop: "mx" | null, trustsResolver: boolean | null) => {
      const direct = { trustsResolver };
      const checks = await checkNames({
        config: {
          publicUrl: "https://app.example",
          maskDomain: named("masks.example"),
          dataDir: folder(),
          dnsServer: dns.address,
          nextHop,
          oidc: null,
          inbound: null,
          mailbox: null,
          direct,
        },
        setup: {
          maskDomain: named("masks.example"),
          publicUrl: "https://app.example",
          addresses: [],
          dkim: [],
          deliversItself: nextHop === "mx",
          hasSubdomains: false,
          receivesElsewhere: false,
        },
        dns: createResolver(dns.address),
        asksBlockLists: false,
      });
      return checks.filter(({ name }) => name.startsWith("DNSSEC")).map(({ is }) => is);
    };
    expect(await titles("mx", null)).to.deep.equal(["not checked"]);
    expect(await titles("mx", false)).to.deep.equal([]);
    expect(await titles(null, null)).to.deep.equal([]);
  });

  /** The line about users' sub-domains with these DMARC records by the domain; "SERVFAIL" for one without an answer. */
  const subdomainCheck = async (
    records: Readonly<Record<string, string>>,
    hasSubdomains = true,
  ): Promise<Check | undefined> => {
    const zone = Object.entries(records).map(([name, text]) => [
      `_dmarc.${name}`,
      text === "SERVFAIL" ? text : { TXT: [text] },
    ]);
    const dns = await startDnsStub(Object.fromEntries(zone));
    closing.push(() => void dns.close());
    const names = { publicUrl: "https://app.example.org", maskDomain: named("masks.example.org") };
    const checks = await checkNames({
      config: {
        ...names,
        dataDir: folder(),
        dnsServer: dns.address,
        nextHop: null,
        direct: { trustsResolver: null },
        oidc: null,
        inbound: null,
        mailbox: null,
      },
      setup: {
        ...{ ...names, addresses: [], dkim: [], deliversItself: true, hasSubdomains },
        receivesElsewhere: false,
      },
      dns: createResolver(dns.address),
      asksBlockLists: false,
    });
    return checks.find(({ name }) => name === "DMARC of *.masks.example.org");
  };
  const relaxed = "v=DMARC1; p=reject; adkim=r; aspf=r; rua=mailto:dmarc-reports@masks.example.org";

  for (const [record, is, consequence] of [
    ["v=DMARC1; p=reject; adkim=s; aspf=s", "adkim=s and aspf=s", "is refused as it is"],
    ["v=DMARC1;p=reject;sp=quarantine;adkim=S", "adkim=s", "goes to spam once it is forwarded"],
    ["v=DMARC1; p=reject; sp=none; aspf = s", "aspf=s", "fails DMARC once a mailing list changes it"],
    ["v=DMARC1; p=quarantine; psd=y", "psd=y", "goes to spam as it is"],
  ] as const)
    it(`warns that mail from users' sub-domains ${consequence} with ${record}`, async () => {
      expect(await subdomainCheck({ "masks.example.org": record })).to.deep.equal({
        name: "DMARC of *.masks.example.org",
        state: "warning",
        is: `${is} in _dmarc.masks.example.org`,
        advice: `Create the record _dmarc.masks.example.org TXT ${relaxed}: mail from users' sub-domains is signed by masks.example.org, and ${consequence}. Or set SUBDOMAINS=0`,
      });
    });

  it("warns of a strict record of the domain above, which counts for sub-domains too", async () => {
    const above = "v=DMARC1; p=none; sp=reject; adkim=s";
    expect(await subdomainCheck({ "masks.example.org": relaxed, "example.org": above })).to.deep.include({
      state: "warning",
      is: "adkim=s in _dmarc.example.org",
      advice:
        "Take adkim=s out of the record _dmarc.example.org: mail from users' sub-domains is signed by masks.example.org, and is refused once it is forwarded. Or set SUBDOMAINS=0",
    });
  });

  it("is content with sub-domains whose mail passes, and says nothing where there are none", async () => {
    for (const records of [
      { "masks.example.org": relaxed },
      { "masks.example.org": "v=DMARC1; p=reject; sp=reject" },
      { "masks.example.org": relaxed, "example.org": "v=DMARC1; p=reject" },
      { "masks.example.org": "v=spf1 adkim=s" },
      {},
    ])
      expect((await subdomainCheck(records))?.state, JSON.stringify(records)).to.equal("ok");
    const strict = { "masks.example.org": "v=DMARC1; p=reject; adkim=s; aspf=s" };
    expect(await subdomainCheck(strict, false)).to.equal(undefined);
    expect(await subdomainCheck({ "masks.example.org": "SERVFAIL" })).to.include({
      state: "unknown",
      is: "DNS does not answer",
    });
  });

  it("reads the MTA-STS policy as senders do, and says what keeps them from it", async () => {
    const urls: string[] = [];
    const check = (answer: () => Response) =>
      checkMtaStsPolicy("m.example.org", async (url) => {
        urls.push(url);
        return answer();
      });
    const policy = "version: STSv1\r\nmode: enforce\r\nmx: m.example.org\r\nmax_age: 604800\r\n";
    expect(await check(() => new Response(policy))).to.include({ state: "ok", is: "mode: enforce" });
    expect(await check(() => new Response("", { status: 404 }))).to.include({
      state: "warning",
      advice: "Let the name mta-sts reach this server",
    });
    const refused = await check(() => {
      throw new TypeError("fetch failed");
    });
    expect([refused.state, refused.advice]).to.deep.equal([
      "unknown",
      "Create the record mta-sts.m.example.org and its certificate",
    ]);
    expect(urls[0]).to.equal("https://mta-sts.m.example.org/.well-known/mta-sts.txt");
  });

  it("asks block lists for the reversed address, and says where to have it taken off", async () => {
    const dns = await startDnsStub({
      "7.2.0.192.zen.spamhaus.org": { A: ["127.0.0.2"] },
      "7.2.0.192.bl.spamcop.net": { A: ["127.255.255.254"] },
    });
    closing.push(() => void dns.close());
    const checks = await checkBlockLists(createResolver(dns.address), "192.0.2.7");
    expect(checks.map(({ state, is }) => [state, is])).to.deep.equal([
      ["problem", "listed"],
      ["unknown", "the list does not answer this resolver"],
      ["ok", "not listed"],
    ]);
    expect(checks[0]?.advice).to.equal("Have the address removed: https://check.spamhaus.org");
  });

  it("says of each thing that is not as it should be what to do", async () => {
    const dns = await startDnsStub({});
    closing.push(() => void dns.close());
    const { code, out } = await bauta(
      {
        DATA_DIR: folder(),
        MASK_DOMAIN: "m.invalid",
        PUBLIC_URL: "https://app.invalid",
        DNS_SERVER: dns.address,
      },
      "doctor",
      "--json",
      "--block-lists",
      "--address",
      "192.0.2.7",
      "--mail-server",
      `127.0.0.1:${await freePort()}`,
      "--time-server",
      `127.0.0.1:${await timeServer(null)}`,
    );
    expect(code).to.equal(1);
    const checks = JSON.parse(out) as readonly Check[];
    expect(checks.find(({ name }) => name === "clock")?.is).to.equal("127.0.0.1 does not answer");
    const names = checks.map(({ name }) => name.split(" ")[0]);
    for (const name of [
      "server",
      "port",
      "disk",
      "backup",
      "clock",
      "certificate",
      "MTA-STS",
      "MX",
      "SPF",
      "DKIM",
    ])
      expect(names).to.include(name);
    for (const { name, state, is, advice } of checks) {
      expect(is, name).to.not.equal("");
      if (state !== "ok") expect(advice, name).to.be.a("string").and.not.equal("");
    }
  });

  it("ends with 0 when nothing is wrong and 1 otherwise, also as JSON", async function () {
    if ((await checkDisk(folder())).state !== "ok") skipWithout(this, "a gigabyte of free disk");
    const web = await health(200, { http: true });
    const settings = { DATA_DIR: folder(), PORT: String(web) };
    await bauta(settings, "dkim", "show");
    const doctor = async (greeting: string, ...words: readonly string[]) =>
      bauta(
        settings,
        "doctor",
        "--mail-server",
        `127.0.0.1:${await mailServer(greeting)}`,
        "--time-server",
        // The command has the machine's clock, which may not be that of this process.
        `127.0.0.1:${await timeServer(null)}`,
        ...words,
      );
    const good = await doctor("220 ready\r\n");
    expect([good.code, good.out]).to.satisfy(
      ([code, text]: [number, string]) => code === 0 && text.endsWith("No problem was found.\n"),
    );
    const bad = await doctor("554 no\r\n", "--json");
    expect(bad.code).to.equal(1);
    const checks = JSON.parse(bad.out) as readonly { name: string; state: string }[];
    expect(checks.filter(({ state }) => state === "problem").map(({ name }) => name)).to.deep.equal([
      "outgoing port 25",
    ]);
    expect(checks.find(({ name }) => name === "database")).to.include({ state: "ok" });
    expect((await doctor("554 no\r\n")).out).to.match(/\n1 problem was found\.\n$/);
  });
});

/** Reads the lines of a zone file as names, types and data (RFC 1035, 5.1). */
const readZone = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => {
      const [, name = "", type = "", data = ""] = /^(\S+)\. 3600 IN (\S+) (.*)$/.exec(line) ?? [];
      const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part = ""]) => part);
      for (const part of strings) expect(part.length).to.be.at.most(255);
      const value = type === "TXT" ? strings.join("").replace(/\\(.)/g, "$1") : data.replace(/\.$/, "");
      return { name, type, value };
    });

describe("bauta dns", () => {
  const folder = useTemporaryFolder();

  it("prints a zone file that reads back as exactly the records that it lists as JSON", async () => {
    const run = (...words: readonly string[]) =>
      bauta(
        { DATA_DIR: folder(), MASK_DOMAIN: "m.example.org", PUBLIC_URL: "https://app.example.org" },
        "dns",
        "--address",
        "192.0.2.7,2001:db8::7",
        ...words,
      );
    const records = JSON.parse((await run("--json")).out) as readonly {
      readonly type: string;
      readonly why?: string;
    }[];
    const planned = records.filter(({ type }) => type !== "PTR").map(({ why: _why, ...record }) => record);
    expect(planned).to.have.length.above(8);
    expect(readZone((await run()).out)).to.deep.equal(planned);
  });
});
