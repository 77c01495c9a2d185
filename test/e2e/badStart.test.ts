import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { hungMs } from "../support/limits.ts";
import { builtServer } from "../support/programs.ts";

const objectStore = { BODY_STORE_ACCESS_KEY: "key", BODY_STORE_SECRET_KEY: "hunter2" };
const root = join(import.meta.dirname, "../..");

describe("starting with an invalid setting", () => {
  let folder: string;
  let taken: Server;
  let takenPort: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bauta-"));
    taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    takenPort = String((taken.address() as AddressInfo).port);
  });
  after(async () => {
    taken.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (environment: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [builtServer], {
      cwd: root,
      env: {
        ...process.env,
        PORT: "0",
        SMTP_PORT: "0",
        LOG_LEVEL: "silent",
        DATA_DIR: join(folder, "data"),
        ...environment,
      },
      timeout: hungMs,
    });
    const complaint = text(child.stderr);
    await once(child, "exit");
    return { complaint: await complaint, exitCode: child.exitCode };
  };

  const bad: readonly (readonly [string, () => NodeJS.ProcessEnv, RegExp])[] = [
    [
      "a folder where none can be",
      () => ({ DATA_DIR: "/proc/bauta" }),
      /^DATA_DIR is "\/proc\/bauta"; expected a folder .+\.$/,
    ],
    [
      "a file for a folder",
      () => ({ DATA_DIR: join(root, "package.json") }),
      /^DATA_DIR is ".+"; expected a folder .+\.$/,
    ],
    [
      "a port in use",
      () => ({ PORT: takenPort }),
      /^PORT is \d+; expected a port on which no other program listens .+\.$/,
    ],
    [
      "a mail port in use",
      () => ({ SMTP_PORT: takenPort }),
      /^SMTP_PORT is \d+; expected a port on which no other .+\.$/,
    ],
    [
      "an address that is not ours",
      () => ({ HOST: "192.0.2.1" }),
      /^HOST is "192\.0\.2\.1"; expected an address of this .+\.$/,
    ],
    [
      "a mail address that is not ours",
      () => ({ SMTP_HOST: "192.0.2.1" }),
      /^SMTP_HOST is "192\.0\.2\.1"; expected an .+\.$/,
    ],
    [
      "an unknown name",
      () => ({ HOST: "nowhere.invalid" }),
      /^HOST is "nowhere\.invalid"; expected an address of this .+\.$/,
    ],
    [
      "a database that does not answer",
      () => ({ DATABASE_URL: "postgresql://me:hunter2@127.0.0.1:1/bauta" }),
      /^DATABASE_URL is set; expected a database that can be reached and opened with it \(ECONNREFUSED\)\.$/,
    ],
    [
      "the Redis that earlier versions shared limits by",
      () => ({ REDIS_URL: "redis://me:hunter2@127.0.0.1" }),
      /^REDIS_URL is set; expected no such setting, because processes share limits in the database of DATABASE_URL\.$/,
    ],
    [
      "an object store without PostgreSQL",
      () => ({ ...objectStore, BODY_STORE: "s3://mail/bauta" }),
      /^BODY_STORE is set, but DATABASE_URL is not; expected PostgreSQL for an object store: .+\.$/,
    ],
    [
      "an object store without its keys",
      () => ({ BODY_STORE: "s3://mail", DATABASE_URL: "postgresql://me@127.0.0.1:1/bauta" }),
      /^BODY_STORE_ACCESS_KEY and BODY_STORE_SECRET_KEY are not set; expected .+\.$/,
    ],
    [
      "an object store that does not answer",
      () => ({
        ...objectStore,
        BODY_STORE: "s3://mail/bauta?endpoint=http://127.0.0.1:1",
        DATABASE_URL: "postgresql://me@127.0.0.1:1/bauta",
      }),
      /^BODY_STORE is the bucket mail at http:\/\/127\.0\.0\.1:1 with the prefix bauta\/; expected .+ \(.*ECONNREFUSED.*\)\.$/,
    ],
    [
      "a certificate that is not there",
      () => ({ TLS_CERT: "/none", TLS_KEY: "/none" }),
      /^TLS_CERT is "\/none"; expected .+\.$/,
    ],
  ];
  for (const [what, environment, sentence] of bad)
    it(`ends with exit code 78 and one line that names the setting: ${what}`, async () => {
      const { complaint, exitCode } = await start(environment());
      expect(complaint.replace(/\n$/, "")).to.match(sentence).and.not.to.contain("\n");
      expect(complaint).not.to.contain("hunter2");
      expect(exitCode).to.equal(78);
    });

  it("reports a file that is not a database, and leaves it unchanged", async () => {
    const dataDir = join(folder, "broken");
    await start({ DATA_DIR: dataDir, PORT: takenPort });
    expect((await stat(dataDir)).mode & 0o777, "the folder is for its owner alone").to.equal(0o700);
    const content = "this is no database".repeat(300);
    for (const name of ["bauta.db-wal", "bauta.db-shm"]) await rm(join(dataDir, name), { force: true });
    await writeFile(join(dataDir, "bauta.db"), content);
    const { complaint, exitCode } = await start({ DATA_DIR: dataDir });
    expect(complaint).to.match(
      /^DATA_DIR is ".+"; expected a folder with a valid bauta\.db \(.*not a database\)\.\n$/,
    );
    expect(exitCode).to.equal(78);
  });
});
