import { expect } from "chai";
import { sendRaw } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("A client that sends too many requests", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const signInFrom = (address: string, email: string) =>
    server.client().call("POST", "/login", { body: { email }, headers: { "x-forwarded-for": address } });

  it("may request 30 codes a minute from one IP address, then gets 429 with Retry-After", async () => {
    for (let count = 0; count < 30; count++)
      expect((await signInFrom("203.0.113.7", `a${count}@example.org`)).status).to.equal(200);
    const { status, headers, json } = await signInFrom("203.0.113.7", "b@example.org");
    expect(status).to.equal(429);
    expect(Number(headers.get("retry-after"))).to.be.within(1, 60);
    expect(json).to.deep.equal({ message: "Too many requests. Please try again in a moment." });
    expect((await signInFrom("203.0.113.8", "b@example.org")).status).to.equal(200);
  });

  it("is counted by its /64 network when it uses IPv6", async () => {
    for (let count = 0; count < 30; count++)
      expect((await signInFrom(`2001:db8::${count + 1}`, `c${count}@example.org`)).status).to.equal(200);
    expect((await signInFrom("2001:db8::ffff", "d@example.org")).status).to.equal(429);
    expect((await signInFrom("2001:db8:1::1", "d@example.org")).status).to.equal(200);
  });

  it("has a higher limit on the same machine without a proxy", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        server.client().call("POST", "/login", { body: { email: `e${n}@example.org` } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });

  it("cannot avoid the limit with requests to unknown paths", async () => {
    const headers = { "x-forwarded-for": "203.0.113.99" };
    const statuses = new Set<number>();
    for (let round = 0; round < 13; round++)
      for (const { status } of await Promise.all(
        Array.from({ length: 100 }, () => sendRaw(server.origin, { path: "/nothing", headers })),
      ))
        statuses.add(status);
    expect(statuses).to.deep.equal(new Set([404, 429]));
  });
});
