import { type ContentAccessAnswer, mayAccessContent } from "../../core/contentAccess/access.ts";
import {
  type AiFeature,
  type AiFeaturesChange,
  aiFeatureDefaults,
  aiFeatures,
} from "../../core/contentAccess/aiFeature.ts";
import type { Preferences } from "../../core/contentAccess/contentAccessEndpoints.ts";
import {
  accessNeededToUpdate,
  notAcknowledged,
  notEligible,
  upgradeNeeded,
} from "../../core/contentAccess/contentAccessSentences.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { includesFeature } from "../../core/tiers/feature.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import type { Keep } from "../http/once.ts";
import { Refusal } from "../http/refusal.ts";
import { invalidSession } from "../identity/authenticate.ts";
import {
  allowContent,
  type Consent,
  changeFeatures,
  findConsent,
  forbidContent,
} from "../store/contentAccess.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";

export interface ContentAccessParts {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly feed: Pick<EventFeed, "nudge">;
  /** The host of the model elsewhere that is asked besides; null: there is none. */
  readonly externalModel: string | null;
}

/** What the classifier and the statistics do; the rest is not offered, and says so (SG5). */
const offered: readonly AiFeature[] = ["categorization", "prioritization"];

const needsPro = (): Refusal => new Refusal(403, notEligible);
const featuresNeedPro = (): Refusal => new Refusal(403, upgradeNeeded);
const unread = (): Refusal => new Refusal(400, notAcknowledged, { more: { acknowledgmentRequired: true } });

interface Known {
  readonly tier: Tier;
  readonly consent: Consent | null;
}

/** Whether the content of a user's mail may be looked at, and for what (SG3 to SG5). */
export const makeUserContentAccess = ({ database, clock, feed, externalModel }: ContentAccessParts) => {
  const known = async (db: Db, userId: string): Promise<Known> => {
    const found = await findConsent(db, userId);
    if (!found) throw invalidSession();
    return found;
  };
  const answerOf = ({ tier, consent }: Known): ContentAccessAnswer => ({
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
  const preferencesOf = ({ consent }: Known): Preferences => ({
    features: consent?.features ?? { ...aiFeatureDefaults },
    offered: [...offered],
  });
  /** The score of the account depends on it too. */
  const changed = async (db: Db, userId: string): Promise<void> => {
    for (const resource of ["content-access", "account"])
      await appendEvent(db, { userId, resource, resourceId: null, action: "updated" }, clock.now());
  };

  return {
    read: async (userId: string): Promise<ContentAccessAnswer> => answerOf(await known(database.db, userId)),

    /** Allows or forbids it; forbidding forgets what was derived. Throws what SG4 says. */
    set: async (
      userId: string,
      wanted: { readonly contentAccessEnabled: boolean; readonly acknowledgment?: boolean | undefined },
      keep: Keep<ContentAccessAnswer>,
    ): Promise<ContentAccessAnswer> => {
      const answer = await database.transaction(async (db) => {
        const now = clock.now();
        const { tier } = await known(db, userId);
        if (!wanted.contentAccessEnabled) await forbidContent(db, userId, now);
        else if (!mayAccessContent(tier)) throw needsPro();
        else if (wanted.acknowledgment !== true) throw unread();
        else await allowContent(db, userId, { externalModel, now });
        await changed(db, userId);
        const after = answerOf(await known(db, userId));
        await keep(db, after);
        return after;
      });
      feed.nudge();
      return answer;
    },

    preferences: async (userId: string): Promise<Preferences> => {
      const { tier, consent } = await known(database.db, userId);
      return preferencesOf({ tier, consent });
    },

    /** Changes what content is looked at for. Throws 403 below Pro and 400 while content access is off (SG4). */
    prefer: async (
      userId: string,
      features: AiFeaturesChange,
      keep: Keep<Preferences>,
    ): Promise<Preferences> => {
      const answer = await database.transaction(async (db) => {
        const { tier, consent } = await known(db, userId);
        if (!mayAccessContent(tier)) throw featuresNeedPro();
        if (consent === null) throw new Refusal(400, accessNeededToUpdate);
        const isMissing = (name: AiFeature): boolean =>
          features[name] === true && features[name] !== consent.features[name] && !offered.includes(name);
        if (aiFeatures.some(isMissing)) throw new Refusal(400, "This server does not offer that feature");
        await changeFeatures(db, userId, {
          features: { ...consent.features, ...features },
          now: clock.now(),
        });
        await changed(db, userId);
        const after = preferencesOf(await known(db, userId));
        await keep(db, after);
        return after;
      });
      feed.nudge();
      return answer;
    },
  };
};

export type UserContentAccess = ReturnType<typeof makeUserContentAccess>;
