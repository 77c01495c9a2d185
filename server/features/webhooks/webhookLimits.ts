import { hourMs } from "../../../core/kernel/durations.ts";
import { retriedForHours } from "../../../core/webhooks/webhookEndpoints.ts";
import type { PlaceLimits } from "../../platform/outgoing/messages/messagePlaces.ts";

export const allPlaces: PlaceLimits = { total: 64, user: 4, host: 4 };

/** Those of webhooks whose last request was not answered promptly, or that were sent none lately. */
export const unprovenPlaces: PlaceLimits = { total: 32, user: 2, host: 2 };

export const retriedForMs = retriedForHours * hourMs;

/** The most messages that wait for one webhook; the oldest are given up. */
export const maxWaiting = 5_000;

/** The most characters that are kept of an answer. */
export const maxAnswer = 200;

/** Refused mail costs its sender nothing, so no more of it is announced to a user in an hour, by one process: in all, and of one network. */
export const refusalsPerHour = { most: 100, ofNetwork: 25 } as const;
