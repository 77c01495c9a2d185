import type { Clock } from "../../core/ports/clock.ts";
import type { Caller } from "../http/caller.ts";
import { sessionEnded } from "../identity/endSession.ts";
import type { ChangeEvent } from "../store/events.ts";
import type { Announce } from "./announcement.ts";
import { writeMessage } from "./messages.ts";
import { socketsPerUser } from "./socketLimits.ts";
import type { Topics } from "./topics.ts";

/** Violation of a policy: what a client is told whose session is not (any longer) good (RFC 6455, 7.4.1). */
export const policyViolation = 1008;
/** Come back later: the user has too many sockets open. */
export const tryAgainLater = 1013;

/** One open socket and whose it is. */
export interface Seat extends Caller {
  readonly topics: Topics;
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Whether it was asked for a sign of life and has not given one. */
  readonly isSilent: () => boolean;
}

/** The sockets of this process, by user. */
export interface SocketHub {
  /** False when the user has as many as one may have; one that has fallen silent gives up its seat. */
  readonly join: (seat: Seat) => boolean;
  readonly leave: (seat: Seat) => void;
  /** Tells a user's sockets of a change; the end of a session closes its sockets. */
  readonly tell: (event: ChangeEvent) => void;
  /** Resolves when everything that was to be told before has been told. */
  readonly told: () => Promise<void>;
}

export const makeSocketHub = (
  announce: Announce,
  clock: Pick<Clock, "now">,
  most = socketsPerUser,
): SocketHub => {
  const seats = new Map<string, Set<Seat>>();
  let telling: Promise<void> = Promise.resolve();

  const leave = (seat: Seat): void => {
    const own = seats.get(seat.userId);
    own?.delete(seat);
    if (own?.size === 0) seats.delete(seat.userId);
  };
  const of = (userId: string): readonly Seat[] => [...(seats.get(userId) ?? [])];

  const closeSession = ({ userId, resourceId }: ChangeEvent): void => {
    for (const seat of of(userId))
      if (resourceId === seat.sessionId) seat.close(policyViolation, "The session has ended");
  };
  const announceTo = async (event: ChangeEvent): Promise<void> => {
    const message = await announce(event);
    if (!message) return;
    const text = writeMessage(message, clock.now());
    for (const seat of of(event.userId))
      if (seat.topics.has(event.resource, event.resourceId)) seat.send(text);
  };

  return {
    join: (seat) => {
      const silent = of(seat.userId).length >= most && of(seat.userId).find((other) => other.isSilent());
      if (silent) {
        leave(silent);
        silent.close(tryAgainLater, "Another socket has taken its place");
      }
      const own = seats.get(seat.userId) ?? new Set();
      if (own.size >= most) return false;
      seats.set(seat.userId, own.add(seat));
      return true;
    },
    leave,
    tell: (event) => {
      if (event.resource === sessionEnded.resource) closeSession(event);
      // Each after the one before, so that what was committed first is told first.
      else if (seats.has(event.userId)) telling = telling.then(() => announceTo(event)).catch(() => {});
    },
    told: () => telling,
  };
};
