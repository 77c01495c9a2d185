import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { maxMailBytes, maxRecipientsPerMail } from "../../../../server/smtp/smtpLimits.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { onEachDatabase, useSqlite } from "../../support/databases.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener, useListener } from "../../support/listener.ts";
import { addMask, addOwner, type Owner } from "../../support/owners.ts";
import { plainMail } from "../../support/plainMail.ts";
import { readQueue } from "../../support/queue.ts";
import { keyRecord, signed } from "../encrypt/signedMail.ts";

const sender = "orders@shop.example";

interface Handed {
  readonly sender?: string;
  readonly content?: string | Uint8Array;
}

/** Hands a mail over; returns the SMTP code for each recipient, 250 where it is stored. */
const hand = async (
  { listener: { intake } }: Pick<RunningListener, "listener">,
  recipients: readonly string[],
  given: Handed = {},
): Promise<readonly number[]> => {
  const content = intake.beginContent(0);
  await content.add([Buffer.from(given.content ?? plainMail)]);
  const mail = { by: "HTTP", sender: given.sender ?? sender, recipients, content } as const;
  return (await intake.take(mail)).map(({ refusal }) => refusal?.code ?? 250);
};

describe("A mail that a provider hands over", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    const relay = useListener(database);
    beforeEach(async () => {
      owner = await addOwner(database().db);
    });

    it("is forwarded as one that has come by SMTP, and says that it has not", async () => {
      const { email, id } = await addMask(database().db, owner);
      expect(await hand(relay, [email])).to.deep.equal([250]);
      const [queued] = await readQueue(database().db);
      expect(queued).to.include({ mask_id: id, recipient: owner.email });
      const [received] = queued?.content.toString().match(/^Received:.*(?:\r\n .*)*/m) ?? [];
      expect(received).to.match(/^Received:\r\n by masks\.example with HTTP id /);
    });

    it("is stored for the masks that exist, and refused for good for the others", async () => {
      const { email } = await addMask(database().db, owner);
      const { email: off } = await addMask(database().db, owner, { active: false });
      const nobody = "nobody@masks.example";
      expect(await hand(relay, [nobody, email, off, "a@elsewhere.example", "no address", ""])).to.deep.equal([
        550, 250, 550, 550, 501, 501,
      ]);
      expect(await readQueue(database().db)).to.have.lengthOf(1);
    });

    it("waits for all recipients while one of them cannot take it yet", async () => {
      const { email } = await addMask(database().db, owner);
      const other = await addOwner(database().db, "self_hosted");
      const { email: busy } = await addMask(database().db, other);
      for (let n = 0; n < 60; n += 1) await hand(relay, [busy]);
      const before = (await readQueue(database().db)).length;
      expect(await hand(relay, [email, busy, "nobody@masks.example"])).to.deep.equal([451, 450, 550]);
      expect(await readQueue(database().db)).to.have.lengthOf(before);
      await relay.clock.advance(2 * minuteMs);
      expect(await hand(relay, [email, busy])).to.deep.equal([250, 250]);
    });
  });
});

describe("What a provider hands over", () => {
  const { database } = useSqlite();
  const relay = useListener(database);
  const aMask = async (): Promise<string> =>
    (await addMask(database().db, await addOwner(database().db))).email;

  it("is refused for good where it is too large, and for now where the spool is full", async () => {
    const email = await aMask();
    const content = Buffer.alloc(maxMailBytes + 1, "a");
    expect(await hand(relay, [email], { content })).to.deep.equal([552]);
  });

  it("is refused for good where its header or its sender cannot be read", async () => {
    const email = await aMask();
    for (const [content, code] of [
      ["From: a@b.example\r\nFrom: c@d.example\r\n\r\n", 550],
      ["From: a@b.example, c@d.example\r\n\r\n", 550],
      ["", 250],
    ] as const)
      expect(await hand(relay, [email], { content }), content).to.deep.equal([code]);
    for (const bad of ["nobody", "a@b.example> SIZE=1", "a@b.example\r\nRCPT TO:<x@y>", "<>", "a@b@c"])
      expect(await hand(relay, [email], { sender: bad }), bad).to.deep.equal([501]);
  });

  it("is refused for good with more recipients than SMTP takes, of which nobody gets it", async () => {
    const all = Array.from({ length: maxRecipientsPerMail + 1 }, (_, n) => `n${n}@masks.example`);
    expect(new Set(await hand(relay, all))).to.deep.equal(new Set([550]));
  });

  it("has usual line ends when it is forwarded, whatever it came with", async () => {
    expect(await hand(relay, [await aMask()], { content: "From: a@b.example\n\nOne\nTwo" })).to.deep.equal([
      250,
    ]);
    const [queued] = await readQueue(database().db);
    expect(queued?.content.toString()).to.match(/\r\n\r\nOne\r\nTwo\r\n$/);
  });

  it("does not keep others from sending where it names many addresses that do not exist", async () => {
    const email = await aMask();
    for (let n = 0; n < 60; n += 1) await hand(relay, [`nobody${n}@masks.example`]);
    expect(await hand(relay, [email])).to.deep.equal([250]);
  });

  it("is answered for later, with nothing stored, where the store fails", async () => {
    const email = await aMask();
    await database().db.schema.dropTable("queue").execute();
    expect(await hand(relay, [email])).to.deep.equal([451]);
  });
});

describe("The sender of a mail that a provider hands over", () => {
  const { database } = useSqlite();
  let dns: DnsStub;
  let relay: RunningListener;
  before(async () => {
    dns = await startDnsStub({
      "shop.example": { TXT: ["v=spf1 +all"] },
      "_dmarc.shop.example": { TXT: ["v=DMARC1; p=none"] },
      "mail._domainkey.shop.example": { TXT: [keyRecord] },
    });
  });
  after(() => dns.close());
  afterEach(() => relay.close());

  /** Returns what a forwarded mail says of its sender. */
  const proofOf = async (content: string | Uint8Array): Promise<string | undefined> => {
    relay = await startListener(database(), createVirtualClock(), {
      dnsServer: dns.address,
      trustedNetworks: ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"],
    });
    const { email } = await addMask(database().db, await addOwner(database().db));
    expect(await hand(relay, [email], { content })).to.deep.equal([250]);
    const [queued] = await readQueue(database().db);
    return /^X-Bauta-Sender: (.*)\r$/m.exec(queued?.content.toString() ?? "")?.[1];
  };

  it("is unproven without a proof, whichever networks are trusted", async () => {
    expect(await proofOf(plainMail)).to.equal("unproven");
  });

  it("is proven where its domain has signed the mail", async () => {
    expect(await proofOf(await signed(plainMail, "shop.example"))).to.equal("proven");
  });
});
