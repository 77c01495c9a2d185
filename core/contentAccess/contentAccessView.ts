import type { ContentAccessAnswer } from "./access.ts";
import type { AiFeature } from "./aiFeature.ts";
import type { Preferences } from "./contentAccessEndpoints.ts";

/** What is known of content access. */
export interface ContentAccessView {
  /** null: not known yet. */
  readonly access: ContentAccessAnswer | null;
  /**
   * `fallback`: what is shown stands in for an answer that never came; it is nobody's consent and nothing can be built
   * on it (D46). `old`: from an earlier time, because the server cannot be reached.
   */
  readonly origin: "server" | "old" | "fallback";
  /** Whether the plan allows it; null: not known yet. */
  readonly isEligible: boolean | null;
  /** null: not known, or not asked for because access is off. */
  readonly preferences: Preferences | null;
  /** Features shown as somebody wants them, and not confirmed yet. */
  readonly pending: ReadonlySet<AiFeature>;
}

/** What of it the server, or the cache, has told. */
export type Known = Pick<ContentAccessView, "access" | "origin" | "preferences">;

export const nothingKnown: Known = { access: null, origin: "server", preferences: null };

/** Whether content access is on, as far as the server has said so. */
export const isOn = ({ access, origin }: Pick<Known, "access" | "origin">): boolean =>
  origin !== "fallback" && access?.contentAccessEnabled === true && access.contentAccessAcknowledged;

/** With one feature switched. */
export const withFeature = (known: Known, feature: AiFeature, isWanted: boolean): Known => {
  const { preferences } = known;
  return preferences === null
    ? known
    : {
        ...known,
        preferences: { ...preferences, features: { ...preferences.features, [feature]: isWanted } },
      };
};
