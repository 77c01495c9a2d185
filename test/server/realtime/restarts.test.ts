import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { stableAfterMs } from "../../../core/realtime/connectionTiming.ts";
import { composeServer } from "../../../server/app/app.ts";
import { createOutbox } from "../../../server/delivery/queue/outbox.ts";
import { type Config, readConfig } from "../../../server/platform/config/config.ts";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { freePort } from "../../support/freePort.ts";
import { longTestMs } from "../../support/limits.ts";
import { type Notifier, startNotifier } from "../support/notifier.ts";
import { openShell, type Shell } from "../support/shell.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { untilBy } from "../support/until.ts";

const clients = 12;
const restarts = 20;
/** The clients' clock: their waiting times, such as the back-off of 2 s, pass while the test waits for them. */
const clock = createVirtualClock(Date.now());
const until = untilBy(clock, 50);

describe(`A server that is restarted ${restarts} times while ${clients} clients are connected`, function () {
  this.timeout(longTestMs);
  const folder = useTemporaryFolder();
  let config: Config;
  let stopServer: () => Promise<boolean>;
  let notifier: Notifier;
  let shells: Shell[];

  const startServer = async (): Promise<void> => {
    stopServer = await (await composeServer(config)).start();
  };

  beforeEach(async () => {
    const dataDir = folder();
    mkdirSync(join(dataDir, "outbox"));
    config = {
      ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", PORT: String(await freePort()) }),
      smtpPort: 0,
    };
    await startServer();
    notifier = await startNotifier(join(dataDir, "bauta.db"));
    shells = [];
  });
  afterEach(async () => {
    for (const { stop } of shells) stop();
    await stopServer();
    await notifier.stop();
  });

  const codeOf = async (email: string): Promise<string> => {
    const outbox = createOutbox(join(config.dataDir, "outbox"));
    let code: string | undefined;
    await until("the code is in the outbox", async () => {
      const mail = (await outbox.list()).find(({ recipient }) => recipient === email);
      code = /\d{6}/.exec(mail?.subject ?? "")?.[0];
      return code !== undefined;
    });
    return code ?? "";
  };

  const userIds = async (emails: readonly string[]): Promise<string[]> => {
    const database = await openDatabase(sqliteEngine(join(config.dataDir, "bauta.db")));
    const rows = await database.db.selectFrom("users").select(["id", "email"]).execute();
    await database.close();
    return emails.map((email) => rows.find((row) => row.email === email)?.id ?? "");
  };

  const areConnected = (): boolean =>
    shells.every(({ signedIn }) => signedIn().realtime.state$.value === "connected");

  it("loses no client, and delivers every notification once to each", async () => {
    const emails = Array.from({ length: clients }, (_, n) => `client${n}@example.org`);
    shells = emails.map(() => openShell(config.publicUrl, clock, until));
    await Promise.all(shells.map((shell, n) => shell.signUp(emails[n] ?? "", codeOf)));
    const ids = await userIds(emails);
    await until("all are connected", areConnected);
    await until("all have looked", () =>
      shells.every(({ signedIn }) => signedIn().notifications.view$.value.status === "ready"),
    );

    const written: string[][] = emails.map(() => []);
    /** One notification for each client in each round: while the server runs, while it is down, and while it restarts. */
    const notify = (round: number, moment: number): Promise<unknown> =>
      Promise.all(
        ids.map(async (userId, n) => {
          if ((n + round) % 3 !== moment) return;
          written[n]?.push(await notifier.notify(userId, `Notification ${round} of ${userId}`));
        }),
      );

    for (let round = 0; round < restarts; round++) {
      const before = shells.map(({ connections }) => connections());
      const running = notify(round, 0);
      await stopServer();
      await notify(round, 1);
      const coming = notify(round, 2);
      await startServer();
      await Promise.all([running, coming]);
      await until(
        `all are back after restart ${round + 1}`,
        () => areConnected() && shells.every(({ connections }, n) => connections() > (before[n] ?? 0)),
      );
      // Connections that end sooner count as failed attempts, of which there are five.
      const stableAt = clock.now() + stableAfterMs;
      await clock.advance(stableAfterMs - 500);
      await until("the connections count as stable", () => clock.now() > stableAt + 500);
    }

    const listed = (shell: Shell): string[] =>
      shell.signedIn().notifications.view$.value.list.map(({ id }) => id);
    await until("all are listed", () =>
      shells.every((shell, n) => listed(shell).length === written[n]?.length),
    ).catch(() => {});
    for (const [n, shell] of shells.entries()) {
      expect(listed(shell), emails[n]).to.deep.equal(written[n]?.toReversed());
      expect(shell.signedIn().notifications.view$.value.unread, "unread").to.equal(restarts);
      for (let round = 0; round < restarts; round++)
        expect(shell.shown.get(`Notification ${round} of ${ids[n]}`), "shown").to.equal(1);
    }
  });
});
