import { PassThrough } from "node:stream";
import { expect } from "chai";
import type { SMTPServerDataStream } from "smtp-server";
import { makeSpool } from "../../../server/smtp/spool.ts";
import { makeVirtualClock, settled } from "../../fakes/virtualClock.ts";

const makeStream = (): SMTPServerDataStream =>
  Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });

describe("The spool", () => {
  const clock = makeVirtualClock();
  const makeOne = () => makeSpool({ capacity: 100, timeoutMs: 60_000 }, clock);

  const filled = async (spool: ReturnType<typeof makeOne>, bytes: number) => {
    const stream = makeStream();
    const received = spool.receive(stream);
    stream.end(Buffer.alloc(bytes, "x"));
    return received;
  };

  it("keeps whole mails as long as there is room for all of them together", async () => {
    const spool = makeOne();
    expect((await filled(spool, 60)).kind).to.equal("whole");
    expect((await filled(spool, 60)).kind).to.equal("no-room");
    expect((await filled(spool, 40)).kind).to.equal("whole");
    expect(spool.take(1)).to.equal(false);
    spool.give(100);
    expect((await filled(spool, 100)).kind).to.equal("whole");
  });

  it("counts mails that are still arriving, and frees at once what it cannot keep", async () => {
    const spool = makeOne();
    const [slow, greedy] = [makeStream(), makeStream()];
    const first = spool.receive(slow);
    slow.write(Buffer.alloc(50));
    await settled();
    const second = spool.receive(greedy);
    greedy.write(Buffer.alloc(40));
    await settled();
    expect(spool.take(20)).to.equal(false);
    greedy.write(Buffer.alloc(40));
    await settled();
    expect(spool.take(20)).to.equal(true);
    spool.give(20);
    greedy.end();
    slow.end(Buffer.alloc(50));
    expect([(await first).kind, (await second).kind]).to.deep.equal(["whole", "no-room"]);
  });

  it("frees everything when the sender goes away, or the mail grows too large", async () => {
    const spool = makeOne();
    const [gone, large] = [makeStream(), makeStream()];
    const [first, second] = [spool.receive(gone), spool.receive(large)];
    gone.write(Buffer.alloc(40));
    large.write(Buffer.alloc(40));
    await settled();
    gone.destroy();
    large.sizeExceeded = true;
    large.end(Buffer.alloc(10));
    expect([(await first).kind, (await second).kind]).to.deep.equal(["gone", "too-large"]);
    expect(spool.take(100)).to.equal(true);
  });

  it("waits no longer than its time for a mail that trickles", async () => {
    const spool = makeOne();
    const stream = makeStream();
    const received = spool.receive(stream);
    for (let minute = 0; minute < 2; minute += 1) {
      stream.write("x");
      await clock.advance(30_000);
    }
    expect((await received).kind).to.equal("too-slow");
    expect(stream.destroyed).to.equal(true);
    expect(spool.take(100)).to.equal(true);
  });
});
