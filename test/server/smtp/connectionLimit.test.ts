import { expect } from "chai";
import { createConnectionLimit } from "../../../server/smtp/connectionLimit.ts";

const from = (remoteAddress: string) => ({ remoteAddress });

describe("The count of connections", () => {
  it("lets 50 from one address in, the next when one has left, and others all the while", () => {
    const count = createConnectionLimit();
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

  it("takes all addresses of a network of IPv6 for one, as whoever has one has them all", () => {
    const count = createConnectionLimit();
    const sessions = Array.from({ length: 50 }, (_, index) => from(`2001:db8:0:7::${index.toString(16)}`));
    expect(sessions.every((session) => count.enter(session))).to.equal(true);
    for (const address of ["2001:db8:0:7:ffff:1:2:3", "2001:DB8::7:0:0:0:9", "2001:db8:0:7::5%eth0"])
      expect(count.enter(from(address)), address).to.equal(false);
    expect(count.enter(from("2001:db8:0:8::1"))).to.equal(true);
    expect(count.enter(from("::ffff:192.0.2.7"))).to.equal(true);
    for (const session of sessions.slice(0, 1)) count.leave(session);
    expect(count.enter(from("2001:db8:0:7::1"))).to.equal(true);
  });

  it("does not limit this machine's own programs", () => {
    const count = createConnectionLimit();
    const own = Array.from({ length: 400 }, (_, index) => from(index % 2 ? "127.0.0.1" : "::1"));
    expect(own.every((session) => count.enter(session))).to.equal(true);
  });
});
