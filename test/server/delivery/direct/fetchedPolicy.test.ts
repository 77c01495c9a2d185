import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect } from "chai";
import { createTlsPolicies } from "../../../../server/delivery/direct/tlsPolicies.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { skipWithout } from "../../../support/missing.ts";
import { createTestAuthority, type TestAuthority } from "../../support/certificates.ts";
import { useSqlite } from "../../support/databases.ts";

const host = "127.0.0.143";
const policyText = "version: STSv1\nmode: enforce\nmx: *.home.example\nmax_age: 86400\n";

describe("A policy for TLS (MTA-STS) over HTTPS", () => {
  const { database } = useSqlite();
  const usual = getCACertificates("default");
  let authority: TestAuthority;
  let server: Server | undefined;

  before(function () {
    if (spawnSync("openssl", ["version"]).error) skipWithout(this, "openssl");
    authority = createTestAuthority();
    setDefaultCACertificates([...usual, authority.cert]);
  });
  after(() => setDefaultCACertificates(usual));
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  /** Returns the mode of the policy that this server gives, or the result that is counted. */
  const modeFrom = async (
    context: Mocha.Context,
    answer: RequestListener,
    name = "mta-sts.home.example",
  ): Promise<string> => {
    const started = createServer(authority.issue(name), answer);
    server = started;
    started.listen(443, host);
    await once(started, "listening").catch(() => skipWithout(context, "port 443"));
    const failures: string[] = [];
    const policies = createTlsPolicies({
      db: database().db,
      clock: createVirtualClock(),
      resolve: async (_name, type) => (type === "TXT" ? [["v=STSv1; id=1;"]] : [host]),
      onFailed: (result) => failures.push(result),
    });
    const found = await policies.find("home.example");
    return found?.mode ?? failures.join();
  };
  const text =
    (body: string, status = 200): RequestListener =>
    (_request, response) =>
      response.writeHead(status, { "content-type": "text/plain" }).end(body);

  it("is read from its place", async function () {
    const asked: string[] = [];
    const mode = await modeFrom(this, (request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      text(policyText)(request, response);
    });
    expect(mode).to.equal("enforce");
    expect(asked).to.deep.equal(["mta-sts.home.example/.well-known/mta-sts.txt"]);
  });

  it("does not count when the certificate is for another name", async function () {
    expect(await modeFrom(this, text(policyText), "home.example")).to.equal("sts-policy-fetch-error");
  });

  it("does not count when the host redirects, has none, or sends without end", async function () {
    const endless: RequestListener = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (error?: Error | null): void => {
        if (!error && !response.destroyed)
          setImmediate(() => response.write("mx: a.example\n".repeat(1_000), more));
      };
      more();
    };
    for (const answer of [text(policyText, 301), text("", 404), endless]) {
      expect(await modeFrom(this, answer)).to.equal("sts-policy-fetch-error");
      server?.closeAllConnections();
      server?.close();
    }
  });

  it("does not count when it is invalid", async function () {
    expect(await modeFrom(this, text("version: STSv1\nmode: sometimes\n"))).to.equal("sts-policy-invalid");
  });
});
