import { expect } from "chai";
import { type ObjectServer, startObjectServer } from "../server/support/objectServer.ts";
import { hasPostgresql, newPostgresqlDatabase } from "../server/support/postgresql.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { type RunningServer, startServer } from "./support/server.ts";

describe("a server with an object store", () => {
  let store: ObjectServer;
  let server: RunningServer | undefined;
  before(async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    store = await startObjectServer();
    const { endpoint, bucket, prefix, accessKey, secretKey } = store.place;
    server = await startServer({
      DATABASE_URL: await newPostgresqlDatabase(),
      BODY_STORE: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
      BODY_STORE_ACCESS_KEY: accessKey,
      BODY_STORE_SECRET_KEY: secretKey,
    });
  });
  after(async () => {
    await server?.stop();
    await server?.removeData();
    await store?.close();
  });

  const get = async (path: string) => {
    const answer = await fetch(`${server?.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };

  it("has written, read, listed and deleted at its start", () => {
    expect(store.requests.slice(0, 4).map((one) => one.split(" ")[0])).to.deep.equal([
      "PUT",
      "GET",
      "GET",
      "DELETE",
    ]);
    expect(store.objects.size).to.equal(0);
  });

  it("says that it is lost or full in its health, is not ready meanwhile, and goes on by itself", async () => {
    await until("it is ready", async () => (await get("/readyz")).status === 200);
    store.fault = "lost";
    await until("it is not ready", async () => (await get("/readyz")).status === 503);
    const { status, text } = await get("/healthz");
    expect(status).to.equal(503);
    expect(JSON.parse(text)).to.deep.include({
      problems: [
        "The object store cannot be reached (ECONNRESET). Mail waits meanwhile, and nothing has to be restarted.",
      ],
    });
    expect(text).to.contain('"objects":false');
    expect((await get("/livez")).status).to.equal(200);
    store.fault = null;
    await until("it is ready again", async () => (await get("/readyz")).status === 200);
    const { text: metrics } = await get("/metrics");
    expect(metrics).to.match(/^bauta_object_errors_total\{problem="unreachable"\} [1-9]/m);
    expect(metrics).to.match(/^bauta_object_seconds_count\{operation="list"\} [1-9]/m);
    expect(metrics).to.match(/^bauta_ready\{part="objects"\} 1/m);
  });
});
