import { expect } from "chai";
import { pino } from "pino";
import type { AppPassword } from "../../../../core/appPasswords/appPasswordEndpoints.ts";
import { createSubmissionServers } from "../../../../server/features/submission/submissionServers.ts";
import { createOwnRates } from "../../../../server/platform/rates/rates.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("App passwords", () => {
  let server: TestServer;
  let owner: Client;
  beforeEach(async () => {
    server = await startServer();
    owner = await server.signIn("owner@home.example");
  });
  afterEach(() => server.stop());

  const make = (name: string, client = owner) =>
    client.call("POST", "/account/app-passwords", { body: { name } });
  const list = async (): Promise<readonly AppPassword[]> =>
    ((await owner.call("GET", "/account/app-passwords")).json as { passwords: readonly AppPassword[] })
      .passwords;

  it("are readable in the answer that makes them, and nowhere else", async () => {
    const { status, json } = await make(" Thunderbird at home ");
    const { password } = json as { password: string };
    expect(status).to.equal(201);
    expect(password).to.match(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){5}$/);
    const [only] = await list();
    expect(only).to.include({ name: "Thunderbird at home", lastUsed: null });
    const rows = await server.database.db
      .selectFrom("app_passwords")
      .where("user_id", "!=", bystander.id)
      .selectAll()
      .execute();
    const secret = password.replaceAll("-", "").slice(8);
    expect(JSON.stringify([rows, await list()])).not.to.contain(secret);
    expect(server.logged.join("")).not.to.contain(secret).and.not.to.contain(password);
  });

  it("are announced to their owner, who may not have made them", async () => {
    await make("Phone");
    const [notice] = await server.database.db
      .selectFrom("notifications")
      .where("user_id", "!=", bystander.id)
      .selectAll()
      .execute();
    expect(notice).to.include({ type: "security" });
    expect(notice?.message).to.contain('An app password was created for "Phone"');
  });

  it("are revoked by their owner alone", async () => {
    await make("Phone");
    const [phone] = await list();
    const path = `/account/app-passwords/${phone?.id}`;
    const stranger = await server.signIn("stranger@elsewhere.example");
    expect((await stranger.call("DELETE", path)).status).to.equal(404);
    expect((await owner.call("DELETE", path)).status).to.equal(200);
    expect((await owner.call("DELETE", path)).status).to.equal(404);
    expect(await list()).to.deep.equal([]);
  });

  it("need a name, and are at most 20", async () => {
    for (const name of ["", " ", "x".repeat(61)]) expect((await make(name)).status, name).to.equal(400);
    for (let n = 0; n < 20; n += 1) expect((await make(`program ${n}`)).status).to.equal(201);
    expect((await make("one more")).status).to.equal(409);
  });
});

describe("The ports for mail programs", () => {
  it("stay closed without a certificate, and the log says why", async () => {
    const logged: string[] = [];
    const log = pino({ level: "info" }, { write: (line) => void logged.push(line) });
    const servers = createSubmissionServers({
      config: {
        maskDomain: named("masks.example"),
        smtpHost: "127.0.0.1",
        host: "127.0.0.1",
        submissionPort: 1,
        submissionsPort: null,
        tls: null,
        acme: null,
      },
      submission: { authenticate: () => Promise.reject(new Error("nobody logs in")) },
      secureContext: () => null,
      clock: createVirtualClock(),
      log,
      rates: createOwnRates(Date.now),
      isTrusted: () => true,
      isBalancer: () => false,
      onConnectionRefused: () => {},
      beginContent: () => {
        throw new Error("no mail arrives");
      },
    });
    for (const part of servers.parts) await part.start();
    expect(servers.address()).to.deep.equal({ host: "masks.example", tlsPort: null, startTlsPort: null });
    expect(logged).to.have.length(2);
    for (const line of logged) expect(line).to.contain("there is no certificate");
    for (const part of servers.parts) await part.stop();
  });
});
