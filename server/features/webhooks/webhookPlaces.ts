import { createRecentKeys } from "../../platform/rates/recentKeys.ts";
import {
  allPlaces,
  maxPromptWebhooks,
  promptWithinMs,
  unprovenPlaces,
  type WebhookPlaces,
} from "./webhookLimits.ts";

/** A message that asks for a place. */
export interface PlacedMessage {
  readonly userId: string;
  readonly webhookId: string;
  readonly host: string;
}

/** The places of the requests to webhooks that are under way, of which slow receivers take a part only. */
export interface UsedPlaces {
  /** Returns the number of free places. */
  readonly free: () => number;
  /** Takes a place; returns false where none is left for the message's user, host or kind. */
  readonly take: (message: PlacedMessage) => boolean;
}

/** A request that is under way. */
export interface RunningRequest extends PlacedMessage {
  readonly beganAt: number;
}

class Counts {
  readonly #most: WebhookPlaces;
  readonly #users = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  total = 0;

  constructor(most: WebhookPlaces) {
    this.#most = most;
  }

  isFull({ userId, host }: PlacedMessage): boolean {
    const { total, user, host: ofHost } = this.#most;
    return (
      this.total >= total || (this.#users.get(userId) ?? 0) >= user || (this.#hosts.get(host) ?? 0) >= ofHost
    );
  }

  add({ userId, host }: PlacedMessage): void {
    this.total += 1;
    this.#users.set(userId, (this.#users.get(userId) ?? 0) + 1);
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
  }
}

/** Knows which webhooks answer promptly, and shares the places of a process. */
export interface WebhookPlacing {
  /** Returns the places that these requests leave. */
  readonly placesBeside: (running: Iterable<RunningRequest>, now: number) => UsedPlaces;
  /** Records how long the last request took; `isAnswered` is false without an answer. */
  readonly recordAnswer: (
    webhookId: string,
    took: { readonly ms: number; readonly isAnswered: boolean },
  ) => void;
}

/** Creates the sharing of places; it begins with no webhook known. */
export const createWebhookPlacing = (): WebhookPlacing => {
  const prompt = createRecentKeys<true>(maxPromptWebhooks);
  return {
    placesBeside: (running, now) => {
      const all = new Counts(allPlaces);
      const unproven = new Counts(unprovenPlaces);
      for (const request of running) {
        all.add(request);
        const isLate = now - request.beganAt > promptWithinMs;
        if (isLate || !prompt.find(request.webhookId)) unproven.add(request);
      }
      return {
        free: () => allPlaces.total - all.total,
        take: (message) => {
          const isProven = prompt.find(message.webhookId) === true;
          if (all.isFull(message) || (!isProven && unproven.isFull(message))) return false;
          all.add(message);
          if (!isProven) unproven.add(message);
          return true;
        },
      };
    },
    recordAnswer: (webhookId, { ms, isAnswered }) => {
      if (isAnswered && ms <= promptWithinMs) prompt.set(webhookId, true);
      else prompt.take(webhookId);
    },
  };
};
