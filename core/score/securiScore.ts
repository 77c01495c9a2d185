import type { Account } from "../session/user.ts";
import { type Tier, tiers } from "../tiers/tier.ts";

/** The input of a SecuriScore; null means unknown. */
export interface ScoreFacts {
  readonly hasTwoFactor: boolean;
  readonly isEncrypted: boolean;
  readonly activeMasks: number | null;
  /** True if content access is on, regardless of the plan. */
  readonly contentAccess: boolean | null;
  readonly isAboveBasic: boolean;
  /** The maximum number of masks; null when there is no limit or it is unknown. */
  readonly mostMasks: number | null;
  /** True if the server sells plans; elsewhere the score knows neither plans nor content access. */
  readonly sellsPlans: boolean;
}

const isAboveBasic = (tier: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf("basic");

/** Derives the facts from an account, on a server that sells plans or does not. */
export const scoreFactsOf = (
  { twoFactor, keyStatus, subscription, settings, usage, limits }: Account,
  sellsPlans: boolean,
): ScoreFacts => ({
  hasTwoFactor: twoFactor.enabled,
  isEncrypted: keyStatus === "configured",
  activeMasks: usage?.masks.active ?? null,
  contentAccess: settings?.contentAccessEnabled ?? null,
  isAboveBasic: isAboveBasic(subscription.tier),
  mostMasks: limits?.maxMasks ?? null,
  sellsPlans,
});

/** The parts of a SecuriScore, in the order of the specification (AC2). */
export type ScorePartName = "twoFactor" | "encryption" | "masks" | "contentAccess" | "plan";

interface ScorePart {
  readonly name: ScorePartName;
  readonly earned: number;
  readonly possible: number;
}

/** The security score of an account. */
export interface Score {
  /** From 50 to 100. */
  readonly points: number;
  /** The parts that are known; unknown parts add no points. */
  readonly parts: readonly ScorePart[];
}

/** The points of every account. */
export const basePoints = 50;
export const maximumPoints = 100;

/** The points for active masks, by their minimum number. */
const maskSteps = [
  { from: 5, points: 10 },
  { from: 3, points: 5 },
  { from: 1, points: 2 },
] as const;

const masksForMaximum = maskSteps[0].from;

const maskPoints = (active: number): number => maskSteps.find(({ from }) => active >= from)?.points ?? 0;

const part = (name: ScorePartName, possible: number, earned: number | null): readonly ScorePart[] =>
  earned === null ? [] : [{ name, possible, earned }];

const pointsIf = (holds: boolean | null, points: number): number | null =>
  holds === null ? null : holds ? points : 0;

/** The most points for a second factor and for a key: where no plans are sold, they share those of plan and content access. */
const mainPoints = ({ sellsPlans }: ScoreFacts): number => (sellsPlans ? 15 : 20);

/**
 * Computes the SecuriScore (AC2): 50 points, plus 15 for a second factor, 15 for an encryption key, up to 10 for
 * active masks (1–2: 2, 3–4: 5, 5 or more: 10), 5 for content access with a plan that includes it, and 5 for a plan
 * above Basic; at most 100. A server that sells no plans gives 20 for a second factor and 20 for a key instead.
 */
export const scoreOf = (facts: ScoreFacts): Score => {
  const main = mainPoints(facts);
  const parts = [
    ...part("twoFactor", main, pointsIf(facts.hasTwoFactor, main)),
    ...part("encryption", main, pointsIf(facts.isEncrypted, main)),
    ...part("masks", 10, facts.activeMasks === null ? null : maskPoints(facts.activeMasks)),
    ...(facts.sellsPlans
      ? [
          ...part("contentAccess", 5, pointsIf(facts.contentAccess && facts.isAboveBasic, 5)),
          ...part("plan", 5, pointsIf(facts.isAboveBasic, 5)),
        ]
      : []),
  ];
  const earnedPoints = parts.reduce((sum, { earned }) => sum + earned, 0);
  return { points: Math.min(maximumPoints, basePoints + earnedPoints), parts };
};

/** A recommendation that raises the score. */
export interface ScoreTip {
  readonly about: ScorePartName;
  readonly text: string;
  /** The points that it adds to the score; null when unknown. */
  readonly points: number | null;
}

/** The number of tips that are shown at once (AC2). */
export const tipsAtOnce = 3;

const tipText = (about: ScorePartName, { isAboveBasic, mostMasks, sellsPlans }: ScoreFacts): string => {
  switch (about) {
    case "twoFactor":
      return "Switch on two-factor authentication";
    case "encryption":
      return "Set up email encryption";
    case "masks":
      return mostMasks !== null && mostMasks < masksForMaximum
        ? `Use ${masksForMaximum} or more active masks (your ${sellsPlans ? "plan" : "account"} has ${mostMasks})`
        : `Use ${masksForMaximum} or more active masks`;
    case "contentAccess":
      return isAboveBasic ? "Switch on AI content access" : "Switch on AI content access (Pro plan or above)";
    case "plan":
      return "Upgrade to the Pro plan or above";
  }
};

const remainingPoints = ({ earned, possible }: ScorePart): number => possible - earned;

/** Returns the tips that would raise the score, with the points still to be gained (D13). */
export const tipsFor = (facts: ScoreFacts): readonly ScoreTip[] =>
  scoreOf(facts)
    .parts.filter((part) => remainingPoints(part) > 0)
    .map((part) => ({ about: part.name, text: tipText(part.name, facts), points: remainingPoints(part) }));

/** The tips that are shown while the account is unknown. */
export const genericTips: readonly ScoreTip[] = [
  { about: "twoFactor", text: "Switch on two-factor authentication", points: null },
  { about: "encryption", text: "Set up email encryption", points: null },
  { about: "masks", text: "Use a mask of its own for each site", points: null },
];
