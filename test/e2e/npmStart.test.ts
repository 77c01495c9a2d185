import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { until } from "../server/support/until.ts";
import { freePort } from "../support/freePort.ts";

const listenAt = async (port: number): Promise<number> => {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: got } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return got;
};

const root = join(import.meta.dirname, "../..");

/** Returns the modification time of each build output in milliseconds. */
const builtAt = (): Promise<readonly number[]> =>
  Promise.all(
    ["dist/web/index.html", "dist/server/main.js"].map(
      async (file) => (await stat(join(root, file))).mtimeMs,
    ),
  );

describe("npm start", () => {
  it("skips the build when nothing has changed; stops with the server on SIGTERM, and frees both ports", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "bauta-"));
    const [port, smtpPort] = [await freePort(), await freePort()];
    const before = await builtAt();
    const npm = spawn("npm", ["start"], {
      cwd: root,
      env: {
        ...process.env,
        PORT: String(port),
        SMTP_PORT: String(smtpPort),
        DATA_DIR: dataDir,
        LOG_LEVEL: "silent",
      },
      stdio: "ignore",
      detached: true,
    });
    const ended = once(npm, "exit");
    try {
      const url = `http://127.0.0.1:${port}/healthz`;
      const isUp = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        );
      await until("the server answers", isUp);
      expect(await builtAt()).to.deep.equal(before);
      npm.kill("SIGTERM");
      await ended;
      expect([await listenAt(port), await listenAt(smtpPort)]).to.deep.equal([port, smtpPort]);
    } finally {
      try {
        process.kill(-(npm.pid ?? 0), "SIGKILL");
      } catch {}
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
