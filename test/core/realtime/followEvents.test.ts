import { expect } from "chai";
import { type FollowedEvent, followEvents } from "../../../core/realtime/followEvents.ts";
import { createFakeTextStream } from "../../fakes/fakeTextStream.ts";
import { createSeededRandom } from "../../fakes/seededRandom.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

const open = (status = 200) => {
  const clock = createVirtualClock();
  const stream = createFakeTextStream();
  stream.answerWith(status);
  const heard: FollowedEvent[] = [];
  let hasEnded = false;
  const following = followEvents(
    { openTextStream: stream.open, clock, random: createSeededRandom() },
    { server: "https://mail.example.org", token: "bauta_t" },
  ).subscribe({
    next: (event) => heard.push(event),
    complete: () => {
      hasEnded = true;
    },
  });
  return {
    clock,
    stream,
    following,
    kinds: () => heard.map(({ kind }) => kind),
    messages: () => heard.flatMap((event) => (event.kind === "message" ? [event.message.type] : [])),
    hasEnded: () => hasEnded,
  };
};

const change = { type: "data_update", data: { resource: "masks", action: "created" } };

describe("A program that follows what changes", () => {
  it("hears each change, in whatever pieces it comes, and passes over what it does not know", () => {
    const { stream, messages } = open();
    stream.send("retry: 3000\n\n:\nid: a\n\n");
    const text = `id: b\ndata: ${JSON.stringify({ ...change, timestamp: 0 })}\n\n`;
    for (const character of text) stream.send(character);
    stream.tell({ type: "weather", data: {} });
    stream.send("data: {\n\n");
    stream.tell({ type: "reset", data: { message: "Too old" } });
    expect(messages()).to.deep.equal(["data_update", "reset"]);
  });

  it("goes on where the lost connection has ended, and reads nothing anew", async () => {
    const { stream, clock, kinds } = open();
    const id = stream.tell(change);
    stream.end();
    await clock.advance(5_000);
    expect(stream.requests.map((headers) => headers["last-event-id"])).to.deep.equal([undefined, id]);
    expect(kinds()).to.deep.equal(["began", "message", "lost"]);
  });

  it("begins anew where it has no id yet", async () => {
    const { stream, clock, kinds } = open();
    stream.end();
    await clock.advance(5_000);
    expect(kinds()).to.deep.equal(["began", "lost", "began"]);
  });

  it("connects again to a server that has fallen silent, and not to one that sends its comments", async () => {
    const { stream, clock } = open();
    for (let times = 0; times < 8; times += 1) {
      await clock.advance(15_000);
      stream.send(":\n\n");
    }
    expect(stream.requests).to.have.lengthOf(1);
    await clock.advance(50_000);
    expect(stream.requests).to.have.lengthOf(2);
  });

  it("asks a server that is away less and less often, until it is back", async () => {
    const { stream, clock, kinds } = open(503);
    await clock.advance(120_000);
    expect(stream.requests.length).to.be.within(5, 10);
    stream.answerWith(200);
    await clock.advance(36_000);
    expect(kinds().at(-1)).to.equal("began");
    const before = stream.requests.length;
    stream.end();
    await clock.advance(4_000);
    expect(stream.requests).to.have.lengthOf(before + 1);
  });

  it("is refused once, and asks no more", async () => {
    const { stream, clock, kinds, hasEnded } = open(401);
    await clock.advance(600_000);
    expect([stream.requests.length, kinds(), hasEnded()]).to.deep.equal([1, ["refused"], true]);
  });

  it("does not keep an event that has no end", () => {
    const { stream, kinds } = open();
    for (let times = 0; times < 11; times += 1) stream.send("x".repeat(100_000));
    expect([kinds(), stream.openCount()]).to.deep.equal([["began", "lost"], 0]);
  });

  it("ends the connection when it has heard enough", async () => {
    const { stream, clock, following } = open();
    following.unsubscribe();
    await clock.advance(600_000);
    expect([stream.openCount(), stream.requests.length]).to.deep.equal([0, 1]);
  });
});
