import { createServer, type Server } from "node:net";
import { expect } from "chai";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { bystander } from "../support/bystander.ts";
import { useSqlite } from "../support/databases.ts";
import { queueMail, startDelivery } from "../support/runningDelivery.ts";
import { startSink } from "../support/sink.ts";
import { createTestClock } from "../support/testClock.ts";
import { until } from "../support/until.ts";

const silentServer = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
};

describe("Stopping the delivery", () => {
  const { database } = useSqlite();
  const rows = () =>
    database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .execute();

  it("finishes the mails that are being sent and returns the others to the queue", async () => {
    const clock = createTestClock();
    const sink = await startSink({ slowMs: 300 });
    for (let count = 0; count < 20; count += 1) await queueMail(database().db, {}, clock.now());
    const hop = { host: "127.0.0.1", port: sink.port, secure: false };
    const delivery = startDelivery(database(), createNextHopTransport(hop, "masks.example", 2), clock, 2);
    await until("the first are under way", () => sink.mails.length >= 2);
    await delivery.stop();
    expect(delivery.ready()).to.equal(false);
    const all = await rows();
    expect(all.filter(({ status }) => status === "delivered")).to.have.lengthOf(sink.mails.length);
    const left = all.filter(({ status }) => status === "waiting");
    expect(left.length)
      .to.equal(20 - sink.mails.length)
      .and.be.greaterThan(0);
    expect(
      left.every(({ lease, attempts, content }) => lease === null && attempts === 0 && content !== null),
    ).to.equal(true);
    await sink.close();
  });

  it("disconnects within 5 s from a next hop that does not answer, and keeps the mail for later", async () => {
    const clock = createVirtualClock();
    const { server, port } = await silentServer();
    const id = await queueMail(database().db, {}, clock.now());
    const hop = { host: "127.0.0.1", port, secure: false };
    const delivery = startDelivery(database(), createNextHopTransport(hop, "masks.example", 2), clock);
    await until("it is under way", async () => (await rows())[0]?.lease !== null);
    const stopped = delivery.stop();
    await until("it waits for the mail", () => clock.dueWithin(5_000) > 0);
    await clock.advance(4_000);
    await stopped;
    expect((await rows())[0]).to.include({ id, status: "waiting", lease: null });
    server.close();
  });
});
