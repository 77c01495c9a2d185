import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/support/freePort.ts";

const root = join(import.meta.dirname, "../..");
const rounds = 5;

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Returns the time from the start of a command until the server answers, in milliseconds. */
const untilReady = async (command: string, args: readonly string[]): Promise<number> => {
  const dataDir = await mkdtemp(join(tmpdir(), "bauta-"));
  const port = await freePort();
  const environment = { PORT: String(port), SMTP_PORT: String(await freePort()), DATA_DIR: dataDir };
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) await sleep(5);
  const ms = performance.now() - began;
  child.kill();
  await ended;
  await rm(dataDir, { recursive: true, force: true });
  return ms;
};

const builtIn = async (): Promise<number> => {
  const began = performance.now();
  await once(spawn(process.execPath, ["build.mjs", "--quiet"], { cwd: root, stdio: "inherit" }), "exit");
  return performance.now() - began;
};

/** Measures the build, `npm start` with nothing changed, and the server alone. */
export const run = async (): Promise<void> => {
  console.log(`build                       ${(await builtIn()).toFixed(0)} ms (at most 4000)`);
  const started: number[] = [];
  const alone: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    started.push(await untilReady("npm", ["start"]));
    alone.push(await untilReady(process.execPath, ["dist/server/main.js"]));
  }
  console.log(`npm start, nothing changed  ${median(started).toFixed(0)} ms (at most 1200)`);
  console.log(`the server alone            ${median(alone).toFixed(0)} ms (at most 800)`);
};
