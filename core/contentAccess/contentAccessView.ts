import type { ContentAccessAnswer, Preferences } from "./contentAccessEndpoints.ts";

/** The content access settings as they are shown. */
export interface ContentAccessView {
  /** null while unknown. */
  readonly access: ContentAccessAnswer | null;
  /** `fallback`: a placeholder after a canceled request, never consent (D46). `old`: cached, server unreachable. */
  readonly origin: "server" | "old" | "fallback";
  /** True if the plan includes content access; null while unknown. */
  readonly isEligible: boolean | null;
  /** null while unknown, or while content access is off. */
  readonly preferences: Preferences | null;
  /** The features with a change that the server has not confirmed yet. */
  readonly pending: ReadonlySet<string>;
}

/** Checks whether the server has confirmed that content access is on. */
export const isContentAccessOn = ({
  access,
  origin,
}: Pick<ContentAccessView, "access" | "origin">): boolean =>
  origin !== "fallback" && access?.contentAccessEnabled === true && access.contentAccessAcknowledged;
