import type { ScoreFacts } from "./scoreFacts.ts";

/** What a SecuriScore is made of, in the order of the specification (B5). */
export type ScorePartName = "twoFactor" | "encryption" | "masks" | "contentAccess" | "plan";

export interface ScorePart {
  readonly name: ScorePartName;
  /** Points won so far. */
  readonly earned: number;
  /** Points that can be won. */
  readonly possible: number;
}

/** How safe an account is (AC2). */
export interface Score {
  /** From 50 to 100. */
  readonly points: number;
  /** What is known; what is not known wins nothing and is not among them. */
  readonly parts: readonly ScorePart[];
}

/** What everybody has. */
export const basePoints = 50;
export const mostPoints = 100;

/** Active masks, from how many on, win points: more of them win more. */
const maskSteps = [
  { from: 5, points: 10 },
  { from: 3, points: 5 },
  { from: 1, points: 2 },
] as const;

/** From this many active masks on there is nothing more to win with them. */
export const enoughMasks = maskSteps[0].from;

const maskPoints = (active: number): number => maskSteps.find(({ from }) => active >= from)?.points ?? 0;

const part = (name: ScorePartName, possible: number, earned: number | null): readonly ScorePart[] =>
  earned === null ? [] : [{ name, possible, earned }];

const wonIf = (holds: boolean | null, points: number): number | null =>
  holds === null ? null : holds ? points : 0;

/**
 * The SecuriScore (AC2, B5): 50 points, and on top 15 for a second factor, 15 for an encryption key, up to 10 for
 * active masks (1–2: 2, 3–4: 5, 5 and more: 10), 5 for content access with a plan that has it, 5 for a plan above
 * Basic; at most 100.
 */
export const scoreOf = (facts: ScoreFacts): Score => {
  const parts = [
    ...part("twoFactor", 15, wonIf(facts.hasTwoFactor, 15)),
    ...part("encryption", 15, wonIf(facts.isEncrypted, 15)),
    ...part("masks", 10, facts.activeMasks === null ? null : maskPoints(facts.activeMasks)),
    ...part("contentAccess", 5, wonIf(facts.contentAccess && facts.isAboveBasic, 5)),
    ...part("plan", 5, wonIf(facts.isAboveBasic, 5)),
  ];
  const won = parts.reduce((sum, { earned }) => sum + earned, 0);
  return { points: Math.min(mostPoints, basePoints + won), parts };
};
