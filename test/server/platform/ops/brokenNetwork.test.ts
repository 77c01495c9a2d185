import { expect } from "chai";
import { type RunningServer, startServer } from "../../../e2e/support/server.ts";
import { bauta } from "../../cli/support.ts";
import { startServer as startHttp } from "../../support/startServer.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

/** The system refuses to send to it, as to a resolver without a route. */
const unreachableResolver = "255.255.255.255";

describe("A server in a broken network", () => {
  const folder = useTemporaryFolder();
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    await server?.removeData();
    server = undefined;
  });

  it("goes on without a route to its resolver, and keeps the mail that it cannot send", async () => {
    server = await startServer({ DNS_SERVER: unreachableResolver, NEXT_HOP: "mx" });
    const answer = await fetch(`${server.url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@example.org" }),
    });
    expect(answer.ok).to.equal(true);
    const settings = { DATA_DIR: server.dataDir };
    for (;;) {
      const { out } = await bauta(settings, "queue", "list", "--json");
      const [mail] = (JSON.parse(out) as { mails: { attempts: number; lastAnswer: string | null }[] }).mails;
      if (mail === undefined || mail.lastAnswer === null) continue;
      expect(mail.lastAnswer).to.contain("4.4.3");
      break;
    }
    expect((await fetch(`${server.url}/healthz`)).status).to.equal(200);
    expect(await server.stop()).to.equal(0);
  });

  it("is examined by doctor without a route to the resolver, over IPv4 and IPv6", async () => {
    for (const resolver of [unreachableResolver, "[fe80::1%none]:53"]) {
      const settings = {
        DATA_DIR: folder(),
        DNS_SERVER: resolver,
        MASK_DOMAIN: "m.invalid",
        PUBLIC_URL: "https://app.m.invalid",
        NEXT_HOP: "mx",
      };
      const { code, out, errors } = await bauta(
        settings,
        "doctor",
        ...["--mail-server", "127.0.0.1:1", "--time-server", "127.0.0.1:1"],
      );
      expect(errors).to.equal("");
      expect(out).to.contain("DNS does not answer").and.contain("problems were found");
      expect(code).to.equal(1);
    }
  });

  it("goes on when the system cannot accept a connection", async () => {
    const app = await startHttp();
    const failure = Object.assign(new Error("accept ENFILE"), { code: "ENFILE" });
    app.http.emit("error", failure);
    expect(app.logged.join("")).to.contain("accepting a connection for HTTP failed").and.contain("ENFILE");
    expect((await fetch(`${app.origin}/healthz`)).status).to.equal(200);
    await app.stop();
  });
});
