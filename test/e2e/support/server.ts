import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/freePort.ts";
import { builtServer } from "../../support/programs.ts";
import { quickFolder } from "../../support/quickFolder.ts";

/** The server as its operator starts it: a separate process with its own data folder. */
export interface RunningServer {
  readonly url: string;
  readonly smtpPort: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything it has printed so far. */
  readonly output: () => string;
  /** Sends a signal and waits for the exit; returns the exit code (null after SIGKILL). */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Starts it again with the same data and the same ports. */
  readonly restart: () => Promise<RunningServer>;
  readonly removeData: () => Promise<void>;
}

const root = join(import.meta.dirname, "../../..");

const untilReady = async (url: string, child: ChildProcess, output: () => string): Promise<void> => {
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The server ended at its start:\n${output()}`);
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`The server was not ready within 15 s:\n${output()}`);
};

const launch = async (
  at: { readonly port: number; readonly smtpPort: number; readonly dataDir: string },
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer> => {
  let printed = "";
  const child = spawn(process.execPath, [builtServer], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(at.port),
      SMTP_PORT: String(at.smtpPort),
      DATA_DIR: at.dataDir,
      LOG_LEVEL: "debug",
      ...environment,
      ...(environment["PUBLIC_URL"] && {
        PUBLIC_URL: environment["PUBLIC_URL"].replace("{port}", String(at.port)),
      }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const url = `http://127.0.0.1:${at.port}`;
  await untilReady(url, child, () => printed);
  return {
    url,
    smtpPort: at.smtpPort,
    dataDir: at.dataDir,
    pid: child.pid ?? Number.NaN,
    output: () => printed,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
      return child.exitCode;
    },
    restart: () => launch(at, environment),
    removeData: () => rm(at.dataDir, { recursive: true, force: true }),
  };
};

/**
 * Starts the server on free ports with an empty data folder below `place`; retries on other ports when one was taken
 * meanwhile.
 */
export const startServer = async (
  environment: NodeJS.ProcessEnv = {},
  triesLeft = 3,
  place = quickFolder,
): Promise<RunningServer> => {
  const dataDir = await mkdtemp(join(place, "bauta-"));
  try {
    return await launch({ port: await freePort(), smtpPort: await freePort(), dataDir }, environment);
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    if (triesLeft > 1 && String(error).includes("EADDRINUSE"))
      return startServer(environment, triesLeft - 1, place);
    throw error;
  }
};

/** Returns the mails in the outbox as text, the oldest first. */
export const outboxOf = async ({ dataDir }: Pick<RunningServer, "dataDir">): Promise<readonly string[]> => {
  const folder = join(dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const mails = names.filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(mails.map((name) => readFile(join(folder, name), "utf8")));
};

/** Returns the oldest mail in the outbox that contains a text; waits up to 10 s for it. */
export const mailInOutbox = async (server: Pick<RunningServer, "dataDir">, text: string): Promise<string> => {
  for (let tries = 0; tries < 500; tries += 1) {
    const mail = (await outboxOf(server)).find((one) => one.includes(text));
    if (mail !== undefined) return mail;
    await sleep(20);
  }
  throw new Error(`No mail in the outbox contains ${text}`);
};

/** Returns the newest six-digit code mailed to an address; waits up to 10 s for one that is not in `seen`. */
export const codeMailedTo = async (
  server: Pick<RunningServer, "dataDir">,
  address: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<string> => {
  for (let tries = 0; tries < 500; tries += 1) {
    const mails = (await outboxOf(server)).filter((mail) => mail.includes(`X-Outbox-To: ${address}`));
    const code = mails.flatMap((mail) => mail.match(/^Subject: .*?(\d{6})/m)?.[1] ?? []).at(-1);
    if (code && !seen.has(code)) return code;
    await sleep(20);
  }
  throw new Error("No code was mailed within 10 s");
};
