import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { createSocket } from "node:dgram";
import { resolveMx } from "node:dns/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { authenticate } from "mailauth";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { type Client, createClient } from "../../test/server/support/client.ts";
import { startDnsStub, type Zone } from "../../test/server/support/dnsStub.ts";
import { addresses } from "./network.ts";

/**
 * The internet of the walk, a process in a network namespace of its own: DNS, a time server, an ACME authority, the
 * owner's mail server, a shop's mail server, and the owner with a browser's requests. walk.ts calls its functions.
 */
const folder = process.argv[2] ?? "";
const shop = "shop.example";
const home = "home.example";

interface Arrived {
  readonly content: Buffer;
  readonly verdict: string;
  readonly from: string;
}

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

const zone: Record<string, Record<string, string[]>> = {
  [shop]: { A: [addresses.shop], MX: [`10 ${shop}`], TXT: [`v=spf1 ip4:${addresses.shop} -all`] },
  [`s1._domainkey.${shop}`]: { TXT: [`v=DKIM1; k=rsa; p=${keys.publicKey.toString("base64")}`] },
  [`_dmarc.${shop}`]: { TXT: ["v=DMARC1; p=reject"] },
  [home]: { MX: [`10 mail.${home}`] },
  [`mail.${home}`]: { A: [addresses.home] },
  "acme.example": { A: [addresses.authority] },
  "pool.ntp.org": { A: [addresses.time] },
  "gmail-smtp-in.l.google.com": { A: [addresses.home] },
};

/** Publishes the lines of a zone file, and comments of the form "; address: reverse name". */
const publish = (lines: readonly string[]): number => {
  let count = 0;
  for (const line of lines) {
    const [, name = "", type = "", data = ""] = /^(\S+)\. 3600 IN (\S+) (.*)$/.exec(line) ?? [];
    const [, address, reverse] = /^; ([\d.]+): (\S+)/.exec(line) ?? [];
    const text = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part).join("");
    const value = type === "TXT" ? text.replace(/\\(.)/g, "$1") : data.replace(/\.$/, "");
    count += name !== "" || address ? 1 : 0;
    if (name !== "") zone[name] = { ...zone[name], [type]: [...(zone[name]?.[type] ?? []), value] };
    if (address && reverse)
      zone[`${address.split(".").reverse().join(".")}.in-addr.arpa`] = { PTR: [reverse] };
  }
  return count;
};

const startTimeServer = (): void => {
  const socket = createSocket("udp4");
  socket.on("message", (_packet, from) => {
    const answer = Buffer.alloc(48);
    answer.writeUInt32BE(Math.floor(Date.now() / 1_000) + 2_208_988_800, 40);
    socket.send(answer, from.port, from.address);
  });
  socket.bind(123, addresses.time);
};

const mailbox: Arrived[] = [];

/** The owner's mail server: judges what arrives as receivers do. */
const startMailbox = (): void => {
  const server = new SMTPServer({
    name: `mail.${home}`,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const content = Buffer.concat(chunks);
        const { envelope, remoteAddress, hostNameAppearsAs } = session;
        const sender = envelope.mailFrom ? envelope.mailFrom.address : "";
        const result = await authenticate(content, {
          ip: remoteAddress,
          helo: hostNameAppearsAs,
          sender,
          mta: `mail.${home}`,
        });
        const dmarc = (result.dmarc || undefined)?.status?.result ?? "none";
        const spf = (result.spf || undefined)?.status?.result ?? "none";
        const dkim = result.dkim.results.map(({ status }) => status.result).join("+") || "none";
        mailbox.push({ content, from: sender, verdict: `dmarc=${dmarc} spf=${spf} dkim=${dkim}` });
        answer(null);
      });
    },
  });
  server.listen(25, addresses.home);
};

const startAuthority = async (): Promise<void> => {
  const [certificate, privateKey, config] = ["ca.pem", "ca.key", "pebble.json"].map((name) =>
    join(folder, name),
  );
  const pebble = {
    listenAddress: `${addresses.authority}:14000`,
    managementListenAddress: `${addresses.authority}:15000`,
    certificate,
    privateKey,
    httpPort: 80,
    tlsPort: 443,
  };
  writeFileSync(`${config}`, JSON.stringify({ pebble }));
  tls.setDefaultCACertificates([readFileSync(`${certificate}`, "utf8")]);
  const authority = spawn(
    "pebble",
    ["-config", `${config}`, "-dnsserver", `${addresses.dns}:53`, "-strict"],
    {
      stdio: "ignore",
      env: { ...process.env, PEBBLE_WFE_NONCEREJECT: "10" },
    },
  );
  process.on("exit", () => void authority.kill("SIGKILL"));
  for (let tries = 0; !(await fetch("https://acme.example:14000/dir").catch(() => null))?.ok; tries++) {
    if (tries === 100) throw new Error("the authority does not start");
    await sleep(100);
  }
  const root = await (await fetch("https://acme.example:15000/roots/0")).text();
  tls.setDefaultCACertificates([readFileSync(`${certificate}`, "utf8"), root]);
  writeFileSync(join(folder, "root.pem"), root);
};

const waitForMail = async (wanted: RegExp): Promise<Arrived> => {
  for (let tries = 0; tries < 600; tries++) {
    const found = mailbox.find(({ content }) => wanted.test(content.toString()));
    if (found) return found;
    await sleep(50);
  }
  throw new Error(
    `no mail ${wanted} arrived; there are: ${mailbox.map(({ content }) => /^Subject:.*/m.exec(content.toString()))}`,
  );
};

let owner: Client | null = null;
const succeed = async (method: string, path: string, body: unknown): Promise<unknown> => {
  const { status, text, json } = (await owner?.call(method, path, { body })) ?? {
    status: 0,
    text: "",
    json: null,
  };
  if (status >= 300 || status === 0) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json;
};

/** Creates the owner's account with the code that arrives by mail. */
const signUp = async (url: string, address: string): Promise<string> => {
  owner = createClient(url);
  await succeed("POST", "/login", { email: address });
  const { content, verdict } = await waitForMail(/^Subject: .*\d{6}/m);
  const [, otp] = /^Subject: .*?(\d{6})/m.exec(content.toString()) ?? [];
  const { tempToken } = (await succeed("PUT", "/login", { email: address, otp })) as { tempToken: string };
  const account = (await succeed("POST", "/signup", { tempToken, tier: "free" })) as { token: string };
  owner.token = account.token;
  return verdict;
};

const createMask = async (address: string): Promise<string> => {
  const mask = await succeed("POST", "/masks", { description: "Shop", forwardTo: address });
  return (mask as { maskEmail: string }).maskEmail;
};

/** Sends a mail from the shop to a mask, as mail servers do: MX, STARTTLS with a proven name, DKIM; returns the reply. */
const sendFromShop = async (mask: string): Promise<string> => {
  const [mx] = await resolveMx(mask.split("@")[1] ?? "");
  const transport = createTransport({
    host: mx?.exchange ?? "",
    port: 25,
    name: shop,
    localAddress: addresses.shop,
    requireTLS: true,
    dkim: { domainName: shop, keySelector: "s1", privateKey: keys.privateKey },
  });
  const { response } = await transport.sendMail({
    from: `"The Shop" <orders@${shop}>`,
    to: mask,
    subject: "Your order 4711",
    text: "It is on its way.",
  });
  transport.close();
  return response;
};

/** Waits for the shop's mail in the owner's mailbox. */
const receive = async () => {
  const { content, from, verdict } = await waitForMail(/^Subject: Your order 4711/m);
  const header = content.toString().split("\r\n\r\n")[0] ?? "";
  return { from, verdict, header };
};

const calls = { publish, signUp, createMask, sendFromShop, receive } as const;
export type Internet = typeof calls;

const { close } = await startDnsStub(zone as Zone, { host: addresses.dns, port: 53 });
startTimeServer();
startMailbox();
await startAuthority();
process.on("message", async ({ name, args }: { name: keyof Internet; args: readonly never[] }) => {
  try {
    const call = calls[name] as (...args: readonly never[]) => unknown;
    process.send?.({ value: await call(...args) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) });
  }
});
process.on("disconnect", () => void close().then(() => process.exit(0)));
process.send?.({ value: "ready" });
