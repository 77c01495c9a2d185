import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/support/freePort.ts";
import { isWanted } from "../mail/measure.ts";
import { measureLargeMails } from "./largeMails.ts";
import { measureManyMails } from "./manyMails.ts";
import { asStarted } from "./started.ts";

const root = join(import.meta.dirname, "../..");
/** An idle server has given back by then what its start has used. */
const idleMs = 45_000;
const probeMs = 5_000;

/** Megabytes of a process: what only it has, and the pages of files, which processes of the same program share. */
interface Memory {
  readonly own: number;
  readonly files: number;
}

const memoryOf = ({ pid }: ChildProcess): Memory => {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  const own = kilobytes("Pss_Anon") / 1_024;
  return { own, files: kilobytes("Rss") / 1_024 - own };
};

const measure = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  afterMs: number,
): Promise<Memory> => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...asStarted, LOG_LEVEL: "silent", ...environment },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  try {
    await sleep(afterMs);
    return memoryOf(child);
  } finally {
    child.kill();
    await ended;
  }
};

const ofServer = async (nextHop: string): Promise<Memory> => {
  const dataDir = mkdtempSync(join(tmpdir(), "bauta-memory-"));
  try {
    const port = await freePort();
    const smtpPort = await freePort();
    const places = { DATA_DIR: dataDir, PORT: String(port), SMTP_PORT: String(smtpPort) };
    return await measure(["scripts/start.mjs"], { ...places, NEXT_HOP: nextHop }, idleMs);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Programs that do nothing with what every such server needs: the floor. */
const probes = [
  ["Node alone", "setInterval(() => {}, 1e6)"],
  [
    "Node with HTTP, TLS and SQLite",
    `require("node:http").createServer().listen(0); require("node:tls").createServer().listen(0);
     new (require("node:sqlite").DatabaseSync)(":memory:").exec("create table a (b)")`,
  ],
  [
    "the same, with fastify, kysely, ws, rxjs and pino",
    `const { createRequire } = require("node:module"); const of = createRequire(${JSON.stringify(`${root}/server/main.ts`)});
     for (const name of ["fastify", "kysely", "ws", "rxjs", "pino"]) of(name);
     require("node:tls").createServer().listen(0); new (require("node:sqlite").DatabaseSync)(":memory:").exec("create table a (b)");
     of("fastify")().listen({ port: 0 })`,
  ],
] as const;

/** What a module costs in a process of its own, in megabytes of the heap and of buffers. */
const costOf = async (name: string): Promise<number> => {
  const program = `const used = () => { gc(); gc(); const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; };
    const { createRequire } = require("node:module"); const of = createRequire(${JSON.stringify(`${root}/server/main.ts`)});
    const before = used(); import(require("node:url").pathToFileURL(of.resolve(${JSON.stringify(name)})))
      .then((kept) => { globalThis.kept = kept; process.stdout.write(String(used() - before)); });`;
  const child = spawn(process.execPath, ["--expose-gc", "-e", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, "close");
  return Number(text) / 1_048_576;
};

/** Those that the server loads when it first needs them, and the largest that it needs at the start. */
const modules = {
  "when needed": ["mailauth", "stripe", "openpgp", "@simplewebauthn/server"],
  "at the start": [
    "fastify",
    "kysely",
    "nodemailer",
    "@fastify/static",
    "ws",
    "rxjs",
    "@prometheus-io/client",
    "pg",
  ],
};

const line = (name: string, { own, files }: Memory): string =>
  `${name.padEnd(52)}${own.toFixed(0).padStart(5)}${files.toFixed(0).padStart(7)}${(own + files).toFixed(0).padStart(7)}`;

/** Measures an idle server on SQLite beside programs that only load what such a server needs, and what modules cost. */
const measureIdle = async (): Promise<void> => {
  console.log(`${"MiB".padEnd(52)}  own  files    all`);
  for (const [name, program] of probes) console.log(line(name, await measure(["-e", program], {}, probeMs)));
  console.log(line("the server, without a next hop", await ofServer("")));
  console.log(
    line("the server, with a next hop (a thread that sends)", await ofServer("smtp://127.0.0.1:2")),
  );
  for (const [when, names] of Object.entries(modules)) {
    const costs = await Promise.all(names.map(async (name) => `${name} ${(await costOf(name)).toFixed(1)}`));
    console.log(`loaded ${when}: ${costs.join(", ")}`);
  }
};

/** Measures memory at rest, while large mails arrive at once, and over many mails. `BENCH_CASES` names some of the three. */
export const run = async (): Promise<void> => {
  if (isWanted("idle")) await measureIdle();
  if (isWanted("50 × 5 MB")) await measureLargeMails();
  if (isWanted("50,000 mails")) await measureManyMails();
};
