import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { senderDomain } from "./load.ts";
import { type Case, compare, isWanted, type Pair, sessions } from "./measure.ts";
import { isOpendkimInstalled, startOpendkim } from "./opendkim.ts";
import { findPostfixProblem, startPostfix } from "./postfix.ts";
import { type Subject, startOurs, startSink } from "./subject.ts";

const oneEach = { keepsConnections: false, recipientsOfMail: 1 };
const cases: Readonly<Record<string, Case>> = {
  "10 kB": { size: 10_240, mails: 2_000, ...oneEach },
  "10 kB, kept connections": { size: 10_240, mails: 2_000, ...oneEach, keepsConnections: true },
  "10 kB, 3 recipients": { size: 10_240, mails: 1_000, ...oneEach, recipientsOfMail: 3 },
  "100 kB": { size: 102_400, mails: 800, ...oneEach },
  "5 MB": { size: 5_242_880, mails: 60, ...oneEach },
};

/** Starts a subject that is compared beside the product, with its addresses and next hop, in a folder of its own. */
export type StartSubject = (at: {
  readonly folder: string;
  readonly nextHop: number;
  readonly recipients: readonly string[];
}) => Promise<Subject>;

/**
 * Measures the mails that are accepted and delivered in a second beside Postfix, with the same addresses, the same
 * next hop, and a queue on the disk. Each is measured with DKIM signatures and without, because Postfix alone does not
 * sign: with OpenDKIM it signs with RSA, the product with RSA and Ed25519. `BENCH_CASES` names some of the cases,
 * separated by semicolons; `others` are compared with the same peers.
 */
export const measureMail = async (others: readonly StartSubject[]): Promise<void> => {
  const problem = findPostfixProblem();
  if (problem !== null) return console.log(`${problem}: there is nothing to compare with.`);
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
    const signing = await start(startOurs(sink.port, { name: "Bauta" }));
    const plain = await start(
      startOurs(sink.port, { name: "Bauta, not signing", environment: { DKIM: "off" } }),
    );
    const postfix = await start(startPostfix(join(folder, "postfix"), sink.port, signing.recipients));
    const peers = [postfix];
    if (isOpendkimInstalled()) {
      const signer = await startOpendkim(join(folder, "opendkim"), senderDomain);
      peers.unshift(
        await start(startPostfix(join(folder, "signing"), sink.port, signing.recipients, signer)),
      );
    } else
      console.log(
        "OpenDKIM is not installed (Debian: apt install opendkim): Postfix only relays unsigned mail.",
      );
    const pairs: Pair[] = [...peers.map((peer): Pair => [signing, peer]), [plain, postfix]];
    for (const startOther of others) {
      const other = await start(startOther({ folder, nextHop: sink.port, recipients: signing.recipients }));
      pairs.push(...peers.map((peer): Pair => [other, peer]));
    }
    console.log(
      `${sessions} sessions at a time; each mail is on the disk before its 250, and reaches the next hop`,
    );
    for (const [name, one] of Object.entries(cases))
      if (isWanted(name)) await compare(name, one, subjects, sink, pairs);
  } finally {
    for (const subject of subjects) await subject.stop();
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

export const run = (): Promise<void> => measureMail([]);
