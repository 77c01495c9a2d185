import type { MxRoute } from "./direct/mxRoute.ts";
import type { TlsAttempt } from "./direct/tlsSessions.ts";

/** A queued mail as a transport sends it. */
export interface TransportMail {
  readonly id: string;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
  readonly recipient: string;
  /** The account whose mail it is; null or absent for system mail. */
  readonly userId?: string | null;
  /** The mask that it came to or leaves from; null or absent for system mail. */
  readonly maskId?: string | null;
  readonly size: number;
  /** Returns all bytes in order, an array when they are in memory; may be called again for a retry. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The time at which the mail was queued, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The mail servers to send it to; not for a next hop. */
  readonly mxRoute?: MxRoute;
}

/** The result of one attempt, and the answer without addresses. */
interface AttemptOutcome {
  readonly kind: "delivered" | "temporary" | "permanent";
  readonly answer: string;
  /** True if no mail server of the recipient could be reached. */
  readonly isUnreachable?: boolean;
  /** True if the server that was tried has said that it takes no mail at all. */
  readonly takesNoMail?: boolean;
  /** The part that has to be in 7 bits before the server can take the mail; absent where the mail was offered to it. */
  readonly needsSevenBit?: "header" | "all";
  /** The protection of the connections that were tried; absent where nobody asks, and for a next hop. */
  readonly tls?: readonly TlsAttempt[];
  /** True if the log of deliveries names the mail already. */
  readonly isWrittenDown?: boolean;
}

/** There was no attempt, because the servers of the recipient have enough to do or do not answer. */
interface Postponement {
  readonly kind: "postponed";
  /** Their last answer; empty without one. */
  readonly answer: string;
  readonly retryInMs: number;
}

export type DeliveryOutcome = AttemptOutcome | Postponement;

/** Sends mail: to the next hop, or into the outbox. */
export interface Transport {
  /** Sends one mail and returns the outcome; never rejects. */
  readonly send: (mail: TransportMail) => Promise<DeliveryOutcome>;
  /** Aborts all mails in progress with a temporary outcome. */
  readonly abort: () => void;
}

/** Creates a transport that stores mail to our own `postmaster` address in `outbox` and sends other mail. */
export const createPostmasterTransport = (
  postmaster: string,
  { sending, outbox }: { readonly sending: Transport; readonly outbox: Transport },
): Transport => ({
  send: (mail) => (mail.recipient === postmaster ? outbox : sending).send(mail),
  abort: () => {
    sending.abort();
    outbox.abort();
  },
});
