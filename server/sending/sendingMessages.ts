import type { NextHop } from "../config/settings.ts";
import type { DeliveryOutcome, TransportMail } from "../delivery/transport.ts";
import type { SigningKey } from "../proof/dkimKeys.ts";

/** What the sending thread is started with. */
export interface SendingOptions {
  readonly nextHop: NextHop;
  /** Our host name: for EHLO, and the signing domain. */
  readonly name: string;
  readonly connections: number;
  readonly signs: boolean;
}

/** Mails for the sending thread. */
export interface SendRequest {
  readonly mails: readonly (Omit<TransportMail, "chunks"> & {
    readonly number: number;
    /** Offset in `bytes`. */
    readonly start: number;
  })[];
  /** The content of all of them. */
  readonly bytes: Uint8Array;
  /** The signing keys; null when they have not changed. */
  readonly keys: readonly SigningKey[] | null;
}

/** What the sending thread answers. */
export interface SentBatch {
  readonly outcomes: readonly { readonly number: number; readonly outcome: DeliveryOutcome }[];
  /** Errors of signing, for the log. */
  readonly failures: readonly unknown[];
}
