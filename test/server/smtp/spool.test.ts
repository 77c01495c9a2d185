import { PassThrough } from "node:stream";
import { expect } from "chai";
import type { SMTPServerDataStream } from "smtp-server";
import { createSpool } from "../../../server/smtp/spool.ts";
import { createVirtualClock, settled } from "../../fakes/virtualClock.ts";

const createStream = (): SMTPServerDataStream =>
  Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });

describe("The spool", () => {
  const clock = createVirtualClock();
  const createOne = () => createSpool({ capacity: 100, bytesPerNetwork: 60, timeoutMs: 60_000 }, clock);

  const filled = async (spool: ReturnType<typeof createOne>, bytes: number) => {
    const stream = createStream();
    const received = spool.receive(stream, null);
    stream.end(Buffer.alloc(bytes, "x"));
    return received;
  };

  it("keeps whole mails as long as there is room for all of them together", async () => {
    const spool = createOne();
    expect((await filled(spool, 60)).kind).to.equal("whole");
    expect((await filled(spool, 60)).kind).to.equal("no-room");
    expect((await filled(spool, 40)).kind).to.equal("whole");
    expect(spool.reserve(1)).to.equal(false);
    spool.release(100);
    expect((await filled(spool, 100)).kind).to.equal("whole");
  });

  it("counts mails that are still arriving, and frees at once what it cannot keep", async () => {
    const spool = createOne();
    const [slow, greedy] = [createStream(), createStream()];
    const first = spool.receive(slow, null);
    slow.write(Buffer.alloc(50));
    await settled();
    const second = spool.receive(greedy, null);
    greedy.write(Buffer.alloc(40));
    await settled();
    expect(spool.reserve(20)).to.equal(false);
    greedy.write(Buffer.alloc(40));
    await settled();
    expect(spool.reserve(20)).to.equal(true);
    spool.release(20);
    greedy.end();
    slow.end(Buffer.alloc(50));
    expect([(await first).kind, (await second).kind]).to.deep.equal(["whole", "no-room"]);
  });

  it("keeps most of the room from whoever begins mails and does not end them", async () => {
    const spool = createOne();
    const hanging = Array.from({ length: 5 }, createStream);
    const held = hanging.map((stream) => spool.receive(stream, "192.0.2.7"));
    for (const stream of hanging) {
      stream.write(Buffer.alloc(20));
      await settled();
    }
    expect(spool.reserve(40), "others have what is left").to.equal(true);
    spool.release(40);
    expect(spool.reserve(41)).to.equal(false);
    for (const stream of hanging) stream.end();
    const whole = (await Promise.all(held)).filter(({ kind }) => kind === "whole");
    expect(whole).to.have.length(3);
    const next = createStream();
    const received = spool.receive(next, "192.0.2.7");
    next.end(Buffer.alloc(40));
    expect((await received).kind, "what is whole counts no more for its sender").to.equal("whole");
  });

  it("frees everything when the sender goes away, or the mail grows too large", async () => {
    const spool = createOne();
    const [gone, large] = [createStream(), createStream()];
    const [first, second] = [spool.receive(gone, null), spool.receive(large, null)];
    gone.write(Buffer.alloc(40));
    large.write(Buffer.alloc(40));
    await settled();
    gone.destroy();
    large.sizeExceeded = true;
    large.end(Buffer.alloc(10));
    expect([(await first).kind, (await second).kind]).to.deep.equal(["gone", "too-large"]);
    expect(spool.reserve(100)).to.equal(true);
  });

  it("waits no longer than its time for a mail that trickles", async () => {
    const spool = createOne();
    const stream = createStream();
    const received = spool.receive(stream, null);
    for (let minute = 0; minute < 2; minute += 1) {
      stream.write("x");
      await clock.advance(30_000);
    }
    expect((await received).kind).to.equal("too-slow");
    expect(stream.destroyed).to.equal(true);
    expect(spool.reserve(100)).to.equal(true);
  });
});
