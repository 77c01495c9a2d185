import { expect } from "chai";
import { perMinute } from "../../../../server/platform/http/httpLimits.ts";
import { startServer } from "../../support/startServer.ts";

/** Sends requests as a proxy for many clients, each with another X-Forwarded-For; returns the statuses. */
const statuses = async (trustedProxies: readonly string[]): Promise<ReadonlySet<number>> => {
  const server = await startServer({ trustedProxies });
  const seen = new Set<number>();
  for (let count = 0; count < perMinute.signIn * 2; count += 1) {
    const headers = { "x-forwarded-for": `203.0.113.${count % 250}` };
    seen.add((await server.client().call("GET", "/confirm?token=x", { headers })).status);
  }
  await server.stop();
  return seen;
};

describe("The client that a request counts for", () => {
  it("is the one that a trusted proxy forwards; by default a proxy on the same machine is trusted", async () => {
    expect([...(await statuses(["loopback"]))]).to.deep.equal([404]);
  });

  it("is the sender itself when it is no trusted proxy, so that a client cannot pose as many", async () => {
    expect([...(await statuses(["192.0.2.7"]))]).to.deep.equal([404, 429]);
  });
});
