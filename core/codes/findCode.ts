import { type Candidate, candidatesIn } from "./candidates.ts";
import { type Evidence, isEnough, readEvidence, scoreOf } from "./codeEvidence.ts";
import { confirmationLink } from "./confirmationLink.ts";
import { type MailTexts, readableMail } from "./readableMail.ts";

/** What a mail brings for the page that waits for it; each null when there is none, or none that is sure. */
export interface FoundCode {
  /** As it is typed: digits without blanks, letters as they stand. */
  readonly code: string | null;
  /** The address of the one link that confirms something. Nobody but its reader follows it. */
  readonly link: string | null;
}

/** The most candidates that are looked at. */
const maxCandidates = 40;

/** Joins digits that stand in a line each, as cells of a table do. */
const joinSpelled = (lines: readonly string[]): readonly string[] => {
  const joined: string[] = [];
  let spelled: string[] = [];
  const flush = (): void => {
    if (spelled.length >= 4 && spelled.length <= 8) joined.push(spelled.join(""));
    else joined.push(...spelled);
    spelled = [];
  };
  for (const line of lines) {
    if (/^\d$/.test(line)) spelled.push(line);
    else {
      flush();
      joined.push(line);
    }
  }
  flush();
  return joined;
};

interface Placed {
  readonly n: number;
  readonly candidate: Candidate;
}

/** The lines before and behind a candidate that are read. */
const linesBefore = 4;
const linesBehind = 2;
/** The subject is read as the line before the first, with a gap that no line reaches over. */
const subjectLine = -10;

const placedIn = (subject: string, lines: readonly string[]): readonly Placed[] => {
  const placed = candidatesIn(subject).map((candidate) => ({ n: subjectLine, candidate }));
  for (const [n, line] of lines.entries()) {
    if (placed.length >= maxCandidates) break;
    placed.push(...candidatesIn(line).map((candidate) => ({ n, candidate })));
  }
  return placed.slice(0, maxCandidates);
};

/** Returns the lines around the candidates, and the subject. */
const textsAround = (
  placed: readonly Placed[],
  subject: string,
  lines: readonly string[],
): ReadonlyMap<number, string> => {
  const texts = new Map([[subjectLine, subject]]);
  for (const { n } of placed)
    for (let near = n - linesBefore; near <= n + linesBehind; near += 1) {
      const text = lines[near];
      if (text !== undefined) texts.set(near, text);
    }
  return texts;
};

/** Returns the candidate for which most speaks; one that is said twice counts more. */
const bestOf = (placed: readonly Placed[], evidence: Evidence): string | null => {
  const scores = new Map<string, number>();
  for (const { n, candidate } of placed) {
    const score = scoreOf(evidence, n, candidate);
    if (!isEnough(score, candidate)) continue;
    const known = scores.get(candidate.code);
    scores.set(candidate.code, known === undefined ? score : Math.max(known, score) + 0.5);
  }
  let best: string | null = null;
  for (const [code, score] of scores) if (best === null || score > (scores.get(best) ?? 0)) best = code;
  return best;
};

const findBest = (subject: string, lines: readonly string[]): string | null => {
  const placed = placedIn(subject, lines);
  return placed.length === 0 ? null : bestOf(placed, readEvidence(textsAround(placed, subject, lines)));
};

/** Finds the code and the confirmation link of a mail. The time is linear in its length; nothing is followed or loaded. */
export const findCode = (texts: MailTexts): FoundCode => {
  const { subject, lines, links } = readableMail(texts);
  return { code: findBest(subject, joinSpelled(lines)), link: confirmationLink(links) };
};
