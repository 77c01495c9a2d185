import type { ScoreFacts } from "./scoreFacts.ts";
import { enoughMasks, type ScorePart, type ScorePartName, scoreOf } from "./securiScore.ts";

/** Something a person can do to be safer. */
export interface ScoreTip {
  readonly about: ScorePartName;
  readonly sentence: string;
  /** What it adds to the score; null where that is not known. */
  readonly points: number | null;
}

/** How many tips are shown at once (AC2). */
export const tipsAtOnce = 3;

const tipSentence = (about: ScorePartName, { isAboveBasic, mostMasks }: ScoreFacts): string => {
  switch (about) {
    case "twoFactor":
      return "Turn on two-factor authentication";
    case "encryption":
      return "Set up email encryption";
    case "masks":
      return mostMasks !== null && mostMasks < enoughMasks
        ? `Use ${enoughMasks} or more active masks (your plan has ${mostMasks})`
        : `Use ${enoughMasks} or more active masks`;
    case "contentAccess":
      return isAboveBasic ? "Turn on AI content access" : "Turn on AI content access (Pro plan or above)";
    case "plan":
      return "Upgrade to the Pro plan or above";
  }
};

const stillToWin = ({ earned, possible }: ScorePart): number => possible - earned;

/** What would raise the score and by how many points still to be won (D13), the most points first. */
export const tipsFor = (facts: ScoreFacts): readonly ScoreTip[] =>
  scoreOf(facts)
    .parts.filter((part) => stillToWin(part) > 0)
    .map((part) => ({ about: part.name, sentence: tipSentence(part.name, facts), points: stillToWin(part) }));

/** What is good for everybody: said while nothing is known of the account (AC2). */
export const genericTips: readonly ScoreTip[] = [
  { about: "twoFactor", sentence: "Turn on two-factor authentication", points: null },
  { about: "encryption", sentence: "Set up email encryption", points: null },
  { about: "masks", sentence: "Use a mask of its own for each site", points: null },
];
