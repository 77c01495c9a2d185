/** A mail as it leaves. */
export interface DepartingMail {
  readonly id: string;
  /** Empty for the null sender. */
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly content: Uint8Array;
  /** When it was queued. */
  readonly createdAt: number;
}

/** What became of it, and the answer it got, without addresses. */
export interface Outcome {
  readonly kind: "delivered" | "temporary" | "permanent";
  readonly answer: string;
}

/** Where mail leaves to: the next hop, or the outbox. */
export interface Departure {
  /** Takes a mail over, or says why not; never rejects. */
  readonly send: (mail: DepartingMail) => Promise<Outcome>;
  /** Gives up what is under way: its outcome is temporary. */
  readonly abandon: () => void;
}
