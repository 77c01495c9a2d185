import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "chai";
import PostalMime from "postal-mime";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { createSigningTransport } from "../../../../server/delivery/signingTransport.ts";
import type { Transport } from "../../../../server/delivery/transport.ts";
import { createFindEncryption } from "../../../../server/features/encryption/findEncryption.ts";
import { createDnsCache, createMailLookup } from "../../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../../server/platform/dns/dnsClient.ts";
import { createSeal } from "../../../../server/platform/ops/secrets.ts";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { DkimKeys } from "../../../../server/proof/dkimRotation.ts";
import { judgeSender } from "../../../../server/proof/judgeSender.ts";
import { createSignMail } from "../../../../server/proof/signMail.ts";
import { encryptionThreads } from "../../../../server/relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../../../../server/relay/encrypt/pgpMime.ts";
import { keyRecord, signed } from "../../relay/encrypt/signedMail.ts";
import { useSqlite } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "../../support/owners.ts";
import { peerVerifiers } from "../../support/peerVerifiers.ts";
import { type RunningDelivery, startDelivery } from "../../support/runningDelivery.ts";
import { secrets } from "../../support/secrets.ts";
import { type Sink, type SunkMail, startSink } from "../../support/sink.ts";
import { addAppPassword, startSubmission, useCertificate } from "../../support/submissionServer.ts";
import { until } from "../../support/until.ts";
import { replyOf } from "./mailPrograms.ts";

const spf = (more = ""): { readonly TXT: readonly string[] } => ({
  TXT: [`v=spf1 ip4:127.0.0.1 ${more}-all`],
});
const traces = /home\.example|L=C3=B8velace|Thunderbird|gmail|google|outlook|apple|\bk-9|mutt|nodemailer/i;
/** Chance, in which any short word appears now and then: message ids, boundaries, signatures and hashes of bodies. */
const chance = /[\w-]{23,}(?=@masks\.example)|\bb_[0-9a-f]{32}|\bbh?=[\w+/=\s]+/g;

describe("Mail between a stranger, a mask, and its owner's provider", () => {
  const { database } = useSqlite();
  const certificate = useCertificate();
  let dns: DnsStub;
  let stranger: Sink;
  let provider: Sink;
  let relay: RunningListener;
  let delivery: RunningDelivery;
  let pool: WorkerPool<EncryptionTask, Uint8Array | null>;
  let owner: Owner;
  let mask: TestMask;

  beforeEach(async () => {
    dns = await startDnsStub({
      "home.example": spf(),
      "_dmarc.home.example": { TXT: ["v=DMARC1; p=reject"] },
      "mail._domainkey.home.example": { TXT: [keyRecord] },
      "shop.example": spf(),
      "masks.example": spf(),
      "_dmarc.masks.example": { TXT: ["v=DMARC1; p=reject; adkim=s; aspf=s"] },
    });
    [stranger, provider] = await Promise.all([startSink(), startSink()]);
    const clock = systemClock;
    const seal = createSeal(secrets.sealing, cryptoRandom);
    const keys = new DkimKeys({ database: database(), seal, clock, domain: "masks.example" });
    await keys.ensure();
    dns.zone = {
      ...dns.zone,
      ...Object.fromEntries((await keys.list()).map(({ record }) => [record.name, { TXT: [record.value] }])),
    };
    const hopTo = ({ port }: Sink): Transport =>
      createNextHopTransport({ host: "127.0.0.1", port, secure: false }, "masks.example", 2);
    const [toProvider, toStranger] = [hopTo(provider), hopTo(stranger)];
    const byDomain: Transport = {
      send: (mail) => (domainOf(mail.recipient) === "home.example" ? toProvider : toStranger).send(mail),
      abort: () => {
        toProvider.abort();
        toStranger.abort();
      },
    };
    const signMail = createSignMail({ domain: "masks.example", activeKeys: keys.active, clock });
    const fail = (error: unknown): never => {
      throw error;
    };
    delivery = startDelivery(database(), createSigningTransport(byDomain, signMail, fail), systemClock);
    pool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    relay = await startListener(database(), undefined, {
      dnsServer: dns.address,
      trustedNetworks: [],
      secrets,
      onQueued: () => delivery.wake(),
      findEncryption: createFindEncryption({
        publicUrl: "https://bauta.test",
        database: database(),
        pool,
        clock,
        random: cryptoRandom,
        feed: { wake: () => {} },
      }),
    });
    owner = await addOwner(database().db, "self_hosted");
    mask = await addMask(database().db, owner);
  });
  afterEach(async () => {
    await relay.close();
    await delivery.stop();
    await pool.stop();
    await Promise.all([stranger.close(), provider.close(), dns.close()]);
  });

  const arrival = async (at: Sink, before: number): Promise<SunkMail> => {
    await until("a mail arrives", () => at.mails.length > before);
    const mail = at.mails[before];
    if (!mail) throw new Error("no mail arrived");
    return mail;
  };
  const say = async (from: string, to: readonly string[], content: string | Buffer): Promise<void> => {
    await relay.clock.advance(1);
    const client = await relay.connect();
    expect(await client.mail(from, to, content)).to.match(/^250/);
    client.destroy();
  };
  /** Bob writes to the mask, and the mail as the owner's provider gets it is returned. */
  const write = async (id: string, more: readonly string[] = []) => {
    const before = provider.mails.length;
    const to = more.some((line) => line.startsWith("To:")) ? [] : [`To: ${mask.email}`];
    const header = [
      "From: Bob <bob@shop.example>",
      ...to,
      "Subject: Your order",
      `Message-ID: <${id}>`,
      ...more,
    ];
    await say("bob@shop.example", [mask.email], `${header.join("\r\n")}\r\n\r\nIs it right?\r\n`);
    return PostalMime.parse((await arrival(provider, before)).content);
  };
  /** The owner's provider signs and sends a reply; returns what the stranger's server gets. */
  const reply = async (content: string, to: readonly string[]): Promise<readonly SunkMail[]> => {
    const before = stranger.mails.length;
    await say(owner.email, to, await signed(content, "home.example"));
    await until("all copies arrive", () => stranger.mails.length === before + to.length);
    return stranger.mails.slice(before);
  };
  const lookup = () => createMailLookup(createDnsCache(createDnsClient(dns.address), systemClock));
  const decoded = async (content: Buffer): Promise<string> => {
    const { text, html, attachments } = await PostalMime.parse(content);
    const texts = attachments
      .filter(({ mimeType }) => /^(?:text|message)\//.test(mimeType))
      .map((part) => Buffer.from(part.content as ArrayBuffer).toString("latin1"));
    const header = content.toString("latin1").split("\r\n\r\n", 1)[0];
    return [header, text, html, ...texts]
      .join("\n")
      .replaceAll(/\r?\n[ \t]/g, "")
      .replaceAll(chance, "");
  };

  it("reaches each side, proven as the mask's, and shows the stranger nothing of the owner", async () => {
    const first = await write("order-1@shop.example");
    const answered = (mail: typeof first, n: number) =>
      replyOf(n, {
        owner,
        reverse: mail.from?.address ?? "",
        messageId: mail.messageId ?? "",
        ownEarlierId: "<earlier@laptop.home.example>",
      });
    const to = [first.from?.address ?? ""];
    // HTML with quoted history, an attached mail, a calendar answer.
    for (const n of [0, 1, 2, 39, 57]) await reply(answered(first, n).content, to);

    const many = await write("order-2@shop.example", [
      `To: ${mask.email}, Carol <carol@shop.example>`,
      "Cc: dave@shop.example",
    ]);
    const everybody = [many.from, ...(many.to ?? []), ...(many.cc ?? [])].flatMap(
      (one) => one?.address ?? [],
    );
    const strangers = everybody.filter((address) => address.startsWith("re-"));
    expect(strangers).to.have.length(3);
    const all = answered(many, 0).content.replace(/^To: .*$/m, `To: ${strangers.join(", ")}`);
    expect((await reply(all, strangers)).map(({ to: one }) => one)).to.have.members([
      "bob@shop.example",
      "carol@shop.example",
      "dave@shop.example",
    ]);

    let thread: readonly string[] = [];
    let own: readonly string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const theirs = await write(
        `thread-${n}@shop.example`,
        thread.length === 0 ? [] : [`In-Reply-To: ${thread.at(-1)}`, `References: ${thread.join(" ")}`],
      );
      thread = [...thread, `<thread-${n}@shop.example>`];
      own = [...own, theirs.messageId ?? ""];
      const letter = answered(theirs, n).content.replace(
        /References: [^\r]*\r\n [^\r]*/,
        `References: ${own.join("\r\n ")}`,
      );
      const [sent] = await reply(letter, to);
      const mail = await PostalMime.parse(sent?.content ?? "");
      expect((mail.references ?? "").split(/\s+/)).to.deep.equal(thread);
      thread = [...thread, mail.messageId ?? ""];
      own = [...own, /^Message-ID: (.*)\r$/m.exec(letter)?.[1] ?? ""];
    }

    const publicKey = readFileSync(new URL("../../../data/keys/good.asc", import.meta.url), "utf8");
    const key = { user_id: owner.id, public_key: publicKey, fingerprint: "A", created_at: 0 };
    await database().db.insertInto("public_keys").values(key).execute();
    const encrypted = await write("secret@shop.example");
    expect(provider.mails.at(-1)?.content.toString()).to.contain("multipart/encrypted");
    await reply(answered(encrypted, 3).content, [encrypted.from?.address ?? ""]);

    for (const { content, from } of stranger.mails) {
      expect(traces.exec(await decoded(content))?.[0]).to.equal(undefined);
      expect(from).to.equal(mask.email);
      const envelope = { sender: from, helo: "masks.example", remoteAddress: "127.0.0.1" } as const;
      const options = { host: "mx.shop.example", trustedSealers: [], judgesPrivate: true };
      const { authentication, alignedBy } = await judgeSender(content, envelope, options, lookup());
      expect(authentication).to.include({ spf: "pass", dkim: "pass", dmarc: "pass" });
      expect(alignedBy).to.include.members(["spf", "dkim"]);
    }
    expect(stranger.mails).to.have.length(14);
  });

  /** What a receiver sees, in one line. */
  const view = async (kind: string, { content, from }: SunkMail, host: string): Promise<string> => {
    const envelope = { sender: from, helo: "masks.example", remoteAddress: "127.0.0.1" } as const;
    const options = { host, trustedSealers: [], judgesPrivate: true };
    const { authentication, alignedBy, results } = await judgeSender(content, envelope, options, lookup());
    const { spf: bySpf, dkim, dmarc, arc } = authentication;
    const author = /header\.from=(\S+)/.exec(results)?.[1];
    return `${kind}: spf=${bySpf} dkim=${dkim} dmarc=${dmarc} arc=${arc} aligned=${alignedBy.join(",")} From: ${author}`;
  };

  it("is seen by each receiver with SPF, DKIM and DMARC that pass", async () => {
    const first = await write("order-1@shop.example");
    const [answer] = await reply(
      replyOf(0, {
        owner,
        reverse: first.from?.address ?? "",
        messageId: first.messageId ?? "",
        ownEarlierId: "<earlier@laptop.home.example>",
      }).content,
      [first.from?.address ?? ""],
    );
    const [forwarded] = provider.mails;
    if (!forwarded || !answer) throw new Error("no mail arrived");
    const views = [
      await view("forwarded mail", forwarded, "mx.home.example"),
      await view("reply", answer, "mx.shop.example"),
    ];
    process.stdout.write(`    what receivers see of\n${views.map((line) => `      ${line}\n`).join("")}`);
    expect(views).to.deep.equal([
      "forwarded mail: spf=pass dkim=pass dmarc=pass arc=pass aligned=spf,dkim From: masks.example",
      "reply: spf=pass dkim=pass dmarc=pass arc=none aligned=spf,dkim From: masks.example",
    ]);
    const records = Object.fromEntries(
      Object.entries(dns.zone).flatMap(([name, found]) =>
        name.includes("_domainkey.masks") && typeof found === "object"
          ? [[name, found["TXT"]?.[0] ?? ""]]
          : [],
      ),
    );
    for (const { verify } of peerVerifiers.filter(({ isInstalled }) => isInstalled()))
      for (const { content } of [forwarded, answer]) {
        const { dkim } = verify(content, records);
        expect(new Set(dkim)).to.deep.equal(new Set(["pass"]));
      }
  });

  it("carries a first mail with 20 MB from a mail program, byte for byte", async () => {
    const program = await startSubmission(database(), relay, certificate());
    const attachment = randomBytes(17 * 1024 * 1024);
    await program.program(owner.email, await addAppPassword(database(), owner)).sendMail({
      from: `Ada <${mask.email}>`,
      to: ["bob@shop.example", "carol@shop.example"],
      subject: "Photos",
      text: `From ${owner.email}`,
      attachments: [{ filename: "photos.bin", content: attachment }],
    });
    await until("both copies arrive", () => stranger.mails.length === 2);
    const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
    for (const { content, from } of stranger.mails) {
      expect(content.length).to.be.above(20_000_000);
      const mail = await PostalMime.parse(content);
      const [arrived] = mail.attachments;
      expect(hash(new Uint8Array(arrived?.content as ArrayBuffer))).to.equal(hash(attachment));
      expect(from).to.equal(mask.email);
      expect(traces.exec(await decoded(content))?.[0]).to.equal(undefined);
    }
    await program.close();
  });
});
