import { isAscii } from "node:buffer";
import { createHash, generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import PostalMime from "postal-mime";
import { createSendingTransport } from "../../../server/delivery/sending/sendingTransport.ts";
import type { DeliveryOutcome } from "../../../server/delivery/transport.ts";
import { withContent } from "../support/queue.ts";
import { type Sink, type SinkOptions, startSink } from "../support/sink.ts";

const key = {
  selector: "s",
  algorithm: "rsa-sha256",
  privateKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
} as const;

const letter = Buffer.from(
  "From: <m@masks.example>\r\nSubject: Grüße\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGrüße\r\n",
);
const signedPart = Buffer.from(
  "From: <m@masks.example>\r\nSubject: x\r\nContent-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n\r\nGrüße\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--\r\n",
);

describe("Mail of 8 bits", () => {
  const sendTo = async (
    options: SinkOptions,
    content: Buffer,
    isInMemory = true,
  ): Promise<{ readonly outcome: DeliveryOutcome; readonly mails: Sink["mails"] }> => {
    const sink = await startSink(options);
    const transport = createSendingTransport({
      options: {
        nextHop: { host: "127.0.0.1", port: sink.port, secure: false },
        sources: [],
        tellsTls: false,
        name: "masks.example",
        connections: 1,
        signs: true,
        deliveredLog: null,
        dataDir: "",
      },
      activeKeys: async () => [key],
      clock: { now: () => 0 },
      onSigningFailed: (error) => {
        throw error;
      },
      onSession: () => {},
    });
    const mail = { id: "a", envelopeSender: "b@masks.example", recipient: "c@home.example", createdAt: 0 };
    const whole = withContent(mail, content);
    const pieces = {
      ...whole,
      chunks: async function* () {
        for (let at = 0; at < content.length; at += 10) yield content.subarray(at, at + 10);
      },
    };
    try {
      return { outcome: await transport.send(isInMemory ? whole : pieces), mails: sink.mails };
    } finally {
      transport.abort();
      await sink.close();
    }
  };
  const textOf = (mails: Sink["mails"]): Buffer => mails[0]?.content ?? Buffer.alloc(0);
  /** Whether the signature is of the body as it was sent. */
  const isSigned = (sent: Buffer): boolean => {
    const body = sent.subarray(sent.indexOf("\r\n\r\n") + 4);
    const hash = createHash("sha256").update(body).digest("base64");
    return sent.toString("latin1").replace(/\s/g, "").includes(`bh=${hash}`);
  };

  for (const isInMemory of [true, false])
    it(`is written in 7 bits, then signed, where the server takes no other, ${isInMemory ? "in memory" : "in pieces"}`, async () => {
      const { outcome, mails } = await sendTo({ takesSevenBit: true }, letter, isInMemory);
      expect(outcome.kind).to.equal("delivered");
      const sent = textOf(mails);
      expect(isAscii(sent), sent.toString()).to.equal(true);
      expect(isSigned(sent)).to.equal(true);
      const { subject, text } = await PostalMime.parse(sent);
      expect([subject, text?.trim()]).to.deep.equal(["Grüße", "Grüße"]);
    });

  it("keeps its bytes where the server takes them, which is told that its header has UTF-8", async () => {
    const { outcome, mails } = await sendTo({}, letter);
    expect(outcome.kind).to.equal("delivered");
    expect(textOf(mails).subarray(-letter.length).equals(letter)).to.equal(true);
    expect(mails[0]?.isUtf8).to.equal(true);
    const ascii = await sendTo({}, Buffer.from("Subject: x\r\n\r\nGrüße\r\n"));
    expect(ascii.mails[0]?.isUtf8).to.equal(false);
  });

  it("has encoded words where its header is not even UTF-8, for servers without SMTPUTF8", async () => {
    const latin1 = Buffer.from("Subject: Gr\xfc\xdfe\r\n\r\nGr\xfc\xdfe\r\n", "latin1");
    const sent = textOf((await sendTo({ hidesUtf8: true }, latin1)).mails);
    expect(sent.toString("latin1")).to.match(/\r\nSubject: =\?UTF-8\?.*\r\n\r\nGr\xfc\xdfe\r\n$/);
    expect((await PostalMime.parse(sent)).subject).to.equal("Grüße");
    const { mails } = await sendTo({}, latin1);
    expect(textOf(mails).subarray(-latin1.length).equals(latin1)).to.equal(true);
    expect(mails[0]?.isUtf8).to.equal(false);
  });

  it("is refused where a signed part would have to change", async () => {
    const { outcome, mails } = await sendTo({ takesSevenBit: true }, signedPart);
    expect(outcome).to.deep.equal({
      kind: "permanent",
      answer: "554 5.6.3 The next server takes no mail of 8 bits, and this one cannot be changed",
    });
    expect(mails).to.deep.equal([]);
    expect((await sendTo({}, signedPart)).outcome.kind).to.equal("delivered");
  });
});
