import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { checkBackups, checkClock, checkDisk } from "../../../server/operator/machineChecks.ts";
import { checkCertificate, checkServer, checkSmtp } from "../../../server/operator/networkChecks.ts";
import { bauta } from "../cli/support.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";

const dayMs = 86_400_000;
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
  const closedPort = async (): Promise<number> => {
    const server = createServer();
    const port = await listening(server);
    server.close();
    return port;
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
    ] as const) {
      await writeFile(join(backups, name), "");
      const at = new Date(now - days * dayMs);
      await utimes(join(backups, name), at, at);
      expect(await checkBackups(backups, now)).to.include(expected);
    }
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
    const check = (port: number) => checkSmtp("port 25 out", { host: "127.0.0.1", port }, "Open it");
    expect(await check(await mailServer("220 mx.example ESMTP\r\n"))).to.include({
      state: "ok",
      is: "220 mx.example ESMTP",
    });
    expect(await check(await mailServer("554 5.7.1 not you\r\n"))).to.include({
      state: "problem",
      is: "554 5.7.1 not you",
      advice: "Open it",
    });
    const port = await closedPort();
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
    const gone = await url(closedPort());
    expect(await checkServer(gone)).to.include({ state: "problem", is: `${gone} does not answer` });
  });

  it("says that the app has no HTTPS, or nothing that speaks it", async () => {
    expect(await checkCertificate("http://app.example", now)).to.include({
      state: "warning",
      is: "PUBLIC_URL is not https",
    });
    const connectTo = { host: "127.0.0.1", port: await closedPort() };
    expect(await checkCertificate("https://app.example", now, connectTo)).to.include({
      state: "problem",
      is: "ECONNREFUSED",
    });
  });

  it("ends with 0 when nothing is wrong and 1 otherwise, also as JSON", async () => {
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
        `127.0.0.1:${await timeServer(Date.now())}`,
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
      "port 25 out",
    ]);
    expect(checks.find(({ name }) => name === "database")).to.include({ state: "ok" });
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
