import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport, type SendMailOptions } from "nodemailer";
import PostalMime, { type Address, type Email } from "postal-mime";
import { createOutbox, type Outbox } from "../delivery/queue/outbox.ts";
import { type Config, readConfig } from "../platform/config/config.ts";
import { composeServer } from "./app.ts";

const owner = { name: "Ada Lovelace", address: "ada@home.example" } as const;
const shop = { name: "Corner Shop", address: "orders@shop.example" } as const;

/** A mail of the outbox, as its recipient's mail program shows it, and its bytes. */
interface Received {
  readonly mail: Email;
  readonly content: string;
}

/** The functions of a server that the demo uses. */
interface DemoServer {
  readonly url: string;
  readonly send: (mail: SendMailOptions) => Promise<unknown>;
  /** Waits for a mail to an address whose subject contains a text. */
  readonly received: (recipient: string, subject: string) => Promise<Received>;
}

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
};

const waitMs = 20;
const mostWaits = 1_000;

const waitForMail = async (outbox: Outbox, recipient: string, subject: string): Promise<Received> => {
  for (let tries = 0; tries < mostWaits; tries += 1) {
    const found = (await outbox.list()).find(
      (entry) => entry.recipient === recipient && entry.subject.includes(subject),
    );
    const read = found && (await outbox.read(found.id));
    if (read) {
      const content = Buffer.from(read.content);
      return { mail: await PostalMime.parse(content), content: content.toString("utf8") };
    }
    await sleep(waitMs);
  }
  throw new Error(`No mail to ${recipient} has left the server.`);
};

const startDemoServer = async (dataDir: string): Promise<DemoServer & { stop: () => Promise<boolean> }> => {
  const port = await freePort();
  const smtpPort = await freePort();
  const config: Config = readConfig({
    HOST: "127.0.0.1",
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    SUBMISSION_PORT: "0",
    SUBMISSIONS_PORT: "0",
    DATA_DIR: dataDir,
    MASK_DOMAIN: "masks.example",
    LOG_LEVEL: "silent",
  });
  const server = await composeServer(config, { provenOnLoopback: owner.address });
  const stop = await server.start();
  const transport = createTransport({
    host: "127.0.0.1",
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
    name: "demo.example.com",
  });
  const outbox = createOutbox(join(dataDir, "outbox"));
  return {
    url: config.publicUrl,
    send: (mail) => transport.sendMail(mail),
    received: (recipient, subject) => waitForMail(outbox, recipient, subject),
    stop,
  };
};

/** Signs up as the owner, as the page does, and returns the address of a new mask. */
const makeMask = async ({ url, received }: DemoServer): Promise<string> => {
  const cookies = new Map<string, string>();
  const call = async (method: string, path: string, body: object, token?: string): Promise<unknown> => {
    const headers = {
      "content-type": "application/json",
      cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      "x-csrf-token": cookies.get("csrfToken") ?? "",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const { address: email } = owner;
  await call("POST", "/login", { email });
  const [otp] = /\b\d{6}\b/.exec((await received(email, "code")).mail.text ?? "") ?? [];
  const { tempToken } = (await call("PUT", "/login", { email, otp })) as { readonly tempToken: string };
  const signedUp = (await call("POST", "/signup", { tempToken, tier: "free" })) as { readonly token: string };
  const mask = await call("POST", "/masks", { description: shop.name }, signedUp.token);
  return (mask as { readonly maskEmail: string }).maskEmail;
};

interface ShownMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const shownAddress = ({ name = "", address = "" }: Partial<Address>): string =>
  name === "" ? address : `${name} <${address}>`;

const toShown = ({ from, to = [], subject = "", text = "" }: Email): ShownMail => ({
  from: from ? shownAddress(from) : "",
  to: to.map((one) => shownAddress(one)).join(", "),
  subject,
  text,
});

const shown = (title: string, { from, to, subject, text }: ShownMail): string =>
  [
    title,
    `   From:    ${from}`,
    `   To:      ${to}`,
    `   Subject: ${subject}`,
    "",
    ...text
      .trim()
      .split(/\r?\n/)
      .map((line) => (line === "" ? "" : `   ${line}`)),
    "",
  ].join("\n");

/** Returns the words of the owner's reply about the owner that are in a mail. */
const tracesIn = ({ mail, content }: Received): readonly string[] => {
  const all = [content, mail.text ?? "", mail.html ?? "", JSON.stringify(mail.headers)]
    .join("\n")
    .toLowerCase();
  return [owner.address, "home.example", owner.name].filter((trace) => all.includes(trace.toLowerCase()));
};

const play = async (server: DemoServer, print: (text: string) => void): Promise<void> => {
  print(
    [
      "A reply through a mask, on a server that exists only for this demo.",
      `There is no SPF or DKIM on one machine: mail from this machine counts as proven here, for ${owner.address} alone.`,
      "On a server of yours only your mail provider's SPF or DKIM proves that a reply is yours.",
      "",
    ].join("\n"),
  );
  const mask = await makeMask(server);
  print(`1. ${owner.name} (${owner.address}) creates a mask: ${mask}\n`);

  const letter = {
    from: shop,
    to: mask,
    subject: "Your order 4711",
    text: "Hello,\n\nshall we deliver on Thursday?\n\nCorner Shop\n",
  };
  await server.send(letter);
  const { mail: forwarded } = await server.received(owner.address, letter.subject);
  const reverse = forwarded.from?.address ?? "";
  print(shown(`2. ${shop.name} writes to the mask:`, { ...letter, from: shownAddress(shop) }));
  print(
    shown(
      `3. What ${owner.name} receives, from a reverse address that stands for ${shop.name}:`,
      toShown(forwarded),
    ),
  );

  const reply = {
    from: owner,
    to: reverse,
    subject: `Re: ${letter.subject}`,
    ...(forwarded.messageId !== undefined && {
      inReplyTo: forwarded.messageId,
      references: forwarded.messageId,
    }),
    text: `Thursday is fine. You can also write to ${owner.address}.\n\nOn Friday ${reverse} wrote:\n> shall we deliver on Thursday?\n`,
  };
  await server.send(reply);
  print(
    shown(`4. ${owner.name} answers it, and even writes the real address:`, {
      ...reply,
      from: shownAddress(owner),
    }),
  );

  const arrived = await server.received(shop.address, letter.subject);
  print(shown(`5. What ${shop.name} receives:`, toShown(arrived.mail)));
  const traces = tracesIn(arrived);
  if (arrived.mail.from?.address !== mask || traces.length > 0)
    throw new Error(`The reply did not leave from the mask alone: ${traces.join(", ")}`);
  print(
    `It comes from the mask. Neither ${owner.address} nor the name ${owner.name} is anywhere in its ${arrived.content.length} bytes.`,
  );
};

/** Plays a reply from a stranger's mail to what the stranger receives, on a server of its own that is gone afterwards. */
export const playReply = async (print: (text: string) => void): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), "bauta-demo-"));
  try {
    const server = await startDemoServer(dataDir);
    try {
      await play(server, print);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
