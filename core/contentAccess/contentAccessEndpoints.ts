import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { ContentAccessAnswer } from "./access.ts";
import { AiFeatures, AiFeaturesChange } from "./aiFeature.ts";

/** Whether content may be looked at, and whether the plan allows it. */
export const getContentAccess = endpoint("GET", "/ai/content-access", { answer: ContentAccessAnswer });

/** 400 with `acknowledgmentRequired` unless the privacy notice was read, 403 below Pro (SG4). */
export const putContentAccess = endpoint("PUT", "/ai/content-access", {
  body: t.intersection([
    t.type({ contentAccessEnabled: t.boolean }),
    t.partial({ acknowledgment: t.boolean }),
  ]),
  answer: ContentAccessAnswer,
});

export const Preferences = t.intersection([
  t.type({ features: AiFeatures }),
  t.partial({
    /** What this server can do; a feature that is missing does nothing here. Absent: all. */
    offered: t.array(t.string),
  }),
]);
export type Preferences = t.TypeOf<typeof Preferences>;

/** Which AI features are on (SG5). */
export const getPreferences = endpoint("GET", "/ai/preferences", { answer: Preferences });

/** 400 while content access is off, 403 below Pro (SG4). */
export const putPreferences = endpoint("PUT", "/ai/preferences", {
  body: t.type({ preferences: t.type({ features: AiFeaturesChange }) }),
  answer: Preferences,
});
