import type { Log } from "../log.ts";
import type { Passage } from "../relay/passage.ts";
import type { Acceptance } from "./acceptance.ts";

/** A mail that was decided about, and what came of it. */
export interface Concluded {
  readonly acceptance: Acceptance;
  readonly passages: readonly Passage[];
  /** What its sender was answered. */
  readonly code: number;
  /** Bytes. */
  readonly size: number;
  /** From its last byte to the answer. */
  readonly ms: number;
}

const judged = ({ by, isSpam, score, authentication }: NonNullable<Passage["spam"]>) => ({
  by,
  isSpam,
  score,
  ...authentication,
});

const decided = ({ route, decision, read, copies, digest, archive, answer, spam }: Passage) => ({
  mask: route.maskId,
  read,
  block: decision.block?.how ?? "no",
  rules: decision.applied.length,
  actions: [...new Set(decision.applied.flatMap(({ actions }) => actions))],
  copies: copies.length,
  digest: digest.length,
  archive: archive !== null,
  answer: answer !== null,
  spam: spam && judged(spam),
});

/** Writes what a mail went through as one line: no address, no subject, nothing its sender or owner has written. */
export const logPassages = (log: Log, { acceptance, passages, code, size, ms }: Concluded): void =>
  log.info(
    { outcome: acceptance.kind, code, size, ms: Math.round(ms), masks: passages.map(decided) },
    "mail",
  );
