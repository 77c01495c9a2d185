import type { Caller } from "../http/caller.ts";
import { sessionEnded } from "../identity/sessions.ts";
import type { ChangeEvent } from "../store/events.ts";
import { dataUpdate } from "./messages.ts";
import { socketsPerUser } from "./socketLimits.ts";

/** Violation of a policy: what a client is told whose session is not (any longer) good (RFC 6455, 7.4.1). */
export const policyViolation = 1008;
/** Come back later: the user has too many sockets open. */
export const tryAgainLater = 1013;

/** One open socket and whose it is. */
export interface Seat extends Caller {
  readonly send: (message: ReturnType<typeof dataUpdate>) => void;
  readonly close: (code: number, reason: string) => void;
}

/** The sockets of this process, by user. */
export interface SocketHub {
  /** False when the user has as many as one may have. */
  readonly join: (seat: Seat) => boolean;
  readonly leave: (seat: Seat) => void;
  /** Tells a user's sockets of a change; the end of a session closes its sockets. */
  readonly tell: (event: ChangeEvent) => void;
  readonly size: () => number;
}

export const makeSocketHub = (): SocketHub => {
  const seats = new Map<string, Set<Seat>>();

  return {
    join: (seat) => {
      const own = seats.get(seat.userId) ?? new Set();
      if (own.size >= socketsPerUser) return false;
      seats.set(seat.userId, own.add(seat));
      return true;
    },
    leave: (seat) => {
      const own = seats.get(seat.userId);
      own?.delete(seat);
      if (own?.size === 0) seats.delete(seat.userId);
    },
    tell: (event) => {
      for (const seat of [...(seats.get(event.userId) ?? [])]) {
        if (event.resource !== sessionEnded.resource) seat.send(dataUpdate(event));
        else if (event.resourceId === seat.sessionId) seat.close(policyViolation, "The session has ended");
      }
    },
    size: () => [...seats.values()].reduce((sum, own) => sum + own.size, 0),
  };
};
