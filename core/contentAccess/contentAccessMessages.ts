import type { FallbackMessages } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";

// The texts come from the specification (SG4).

export const notAcknowledged = "You must acknowledge the privacy notice to enable content access";
export const settingsUpdated = "Content access settings updated";
export const notEligible = "Content access features require Pro tier or higher";
export const accessNeededToUpdate = "Content access must be enabled to update AI preferences";
export const preferencesUpdated = "AI preferences updated successfully";

/** The message for a change while only fallback values are known (D46). */
export const accessUnknown =
  "The server has not said yet whether content access is on. Refresh, then try again.";

const accessNeeded = "Content access must be enabled to use AI features";
export const upgradeNeeded = "AI features require upgrading to Pro tier or higher";

const failedToSave = "Failed to update content access settings";
const failedToSavePreferences = "Failed to update AI preferences";

const sameMessage = (message: string): FallbackMessages => ({
  page: message,
  unanswered: message,
  unreadable: message,
});

type MessagesByStatus = Readonly<Record<number, string>>;

/** Chooses the message by the status of a refusal; `otherwise` is the message of all other failures. */
const byStatus =
  (messages: MessagesByStatus, otherwise: string) =>
  (failure: Failure): FallbackMessages =>
    sameMessage((failure.kind === "refused" && messages[failure.status]) || otherwise);

export const failureMessages = {
  readAccess: byStatus({ 403: notEligible }, "Failed to get content access settings"),
  saveAccess: byStatus({ 400: notAcknowledged, 403: notEligible }, failedToSave),
  readPreferences: byStatus({ 400: accessNeeded, 403: upgradeNeeded }, "Failed to get AI preferences"),
  savePreferences: byStatus({ 400: accessNeededToUpdate, 403: upgradeNeeded }, failedToSavePreferences),
} as const;
