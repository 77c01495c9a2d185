import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../test/server/support/until.ts";
import { freePort } from "../../test/support/freePort.ts";
import { senderDomain } from "../mail/load.ts";
import { type Case, compare, isWanted, type Pair } from "../mail/measure.ts";
import { isOpendkimInstalled, startOpendkim } from "../mail/opendkim.ts";
import { findPostfixProblem, startPostfix } from "../mail/postfix.ts";
import { type Subject, startOurs, startSink } from "../mail/subject.ts";
import type { BareOptions } from "./bareRelay.ts";

const oneEach = { keepsConnections: false, recipientsOfMail: 1 };
const cases: Readonly<Record<string, Case>> = {
  "10 kB": { size: 10_240, mails: 2_000, ...oneEach },
  "10 kB, 3 recipients": { size: 10_240, mails: 1_000, ...oneEach, recipientsOfMail: 3 },
  "100 kB": { size: 102_400, mails: 800, ...oneEach },
  "5 MB": { size: 5_242_880, mails: 60, ...oneEach },
};
/** Of a copy: none, that of DKIM, and that of DKIM with the two of an ARC seal. */
const signatures = [0, 1, 3] as const;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });

const startBare = async (
  folder: string,
  nextHop: number,
  count: BareOptions["signatures"],
  recipients: readonly string[],
): Promise<Subject> => {
  const port = await freePort();
  const options: BareOptions = {
    ...{ port, nextHop, connections: 50, signatures: count },
    file: join(folder, `mails-${port}`),
  };
  const program = join(import.meta.dirname, "bareRelay.ts");
  const relay = spawn(process.execPath, [program], {
    env: { ...process.env, BARE_RELAY: JSON.stringify(options) },
    stdio: "inherit",
  });
  await until("the bare relay accepts connections", () => accepts(port));
  return {
    name: `bare Node, ${count} signatures of a copy`,
    port,
    recipients,
    cpuTicks: () => {
      const fields = readFileSync(`/proc/${relay.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return Number(fields[11]) + Number(fields[12]);
    },
    stop: async () => void relay.kill(),
  };
};

/**
 * Measures the least that the work of a mail costs in Node, beside Postfix and the product: what the product could reach
 * with the same two threads if all that it does besides cost nothing. `BENCH_CASES` names some of the cases.
 */
export const run = async (): Promise<void> => {
  const problem = findPostfixProblem();
  if (problem !== null) return console.log(`${problem}: there is nothing to compare with.`);
  if (!isOpendkimInstalled()) return console.log("OpenDKIM is not installed (Debian: apt install opendkim).");
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  chmodSync(folder, 0o755);
  const sink = await startSink();
  const subjects: Subject[] = [];
  const start = async (starting: Promise<Subject>): Promise<Subject> => {
    const subject = await starting;
    subjects.push(subject);
    return subject;
  };
  try {
    const ours = await start(startOurs(sink.port, { name: "Bauta" }));
    const plain = startOurs(sink.port, { name: "Bauta, not signing", environment: { DKIM: "off" } });
    const all = [ours, await start(plain)];
    const postfix = await start(startPostfix(join(folder, "postfix"), sink.port, ours.recipients));
    const signer = await startOpendkim(join(folder, "opendkim"), senderDomain);
    const signing = await start(startPostfix(join(folder, "signing"), sink.port, ours.recipients, signer));
    for (const count of signatures)
      all.push(await start(startBare(folder, sink.port, count, ours.recipients)));
    const pairs = all.flatMap((one): readonly Pair[] => [
      [one, postfix],
      [one, signing],
    ]);
    for (const [name, one] of Object.entries(cases))
      if (isWanted(name)) await compare(name, one, subjects, sink, pairs);
  } finally {
    for (const subject of subjects) await subject.stop();
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
