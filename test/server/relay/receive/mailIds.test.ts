import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { useSqlite } from "../../support/databases.ts";
import { maskDomain, startListener } from "../../support/listener.ts";
import { createLogLines } from "../../support/logLines.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { startDelivery } from "../../support/runningDelivery.ts";
import { startSink } from "../../support/sink.ts";
import { untilBy } from "../../support/until.ts";

const mail = "From: bob@shop.example\r\nSubject: x\r\n\r\nHello\r\n";

describe("The operator's log of a mail, at level info", () => {
  const { database } = useSqlite();

  it("names it by one id from its arrival over each attempt to its delivery, which its Received field has too", async () => {
    const { log, entries } = createLogLines();
    const owner = await addOwner(database().db);
    const masks = [await addMask(database().db, owner), await addMask(database().db, owner)];
    const sink = await startSink();
    let attempts = 0;
    sink.onContent = () => {
      attempts += 1;
      return attempts === 1 ? "450 4.2.0 Later" : null;
    };
    const transport = createNextHopTransport(
      { host: "127.0.0.1", port: sink.port, secure: false },
      maskDomain,
      1,
    );
    const relay = await startListener(database(), undefined, { log });
    const delivery = startDelivery(database(), transport, relay.clock, 1, { log, random: cryptoRandom });
    const client = await relay.connect();
    const addresses = masks.map(({ email }) => email);
    expect(await client.mail("bob@shop.example", addresses, mail)).to.match(/^250/);
    delivery.wake();
    const delivered = () => entries().filter(({ msg }) => msg === "a mail was delivered");
    await untilBy(relay.clock, 1_000)("both were delivered", () => delivered().length === 2);
    await delivery.stop();
    await relay.close();
    await sink.close();

    const [arrival] = entries();
    expect(arrival).to.include({ msg: "mail", outcome: "queued", code: 250 });
    const later = entries().slice(1);
    expect(later.map(({ msg }) => msg)).to.have.members([
      "a mail will be retried",
      "a mail was delivered",
      "a mail was delivered",
    ]);
    for (const entry of later) expect(entry["mail"]).to.equal(arrival?.["mail"]);
    expect(new Set(later.map(({ id }) => id)).size).to.equal(2);
    expect(sink.mails[0]?.content.toString()).to.include(` id ${arrival?.["mail"]};`);
  });

  it("has a line for a mail that is refused, and one with the address of who is refused a recipient", async () => {
    const { log, entries } = createLogLines();
    const mask = await addMask(database().db, await addOwner(database().db));
    const relay = await startListener(database(), undefined, { log });
    const client = await relay.connect();
    expect(await client.mail("bob@shop.example", [mask.email], `From: a@b.example\r\n${mail}`)).to.match(
      /^5/,
    );
    await client.envelope("bob@shop.example", [`nobody@${maskDomain}`]);
    await relay.close();
    const [refused, stranger] = entries();
    expect(refused).to.include({ msg: "mail", outcome: "refused", code: 550 });
    expect(refused?.["mail"]).to.match(/^[\w-]{12}$/);
    expect({ ...stranger, time: 0 }).to.deep.equal({
      level: 30,
      time: 0,
      refused: "recipient",
      ip: "127.0.0.1",
      network: "127.0.0.1",
      msg: "a stranger was refused",
    });
  });
});
