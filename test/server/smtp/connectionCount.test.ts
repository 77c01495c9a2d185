import { expect } from "chai";
import { makeConnectionCount } from "../../../server/smtp/connectionCount.ts";

const from = (remoteAddress: string) => ({ remoteAddress });

describe("The count of connections", () => {
  it("lets 50 from one address in, the next when one has left, and others all the while", () => {
    const count = makeConnectionCount();
    const sessions = Array.from({ length: 50 }, () => from("192.0.2.7"));
    expect(sessions.every((session) => count.enter(session))).to.equal(true);
    const late = from("192.0.2.7");
    expect(count.enter(late)).to.equal(false);
    expect(count.enter(from("192.0.2.8"))).to.equal(true);
    count.leave(late);
    expect(count.enter(late)).to.equal(false);
    for (const session of sessions.slice(0, 1)) count.leave(session);
    expect(count.enter(late)).to.equal(true);
    expect(count.enter(from("192.0.2.7"))).to.equal(false);
  });

  it("does not limit this machine's own programs", () => {
    const count = makeConnectionCount();
    const own = Array.from({ length: 400 }, (_, index) => from(index % 2 ? "127.0.0.1" : "::1"));
    expect(own.every((session) => count.enter(session))).to.equal(true);
  });
});
