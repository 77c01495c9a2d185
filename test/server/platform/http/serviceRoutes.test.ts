import { expect } from "chai";
import { sendRaw } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`GET /metrics, on ${store.name} (D60)`, () => {
    let server: TestServer;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store, ready: () => ({ smtp: true, store: false }) });
    });
    afterEach(() => server?.stop());

    const lines = async () => {
      const answer = await server.client().call("GET", "/metrics");
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("content-type")).to.equal("text/plain; version=0.0.4; charset=utf-8");
      return answer.text.split("\n").filter((line) => line !== "");
    };

    it("reports the figures of the server to the operator's monitoring", async () => {
      const ada = await server.signIn("ada@home.example");
      await ada.call("POST", "/masks", { body: { description: "Shop" } });
      server.clock.advance(90_000);
      expect(await lines()).to.include.members([
        'bauta_ready{part="smtp"} 1',
        'bauta_ready{part="store"} 0',
        "bauta_users 1",
        "bauta_masks 1",
        'bauta_mails{status="waiting"} 1',
        'bauta_mails{status="failed"} 0',
        "bauta_oldest_waiting_mail_seconds 90",
        "# TYPE bauta_http_answers_total counter",
        'bauta_http_answers_total{status="5xx"} 0',
        "bauta_sockets 0",
      ]);
    });

    it("counts HTTP answers", async () => {
      const before = await lines();
      const count = (all: readonly string[]) =>
        Number(all.find((line) => line.startsWith('bauta_http_answers_total{status="4xx"} '))?.split(" ")[1]);
      await server.client().call("GET", "/nothing");
      expect(count(await lines())).to.equal(count(before) + 1);
    });

    it("contains no personal data, and every line is well-formed", async () => {
      await server.signIn("ada@home.example");
      for (const line of await lines())
        expect(line).to.match(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="\w+"\})? \d+(?:\.\d+)?)$/);
      expect((await lines()).join()).to.not.include("ada");
    });

    it("answers 404 to requests through a proxy or with another host name", async () => {
      for (const headers of [{ "x-forwarded-for": "203.0.113.9" }, { host: "mail.example.org" }]) {
        const { status } = await sendRaw(server.origin, { path: "/metrics", headers });
        expect(status).to.equal(404);
      }
    });
  });
