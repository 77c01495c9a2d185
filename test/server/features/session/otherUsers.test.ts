import { expect } from "chai";
import { pathOf } from "../../../../core/api/endpoint.ts";
import { hourMs } from "../../../../core/kernel/durations.ts";
import { allowBystander, bystanderMarker } from "../../../support/bystanderMarker.ts";
import { namesOfBystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { everyCall, requestsNaming } from "../../support/everyCall.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("A session of another user", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ defaultTier: "self_hosted" });
  });
  // Fails when a row of the bystander has changed.
  after(() => server?.stop());

  const mark = new RegExp(bystanderMarker, "i");
  /** Those that take tokens too are tried with one (`apiTokens/otherUsers.test.ts`). */
  const calls = everyCall.filter(
    ({ value }) => value.authentication === "session" && value.tokens === "none" && !value.isStream,
  );

  let count = 0;
  /** A new account: what an earlier call has ended or used up concerns another one. */
  const signInEve = async (): Promise<Client> => {
    count += 1;
    const eve = await server.signIn(`eve${count}@home.example`);
    expect(eve.token).to.be.a("string");
    return eve;
  };

  for (const declared of calls) {
    const { method, path } = declared.value;
    it(`sees and changes nothing of the bystander by ${method} ${path}`, async () => {
      allowBystander("answers repeat what was sent");
      let eve = await signInEve();
      for (const { thing, params, body } of requestsNaming(declared, namesOfBystander)) {
        const call = () => eve.call(method, pathOf(path, params), { body });
        let { status, text } = await call();
        if (status === 429) {
          server.clock.advance(hourMs);
          eve = await signInEve();
          ({ status, text } = await call());
        }
        const sent = JSON.stringify([params, body]);
        const unsent = text.replaceAll(thing, "").replaceAll(encodeURIComponent(thing), "");
        expect(mark.test(unsent), `${status} for ${sent}: ${text.slice(0, 300)}`).to.equal(false);
        expect(status, `${sent}: ${text}`).to.be.below(500).and.not.oneOf([401, 429]);
        if (path.includes("/:")) expect(status, `${sent}: it is there`).to.be.at.least(400);
        if (path === "/account" || path === "/logout") eve = await signInEve();
      }
    });
  }
});
