import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { createSentryReporter, loadSentryClient } from "../../../adapters/sentry/sentryReporter.ts";

/** Starts a Sentry server that records the first report it receives. */
const project = async () => {
  let keep: (body: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    keep = resolve;
  });
  const server = createServer(async (request, response) => {
    keep(await text(request));
    response.setHeader("access-control-allow-origin", "*").end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { dsn: `http://publickey@127.0.0.1:${port}/1`, first, stop };
};

describe("Reports to Sentry", () => {
  it("contain the error and its location, and no user data", async () => {
    const { dsn, first, stop } = await project();
    const error = new TypeError(
      "no mask for ada@example.org, code 123456, token eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl",
    );
    createSentryReporter(dsn, loadSentryClient).report(error, {
      part: "masks",
      requestId: "0123456789abcdef0123456789abcdef",
    });
    const sent = await first;
    stop();
    const event = JSON.parse(sent.trim().split("\n").at(-1) ?? "");
    expect(event.exception.values[0]).to.include({
      type: "TypeError",
      value: "no mask for [address], code [code], token [token]",
    });
    expect(event.exception.values[0].stacktrace.frames.at(-1).filename).to.include("sentryReporter.test.ts");
    expect(event.tags).to.deep.equal({ part: "masks", requestId: "0123456789abcdef0123456789abcdef" });
    for (const secret of ["ada@", "123456,", "eyJ"]) expect(sent, secret).to.not.include(secret);
    expect(event).to.not.have.any.keys("request", "user", "breadcrumbs", "extra");
  });

  it("are not sent without a project, and say that nobody receives them", () => {
    for (const dsn of [undefined, ""]) {
      const reporter = createSentryReporter(dsn, loadSentryClient);
      reporter.report(new Error("quiet"), {});
      expect(reporter.isReceived).to.equal(false);
    }
    expect(createSentryReporter("http://key@127.0.0.1:1/1", loadSentryClient).isReceived).to.equal(true);
  });
});
