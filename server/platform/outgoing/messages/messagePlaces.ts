import { createRecentKeys } from "../../rates/recentKeys.ts";

/** Requests of a process at the same time: in all, for one user, and to one host. */
export interface PlaceLimits {
  readonly total: number;
  readonly user: number;
  readonly host: number;
}

/** The time within which an answer is prompt. */
const promptWithinMs = 3_000;

/** The most receivers that are known to answer promptly; those used least recently are forgotten. */
const maxPromptReceivers = 10_000;

/** A message that asks for a place. */
export interface PlacedMessage {
  readonly userId: string;
  readonly receiverId: string;
  readonly host: string;
}

/** The places of the requests that are under way, of which slow receivers take a part only. */
interface UsedPlaces {
  /** Returns the number of free places. */
  readonly free: () => number;
  /** Takes a place; returns false where none is left for the message's user, host or kind. */
  readonly take: (message: PlacedMessage) => boolean;
}

/** A request that is under way. */
interface RunningRequest extends PlacedMessage {
  readonly beganAt: number;
}

class Counts {
  readonly #most: PlaceLimits;
  readonly #users = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  total = 0;

  constructor(most: PlaceLimits) {
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

/** The places of a process: all, and those of receivers that did not answer promptly or were sent nothing lately. */
export interface Places {
  readonly all: PlaceLimits;
  readonly unproven: PlaceLimits;
}

/** Knows which receivers answer promptly, and shares the places of a process. */
interface MessagePlacing {
  /** Returns the places that these requests leave. */
  readonly placesBeside: (running: Iterable<RunningRequest>, now: number) => UsedPlaces;
  /** Records how long the last request took; `isAnswered` is false without an answer. */
  readonly recordAnswer: (
    receiverId: string,
    took: { readonly ms: number; readonly isAnswered: boolean },
  ) => void;
}

/** Creates the sharing of places; it begins with no receiver known. */
export const createMessagePlacing = (limits: Places): MessagePlacing => {
  const prompt = createRecentKeys<true>(maxPromptReceivers);
  return {
    placesBeside: (running, now) => {
      const all = new Counts(limits.all);
      const unproven = new Counts(limits.unproven);
      for (const request of running) {
        all.add(request);
        const isLate = now - request.beganAt > promptWithinMs;
        if (isLate || !prompt.find(request.receiverId)) unproven.add(request);
      }
      return {
        free: () => limits.all.total - all.total,
        take: (message) => {
          const isProven = prompt.find(message.receiverId) === true;
          if (all.isFull(message) || (!isProven && unproven.isFull(message))) return false;
          all.add(message);
          if (!isProven) unproven.add(message);
          return true;
        },
      };
    },
    recordAnswer: (receiverId, { ms, isAnswered }) => {
      if (isAnswered && ms <= promptWithinMs) prompt.set(receiverId, true);
      else prompt.take(receiverId);
    },
  };
};
