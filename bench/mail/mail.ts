import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Case, compare, sessions } from "./measure.ts";
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

/**
 * Measures the mails that are accepted and delivered in a second beside Postfix, with the same addresses, the same
 * next hop, and a queue on the disk. Postfix does not sign, so the product is measured with and without its signatures.
 */
export const run = async (): Promise<void> => {
  const problem = findPostfixProblem();
  if (problem !== null) return console.log(`${problem}: there is nothing to compare with.`);
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  const sink = await startSink();
  const subjects: Subject[] = [];
  try {
    const signing = await startOurs(sink.port, { name: "Bauta" });
    subjects.push(await startPostfix(folder, sink.port, signing.recipients), signing);
    subjects.push(await startOurs(sink.port, { name: "Bauta, not signing", environment: { DKIM: "off" } }));
    console.log(
      `${sessions} sessions at a time; each mail is on the disk before its 250, and reaches the next hop`,
    );
    for (const [name, one] of Object.entries(cases)) await compare(name, one, subjects, sink);
  } finally {
    for (const subject of subjects) await subject.stop();
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
