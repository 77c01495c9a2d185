/** A queued mail as a transport sends it. */
export interface TransportMail {
  readonly id: string;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly size: number;
  /** Returns all bytes in order, an array when they are in memory; may be called again for a retry. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
  /** When the mail was queued, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** The result of one attempt, and the answer without addresses. */
export interface DeliveryOutcome {
  readonly kind: "delivered" | "temporary" | "permanent";
  readonly answer: string;
}

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
