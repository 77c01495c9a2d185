import { expect } from "chai";
import { closeTimeoutMs } from "../../../server/smtp/smtpLimits.ts";
import { bystander } from "../support/bystander.ts";
import { useSqlite } from "../support/databases.ts";
import { plainMail as mail } from "../support/plainMail.ts";
import { useRelay } from "../support/relay.ts";

describe("Stopping the SMTP server", () => {
  const { database } = useSqlite();
  const { mask, relay } = useRelay(database);

  it("accepts the mail that is arriving, and closes idle connections immediately with 421", async () => {
    const [idle, busy] = [await relay.connect(), await relay.connect()];
    await busy.envelope("a@b.example", [mask.email]);
    await busy.say("DATA");
    busy.write("From: Shop <orders@shop.example>\r\n");
    const stopped = relay.listener.stop();
    expect(relay.listener.ready()).to.equal(false);
    expect(await idle.reply()).to.match(/^421 4\.3\.2 /);
    await idle.closed;
    busy.write("Subject: Hello\r\n\r\nHello.\r\n.\r\n");
    expect(await busy.reply()).to.match(/^250 /);
    let hasStopped = false;
    void stopped.then(() => {
      hasStopped = true;
    });
    await new Promise(setImmediate);
    expect(hasStopped, "while a connection is open").to.equal(false);
    expect(await busy.say("NOOP")).to.match(/^421 /);
    await stopped;
    expect(
      await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("recipient")
        .execute(),
    ).to.have.lengthOf(1);
    await relay.connect().then(
      () => expect.fail("it still listens"),
      () => {},
    );
  });

  it("waits at most 4 s for a sender that does not continue, and keeps nothing of its mail", async () => {
    const client = await relay.connect();
    await client.envelope("a@b.example", [mask.email]);
    await client.say("DATA");
    client.write(mail);
    expect(closeTimeoutMs).to.be.at.most(4_000);
    await relay.listener.stop();
    await client.closed;
    expect(
      await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("recipient")
        .execute(),
    ).to.deep.equal([]);
  });

  it("names the port that is in use at the start", async () => {
    const { createListener } = await import("../support/listener.ts");
    const { systemClock } = await import("../../../adapters/system/clockAndRandom.ts");
    const second = await createListener({ port: relay.port, database: database(), clock: systemClock });
    const error = await second.start().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(String(error)).to.include("EADDRINUSE").and.include(String(relay.port));
    expect(second.ready()).to.equal(false);
  });
});
