import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { domainOf } from "../../core/mail/emailAddress.ts";
import { openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { bauta } from "../server/cli/support.ts";
import { createClient } from "../server/support/client.ts";
import { addMask, addOwner } from "../server/support/owners.ts";
import { startSink } from "../server/support/sink.ts";
import { connectSmtp } from "../server/support/smtpClient.ts";
import { until } from "../server/support/until.ts";
import { skipWithout } from "../support/missing.ts";
import { codeMailedTo, outboxOf, type RunningServer, startServer } from "./support/server.ts";

const owner = "owner@example.org";
const letter = (id: number, lines: number): string =>
  `From: Shop <orders@shop.example>\r\nX-Test-Id: <${id}>\r\n\r\n${"Hello.\r\n".repeat(lines)}`;

describe("the product on a disk that is full", () => {
  let place = "";
  let server: RunningServer | undefined;
  before(function () {
    place = mkdtempSync(join(tmpdir(), "bauta-small-disk-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs", place]);
    if (mounted.status !== 0) skipWithout(this, "the right to mount a file system");
  });
  after(async () => {
    await server?.stop("SIGKILL");
    spawnSync("umount", ["-l", place]);
    rmSync(place, { recursive: true, force: true });
  });

  const filler = (): string => join(place, "filler");
  /** Uses every byte that is left. */
  const fill = (): void => {
    for (const bytes of [1_048_576, 4_096, 1])
      try {
        for (;;) appendFileSync(filler(), Buffer.alloc(bytes));
      } catch (error) {
        expect(error).to.have.property("code", "ENOSPC");
      }
  };

  it("refuses calls with 507 and mail with 452, says so in /healthz, and goes on by itself when there is room", async () => {
    server = await startServer({}, 3, place);
    const { url, smtpPort } = server;
    const user = createClient(url);
    await user.call("GET", "/csrf-token");
    await user.call("POST", "/login", { body: { email: owner } });
    const otp = await codeMailedTo(server, owner);
    const { tempToken } = (await user.call("PUT", "/login", { body: { email: owner, otp } })).json as {
      tempToken: string;
    };
    const signedUp = await user.call("POST", "/signup", { body: { tempToken, tier: "free" } });
    user.token = (signedUp.json as { token: string }).token;
    const create = (description: string) =>
      user.call("POST", "/masks", { body: { description, forwardTo: owner } });
    const health = async () => {
      const answer = await user.call("GET", "/healthz");
      return {
        code: answer.status,
        ...(answer.json as { parts: Record<string, boolean>; problems?: string[] }),
      };
    };
    const made = (await create("first")).json as { mask?: { maskEmail: string }; maskEmail?: string };
    const address = made.mask?.maskEmail ?? made.maskEmail ?? "";
    const acknowledged = new Set<number>();
    const client = await connectSmtp(smtpPort);
    const send = async (id: number, lines: number): Promise<string> => {
      const answer = await client.mail("orders@shop.example", [address], letter(id, lines));
      if (answer.startsWith("250")) acknowledged.add(id);
      return answer;
    };
    expect(await send(1, 100)).to.match(/^250/);
    expect((await health()).code).to.equal(200);

    fill();
    // What room the files have of their own is used first.
    const answers: string[] = [];
    for (let id = 100; id < 700; id += 1) answers.push(await send(id, id % 4 === 0 ? 40_000 : 1_000));
    expect(
      answers.slice(-50).every((answer) => /^452 4\.3\.1 /.test(answer)),
      answers.at(-1),
    ).to.equal(true);
    const refused = await create("second");
    expect([refused.status, refused.json]).to.deep.equal([
      507,
      {
        message:
          "There is no room left on the server's disk, so nothing was saved. Ask the operator to free some, then try again.",
      },
    ]);
    expect((await user.call("GET", "/masks")).status).to.equal(200);
    await until("the health check has tried again", async () => (await health()).code === 503, 30_000);
    const { parts, problems } = await health();
    expect(parts["store"]).to.equal(false);
    expect(problems).to.deep.equal([
      "There is no room left on the disk of DATA_DIR: free some. Nothing has to be restarted.",
    ]);

    rmSync(filler());
    await until("the server is ready again", async () => (await health()).code === 200, 30_000);
    expect(await send(2, 1_000)).to.match(/^250/);
    expect(await send(3, 40_000)).to.match(/^250/);
    expect((await create("third")).status).to.be.within(200, 201);
    const ids = async (): Promise<readonly number[]> =>
      server
        ? (await outboxOf(server)).flatMap((mail) => /^X-Test-Id: <(\d+)>/m.exec(mail)?.[1] ?? []).map(Number)
        : [];
    await until(
      "every mail that was answered 250 is in the outbox, once",
      async () => (await ids()).length >= acknowledged.size,
      60_000,
    );
    expect((await ids()).toSorted()).to.deep.equal([...acknowledged].toSorted());
    client.destroy();
  });

  it("delivers what it has accepted when the next hop is back, with no more room from outside", async function () {
    const home = mkdtempSync(join(tmpdir(), "bauta-full-disk-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=40m,mode=700", "tmpfs", home]);
    if (mounted.status !== 0) skipWithout(this, "the right to mount a file system");
    const sink = await startSink();
    const down = () => "421 4.3.2 Back later";
    sink.onRecipient = down;
    let relay: RunningServer | undefined;
    try {
      const database = await openDatabase(sqliteEngine(join(home, "bauta.db")));
      const mask = await addMask(database.db, await addOwner(database.db, "self_hosted"));
      await database.close();
      const environment = {
        DATA_DIR: home,
        MASK_DOMAIN: domainOf(mask.email),
        NEXT_HOP: `smtp://127.0.0.1:${sink.port}`,
      };
      const running = await startServer(environment);
      relay = running;
      const client = await connectSmtp(running.smtpPort);
      const acknowledged = new Set<number>();
      for (let id = 1, refusedInARow = 0; refusedInARow < 20; id += 1) {
        const answer = await client.mail("orders@shop.example", [mask.email], letter(id, 11_000));
        if (answer.startsWith("250")) acknowledged.add(id);
        refusedInARow = answer.startsWith("250") ? 0 : refusedInARow + 1;
      }
      client.destroy();
      expect(acknowledged.size).to.be.above(100);

      sink.onRecipient = () => null;
      await until(
        "every mail is delivered",
        async () => {
          const retried = await bauta(environment, "queue", "retry", "--all");
          expect([retried.code, retried.errors]).to.deep.equal([0, ""]);
          return sink.mails.length >= acknowledged.size;
        },
        90_000,
      );
      const ids = sink.mails.map(({ content }) =>
        Number(/^X-Test-Id: <(\d+)>/m.exec(content.toString())?.[1]),
      );
      expect(ids.toSorted((a, b) => a - b)).to.deep.equal([...acknowledged]);
      await until(
        "new mail is taken again",
        async () => {
          const again = await connectSmtp(running.smtpPort);
          const answer = await again.mail("orders@shop.example", [mask.email], letter(9_999, 11_000));
          again.destroy();
          return answer.startsWith("250");
        },
        60_000,
      );
    } finally {
      await relay?.stop("SIGKILL");
      await sink.close();
      spawnSync("umount", ["-l", home]);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
