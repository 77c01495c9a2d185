import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { connectSmtp } from "../server/support/smtpClient.ts";
import { until } from "../server/support/until.ts";
import { freePort } from "../support/freePort.ts";
import { skipWithout } from "../support/missing.ts";
import { postgresqlPrograms, startPostgresqlIn } from "../support/postgresqlServer.ts";
import { type RunningServer, startServer } from "./support/server.ts";

const token = "a-token-of-the-operator";

describe("The metrics of a server", () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    await server?.removeData();
    server = undefined;
  });

  const listenerOf = (port: number) => ({
    environment: { METRICS_LISTEN: `127.0.0.1:${port}`, METRICS_TOKEN: token },
    url: `http://127.0.0.1:${port}`,
  });
  const read = async (url: string, authorization = `Bearer ${token}`): Promise<string> => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization } });
    expect(answer.status).to.equal(200);
    return answer.text();
  };

  it("follow a mail from its arrival to its delivery, and Prometheus can read them", async function () {
    const { environment, url } = listenerOf(await freePort());
    server = await startServer({ ...environment, MASK_DOMAIN: "masks.example" });
    const client = await connectSmtp(server.smtpPort);
    expect(await client.mail("a@b.example", ["nobody@masks.example"], "Subject: x\r\n\r\nx\r\n")).to.match(
      /^550/,
    );
    expect(await client.say("RSET")).to.match(/^250/);
    const mail = "From: a@b.example\r\nSubject: x\r\n\r\nx\r\n";
    expect(await client.mail("a@b.example", ["postmaster@masks.example"], mail)).to.match(/^250/);
    client.destroy();
    let text = "";
    await until("it is delivered", async () => {
      text = await read(url);
      return text.includes('bauta_deliveries_total{result="delivered"} 1\n');
    });
    for (const line of [
      'bauta_mails_accepted_total{service="relay"} 1',
      'bauta_smtp_refusals_total{service="relay",at="recipient",reason="unknown_address"} 1',
      'bauta_smtp_reply_seconds_count{to="recipient"} 2',
      'bauta_smtp_reply_seconds_count{to="content"} 1',
      "bauta_delivery_seconds_count 1",
      "bauta_store_up 1",
      'bauta_ready{part="smtp"} 1',
    ])
      expect(text).to.contain(`${line}\n`);
    for (const name of [
      "bauta_build_info{",
      "bauta_commit_seconds_count ",
      "nodejs_eventloop_lag_p99_seconds ",
      "nodejs_heap_size_used_bytes ",
      "process_open_fds ",
      "process_uptime_seconds ",
    ])
      expect(text).to.contain(`\n${name}`);
    expect(text).to.not.contain("b.example").and.to.not.contain("nobody").and.to.not.contain("127.0.0.1");
    const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    if (checked.error) return skipWithout(this, "promtool");
    expect(`${checked.stdout}${checked.stderr}`).to.equal("");
  });

  it("are given on a listener of their own to who has the token, with the probes", async () => {
    const { environment, url } = listenerOf(await freePort());
    server = await startServer(environment);
    for (const headers of [{}, { authorization: "Bearer wrong" }])
      expect((await fetch(`${url}/metrics`, { headers })).status).to.equal(401);
    const statusOf = async (path: string, method = "GET") => (await fetch(url + path, { method })).status;
    expect(await statusOf("/livez")).to.equal(200);
    expect(await statusOf("/readyz")).to.equal(200);
    expect(await statusOf("/masks")).to.equal(404);
    expect(await statusOf("/metrics", "POST")).to.equal(405);
    expect((await fetch(`${server.url}/metrics`)).status).to.equal(200);
    expect(await server.stop()).to.equal(0);
  });

  it("are answered while PostgreSQL is away, when the process lives and is not ready", async function () {
    const bin = postgresqlPrograms();
    if (bin === null) return skipWithout(this, "PostgreSQL");
    const database = await startPostgresqlIn(bin);
    const { environment, url } = listenerOf(await freePort());
    server = await startServer({ ...environment, DATABASE_URL: database.url });
    expect(await read(url)).to.contain("bauta_store_up 1\n");
    await database.stop();
    const text = await read(url);
    expect(text).to.contain("bauta_store_up 0\n").and.to.contain("bauta_users 0\n");
    await until("it is not ready", async () => (await fetch(`${url}/readyz`)).status === 503);
    expect(await read(url)).to.contain('bauta_ready{part="store"} 0\n');
    expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
    expect((await fetch(`${server.url}/metrics`)).status).to.equal(200);
  });
});
