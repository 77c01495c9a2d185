import { Writable } from "node:stream";
import { expect } from "chai";
import { pino } from "pino";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { Delivery } from "../../../server/delivery/delivery.ts";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { useSqlite } from "../support/databases.ts";
import { createListener, maskDomain } from "../support/listener.ts";
import { addMask, addOwner } from "../support/owners.ts";
import { newStorage } from "../support/runningDelivery.ts";
import { startSink } from "../support/sink.ts";
import { connectSmtp } from "../support/smtpClient.ts";
import { createTestClock } from "../support/testClock.ts";
import { until } from "../support/until.ts";

describe("The operator's log", () => {
  const { database } = useSqlite();

  it("contains deliveries, refusals and errors, and never an address, a subject or a word of a mail", async () => {
    const lines: string[] = [];
    const sinkStream = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const log = pino({ level: "trace" }, sinkStream);
    const owner = await addOwner(database().db);
    const masks = [await addMask(database().db, owner), await addMask(database().db, owner)];
    const sink = await startSink();
    let first = true;
    sink.onContent = ({ to }) => {
      const answer = first ? `550 5.7.1 ${to} does not want SecretSubject` : null;
      first = false;
      return answer;
    };
    const common = { database: database(), clock: createTestClock(), random: cryptoRandom, log };
    const transport = createNextHopTransport(
      { host: "127.0.0.1", port: sink.port, secure: false },
      maskDomain,
      1,
    );
    const delivery = new Delivery({
      ...common,
      ...newStorage(database()),
      transport,
      onOwnerNotified: () => {},
      concurrency: 1,
    });
    const listener = await createListener({
      ...common,
      onQueued: delivery.wake,
      // Some libraries quote the input that they could not parse.
      findEncryption: async () => () => async (content) => {
        const text = Buffer.from(content).toString();
        if (text.includes("Stumble")) throw new Error(`cannot read ${text}\n    at secret`);
        return content;
      },
    });
    const stop = delivery.start();
    const { port } = await listener.start();

    const client = await connectSmtp(port);
    const mail = "From: secret@sender.example\r\nSubject: SecretSubject\r\n\r\nSecretWord\r\n";
    for (const { email } of masks)
      expect(await client.mail("secret@sender.example", [email], mail)).to.match(/^250/);
    expect(
      await client.mail("secret@sender.example", [masks[0]?.email ?? ""], `${mail}Stumble\r\n`),
    ).to.match(/^451 4\.3\.0/);
    await client.envelope("secret@sender.example", ["nobody@masks.example", "a@b.example"]);
    const broken = await connectSmtp(port);
    await broken.envelope("secret@sender.example", [masks[0]?.email ?? ""]);
    await broken.say("DATA");
    broken.write("SecretWord");
    broken.destroy();
    await until("both were settled", async () => {
      const left = await database()
        .db.selectFrom("queue")
        .select("id")
        .where("status", "=", "waiting")
        .execute();
      return left.length === 0;
    });
    await database().db.schema.dropTable("mask_addresses").execute();
    expect((await client.envelope("secret@sender.example", [masks[0]?.email ?? ""])).join()).to.match(
      /^451 4\.3\.0|503/,
    );
    client.destroy();
    await listener.stop();
    await stop();
    await sink.close();

    const output = lines.join("");
    expect(output)
      .to.include("a mail was delivered")
      .and.include("a mail failed")
      .and.include("receiving a mail failed");
    expect(output).not.to.match(/@|secret|home\.example|masks\.example/i);
  });
});
