import { expect } from "chai";
import { sendRaw } from "../../support/client.ts";
import { queueMail } from "../../support/runningDelivery.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore, type TestStore } from "../../support/stores.ts";

/** A store that a test may close before its server does. */
const closedOnce = (store: TestStore): TestStore => ({
  ...store,
  open: async () => {
    const database = await store.open();
    let closed: Promise<void> | undefined;
    return {
      ...database,
      close: () => {
        closed ??= database.close();
        return closed;
      },
    };
  },
});

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
        // The bystander and its mask are counted too.
        "bauta_users 2",
        "bauta_masks 2",
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
        expect(line).to.match(
          /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[\w/:.+*-]+"(?:,\w+="[\w/:.+*-]+")*\})? \d+(?:\.\d+)?(?:e-\d+)?)$/,
        );
      expect((await lines()).join()).to.not.include("ada");
    });

    it("answers while the store is away, with what it knew of it", async () => {
      await server.stop();
      server = await startServer({ store: closedOnce(store) });
      await server.signIn("ada@home.example");
      expect(await lines()).to.include.members(["bauta_store_up 1", "bauta_users 2"]);
      await server.database.close();
      expect(await lines()).to.include.members(["bauta_store_up 0", "bauta_users 2"]);
    });

    it("counts no mail that is delivered, and each that waits, failed or is held", async () => {
      const { db } = server.database;
      for (const status of ["delivered", "failed"] as const) {
        const id = await queueMail(db, {}, server.clock.now());
        await db.updateTable("queue").set({ status }).where("id", "=", id).execute();
      }
      const all = await lines();
      expect(all).to.include.members(['bauta_mails{status="waiting"} 0', 'bauta_mails{status="failed"} 1']);
      // The bystander has one.
      expect(all).to.include.members(['bauta_mails{status="held"} 1', "bauta_oldest_waiting_mail_seconds 0"]);
      expect(all.join()).to.not.include("delivered");
    });

    it("times requests by their route, and calls none by its address", async () => {
      const ada = await server.signIn("ada@home.example");
      await ada.call("GET", "/masks/secret-id");
      await ada.call("GET", "/no/such/place");
      const all = (await lines()).join("\n");
      expect(all).to.match(/bauta_http_request_seconds_count\{method="GET",route="\/masks\/:id"\} 1/);
      expect(all).to.match(/bauta_http_request_seconds_count\{method="any",route="none"\} 1/);
      expect(all).to.not.include("secret-id").and.to.not.include("such");
    });

    it("answers 404 to requests through a proxy or with another host name", async () => {
      for (const headers of [{ "x-forwarded-for": "203.0.113.9" }, { host: "mail.example.org" }]) {
        const { status } = await sendRaw(server.origin, { path: "/metrics", headers });
        expect(status).to.equal(404);
      }
    });
  });

describe("GET /metrics with a token (METRICS_TOKEN)", () => {
  const metricsToken = "a-token-of-the-operator";
  let server: TestServer;
  before(async () => {
    server = await startServer({ metricsToken });
  });
  after(() => server.stop());

  const ask = (authorization?: string) =>
    fetch(`${server.origin}/metrics`, {
      headers: { "x-forwarded-for": "203.0.113.9", ...(authorization && { authorization }) },
    });

  it("answers another machine that has it", async () => {
    const answer = await ask(`Bearer ${metricsToken}`);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.contain("bauta_store_up 1");
  });

  it("answers 401 to a wrong one, and exists for nobody without one", async () => {
    for (const wrong of ["Bearer a-token-of-somebody-else", `Basic ${metricsToken}`, "Bearer"]) {
      const { status, headers } = await ask(wrong);
      expect(status, wrong).to.equal(401);
      expect(headers.get("www-authenticate")).to.equal("Bearer");
    }
    expect((await ask()).status).to.equal(404);
  });

  it("answers this machine without it", async () => {
    expect((await server.client().call("GET", "/metrics")).status).to.equal(200);
  });
});
