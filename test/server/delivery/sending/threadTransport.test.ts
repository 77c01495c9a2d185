import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { withHead } from "../../../../server/delivery/outgoingCopy.ts";
import { createThreadTransport } from "../../../../server/delivery/sending/threadTransport.ts";
import type { DeliveryOutcome, Transport } from "../../../../server/delivery/transport.ts";
import { createSpool } from "../../../../server/platform/spool/spoolFile.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const content = (n: number): Buffer => Buffer.from(`Subject: mail ${n}\r\n\r\n..${"x".repeat(n)}\r\n`);

const mailOf = (n: number) => ({
  id: `mail${n}`,
  envelopeSender: "bounces@masks.example",
  recipient: `owner${n}@home.example`,
  size: content(n).length,
  // Two slices of a larger buffer, as mail in memory is.
  chunks: () => [content(n).subarray(0, 9), content(n).subarray(9)],
  createdAt: 0,
});

const key = (algorithm: "rsa-sha256" | "ed25519-sha256") => ({
  selector: `${algorithm}1`,
  algorithm,
  privateKey:
    algorithm === "rsa-sha256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
      : generateKeyPairSync("ed25519").privateKey,
});

describe("Mail that is sent in a thread of its own", () => {
  const folder = useTemporaryFolder();
  let sink: Sink;
  let transport: Transport;
  const sentElsewhere: string[] = [];

  const start = async (signs: boolean): Promise<void> => {
    const keys = [key("rsa-sha256"), key("ed25519-sha256")];
    transport = createThreadTransport({
      options: {
        sources: [],
        tellsTls: false,
        nextHop: { host: "127.0.0.1", port: sink.port, secure: false },
        name: "masks.example",
        connections: 3,
        signs,
        deliveredLog: join(folder(), "delivered.log"),
        dataDir: folder(),
      },
      activeKeys: async () => keys,
      onSigningFailed: (error) => {
        throw error;
      },
      onSession: () => {},
      otherwise: {
        send: async ({ id }): Promise<DeliveryOutcome> => {
          sentElsewhere.push(id);
          return { kind: "delivered", answer: "250 ok" };
        },
        abort: () => {},
      },
    });
    await until("the thread is ready", async () => {
      await transport.send(mailOf(0));
      return sink.mails.length > 0;
    });
    sink.mails.length = 0;
    sentElsewhere.length = 0;
  };
  beforeEach(async () => {
    sink = await startSink({});
    sentElsewhere.length = 0;
  });
  afterEach(async () => {
    transport.abort();
    await sink.close();
  });

  it("is written down as delivered before this thread hears of it", async () => {
    await start(false);
    const outcome = await transport.send(mailOf(7));
    expect(outcome).to.have.property("isWrittenDown", true);
    expect(readFileSync(join(folder(), "delivered.log"), "utf8")).to.include(`${mailOf(7).id}\n`);
  });

  it("arrives once each, byte for byte, for its own recipient", async () => {
    await start(false);
    const mails = Array.from({ length: 200 }, (_, n) => mailOf(n));
    const outcomes = await Promise.all(mails.map((mail) => transport.send(mail)));
    expect(outcomes.every(({ kind }) => kind === "delivered")).to.equal(true);
    const arrived = sink.mails.map(({ to, content: bytes }) => [to, bytes.toString()]);
    expect(arrived.sort()).to.deep.equal(
      mails.map(({ recipient }, n) => [recipient, content(n).toString()]).sort(),
    );
  });

  it("is signed with each key", async () => {
    await start(true);
    await transport.send(mailOf(1));
    const text = sink.mails[0]?.content.toString() ?? "";
    expect(text.match(/^DKIM-Signature: .*$/gm)).to.have.lengthOf(2);
    expect(text.endsWith(content(1).toString())).to.equal(true);
  });

  it("gets the refusal of the next hop as its outcome, and each its own", async () => {
    await start(false);
    const [good, bad] = await Promise.all([
      transport.send(mailOf(1)),
      transport.send({ ...mailOf(2), recipient: "no one@home.example" }),
    ]);
    expect([good?.kind, bad?.kind]).to.deep.equal(["delivered", "permanent"]);
  });

  it("is read by the thread where it is in the spool, several times where it is signed", async () => {
    const spool = createSpool(folder(), true);
    const file = await spool.create();
    const body = Buffer.from(`${".x\r\n".repeat(200_000)}the end\r\n`);
    await file.append([Buffer.concat([Buffer.from("Subject: old\r\n"), body])]);
    await file.persist();
    await file.close();
    await start(true);
    const head = Buffer.from("Subject: new\r\n\r\n");
    const skip = "Subject: old\r\n".length;
    const mail = {
      ...mailOf(1),
      size: head.length + body.length,
      chunks: () => withHead(head, spool.read(file), skip),
    };
    expect((await transport.send(mail)).kind).to.equal("delivered");
    const arrived = sink.mails[0]?.content ?? Buffer.alloc(0);
    expect(arrived.toString("latin1").match(/^DKIM-Signature: .*$/gm)).to.have.lengthOf(2);
    expect(arrived.subarray(-mail.size).equals(Buffer.concat([head, body]))).to.equal(true);
    expect(sentElsewhere).to.deep.equal([]);
  });

  it("is sent by the other transport when its content is not in memory", async () => {
    await start(false);
    const chunks = async function* () {
      yield content(1);
    };
    expect((await transport.send({ ...mailOf(1), chunks })).kind).to.equal("delivered");
    expect([sentElsewhere, sink.mails]).to.deep.equal([["mail1"], []]);
  });

  it("is tried again later when sending has ended", async () => {
    await start(false);
    await transport.send(mailOf(1));
    transport.abort();
    expect((await transport.send(mailOf(2))).kind).to.equal("temporary");
    expect(sink.mails).to.have.lengthOf(1);
  });
});
