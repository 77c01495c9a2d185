import {
  type AiFeature,
  type AiFeatures,
  type AiFeaturesChange,
  aiFeatureDefaults,
  aiFeatures,
  withDefaultFeatures,
} from "../../../core/contentAccess/aiFeature.ts";
import {
  type AnnouncedContentAccess,
  type ContentAccessAnswer,
  mayAccessContent,
  type Preferences,
} from "../../../core/contentAccess/contentAccessEndpoints.ts";
import {
  accessNeededToUpdate,
  notAcknowledged,
  notEligible,
  upgradeNeeded,
} from "../../../core/contentAccess/contentAccessMessages.ts";
import { includesFeature } from "../../../core/tiers/feature.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import type { Consent } from "../../relay/mailRoute.ts";
import { findConsent, grantConsent, updateFeatures, withdrawConsent } from "./consentQueries.ts";

export interface ContentAccessDeps extends Pick<ServerContext, "database" | "clock" | "sellsPlans"> {
  /** The host of the external model that is used in addition; null if there is none. */
  readonly externalModel: string | null;
  readonly insights: { readonly forgetContent: (db: Db, userId: string) => Promise<void> };
}

/** The features that this server implements; the others are reported as not offered (SG5). */
const offeredFeatures: readonly AiFeature[] = ["categorization", "prioritization"];

/** The refusal below Pro; a server that sells nothing names no tier. */
const notIncluded = (text: string, sellsPlans: boolean): UseCaseError =>
  new UseCaseError(
    "forbidden",
    sellsPlans ? text : "Your account cannot use content access on this server. Ask the operator.",
  );

const withoutUnoffered = (features: AiFeatures): AiFeatures =>
  withDefaultFeatures(
    Object.fromEntries(aiFeatures.map((name) => [name, offeredFeatures.includes(name) && features[name]])),
  );

const acknowledgmentMissing = (): UseCaseError =>
  new UseCaseError("invalid", notAcknowledged, { extra: { acknowledgmentRequired: true } });

interface UserConsent {
  readonly tier: Tier;
  readonly consent: Consent | null;
}

const readConsent = async (db: Db, userId: string): Promise<UserConsent> => {
  const found = await findConsent(db, userId);
  if (!found) throw invalidSession();
  return found;
};

const toPreferences = ({ consent }: UserConsent): Preferences => ({
  features: withoutUnoffered(consent?.features ?? { ...aiFeatureDefaults }),
  offered: [...offeredFeatures],
});

/** Returns the consent; throws when the plan has no features, access is off, or a feature is not offered here. */
const assertMayChange = (
  { tier, consent }: UserConsent,
  features: AiFeaturesChange,
  sellsPlans: boolean,
): Consent => {
  if (!mayAccessContent(tier)) throw notIncluded(upgradeNeeded, sellsPlans);
  if (consent === null) throw new UseCaseError("invalid", accessNeededToUpdate);
  const isNotOffered = (name: AiFeature): boolean =>
    features[name] === true && features[name] !== consent.features[name] && !offeredFeatures.includes(name);
  if (aiFeatures.some(isNotOffered))
    throw new UseCaseError("invalid", "This server does not offer that feature");
  return consent;
};

/** Creates the use cases of content access and its features (SG3 to SG5). */
export const createUserContentAccess = ({
  database,
  clock,
  sellsPlans,
  externalModel,
  insights,
}: ContentAccessDeps) => {
  const toAnswer = ({ tier, consent }: UserConsent): ContentAccessAnswer => ({
    contentAccessEnabled: consent !== null,
    contentAccessAcknowledged: consent !== null,
    contentAccessEligible: mayAccessContent(tier),
    currentTier: tier,
    features: {
      smartFiltering: consent !== null && includesFeature(tier, "smartFiltering"),
      contentCategorization: consent !== null && includesFeature(tier, "contentCategorization"),
    },
    ...(externalModel === null ? {} : { externalModel }),
  });
  /** Records both changes, because the account's score depends on content access too. */
  const recordChange = async (db: Db, userId: string): Promise<void> => {
    for (const resource of ["content-access", "account"])
      await appendEvent(db, { userId, resource, resourceId: null, action: "updated" }, clock.now());
  };

  return {
    /** Returns what the user's other clients show after a change. */
    getAnnounced: async (userId: string): Promise<AnnouncedContentAccess> => {
      const stored = await readConsent(database.db, userId);
      return { ...toAnswer(stored), preferences: toPreferences(stored) };
    },

    getAccess: async (userId: string): Promise<ContentAccessAnswer> =>
      toAnswer(await readConsent(database.db, userId)),

    /** Grants or withdraws access; withdrawing deletes derived data. Throws the errors of SG4. */
    setAccess: async (
      tx: Db,
      userId: string,
      change: { readonly contentAccessEnabled: boolean; readonly acknowledgment?: boolean | undefined },
    ): Promise<ContentAccessAnswer> => {
      const now = clock.now();
      const { tier } = await readConsent(tx, userId);
      if (!change.contentAccessEnabled) {
        await withdrawConsent(tx, userId, now);
        await insights.forgetContent(tx, userId);
      } else if (!mayAccessContent(tier)) throw notIncluded(notEligible, sellsPlans);
      else if (change.acknowledgment !== true) throw acknowledgmentMissing();
      else await grantConsent(tx, userId, { externalModel, now });
      await recordChange(tx, userId);
      return toAnswer(await readConsent(tx, userId));
    },

    getPreferences: async (userId: string): Promise<Preferences> =>
      toPreferences(await readConsent(database.db, userId)),

    /** Changes the features. Throws 403 below Pro and 400 while content access is off (SG4). */
    setFeatures: async (tx: Db, userId: string, features: AiFeaturesChange): Promise<Preferences> => {
      const consent = assertMayChange(await readConsent(tx, userId), features, sellsPlans);
      await updateFeatures(tx, userId, {
        features: { ...consent.features, ...features },
        now: clock.now(),
      });
      await recordChange(tx, userId);
      return toPreferences(await readConsent(tx, userId));
    },
  };
};

/** The use cases of content access and its features. */
export type UserContentAccess = ReturnType<typeof createUserContentAccess>;
