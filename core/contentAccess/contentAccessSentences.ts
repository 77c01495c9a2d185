import type { Failure } from "../kernel/failure.ts";
import type { Fallbacks } from "../sentences/operations.ts";

// SG4, word for word.

export const notAcknowledged = "You must acknowledge the privacy notice to enable content access";
export const settingsUpdated = "Content access settings updated";
export const notEligible = "Content access features require Pro tier or higher";
export const accessNeededToUpdate = "Content access must be enabled to update AI preferences";
export const preferencesUpdated = "AI preferences updated successfully";

/** What is shown is nobody's answer: nothing is built on it (D46). */
export const notKnown = "The server has not said yet whether content access is on. Refresh, then try again.";

const accessNeeded = "Content access must be enabled to use AI features";
export const upgradeNeeded = "AI features require upgrading to Pro tier or higher";

const failedToSave = "Failed to update content access settings";
const failedToPrefer = "Failed to update AI preferences";

const everywhere = (sentence: string): Fallbacks => ({
  here: sentence,
  unreached: sentence,
  unreadable: sentence,
});

type Refusals = Readonly<Record<number, string>>;

/** What is said of a failure where the server gives no sentence of its own: some statuses have one in the catalogue. */
const byStatus =
  (refusals: Refusals, otherwise: string) =>
  (failure: Failure): Fallbacks =>
    everywhere((failure.kind === "refused" && refusals[failure.status]) || otherwise);

export const failing = {
  readAccess: byStatus({ 403: notEligible }, "Failed to get content access settings"),
  saveAccess: byStatus({ 400: notAcknowledged, 403: notEligible }, failedToSave),
  readPreferences: byStatus({ 400: accessNeeded, 403: upgradeNeeded }, "Failed to get AI preferences"),
  savePreferences: byStatus({ 400: accessNeededToUpdate, 403: upgradeNeeded }, failedToPrefer),
} as const;
