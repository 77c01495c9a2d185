import { type Failure, isUnanswered } from "../kernel/failure.ts";

const networkWords = /network error|failed to fetch/i;

/** The message names a network error, or the browser says it is offline (SY1). */
export const isOfflineMessage = (message: string, online: boolean): boolean =>
  !online || networkWords.test(message);

const messageOf = (failure: Failure): string => {
  if (failure.kind === "unavailable") return failure.detail;
  return failure.kind === "refused" ? (failure.message ?? "") : "";
};

/** Nobody has answered: what was to be saved is kept here and sent later (SY1). */
export const isOffline = (failure: Failure, online: boolean): boolean =>
  isUnanswered(failure) || isOfflineMessage(messageOf(failure), online);

const passing = new Set([401, 408, 425, 429]);

/** Trying again may help. A server that has looked at the rules and refused them will refuse them again. */
export const mayHeal = (failure: Failure): boolean => {
  if (failure.kind === "invalid") return false;
  return failure.kind !== "refused" || failure.status >= 500 || passing.has(failure.status);
};
