import type { NextHop } from "../../platform/config/settings.ts";
import type { SigningKey } from "../../proof/dkimKeys.ts";
import type { TlsSession } from "../direct/tlsSessions.ts";
import type { SpooledMail } from "../outgoingCopy.ts";
import type { DeliveryOutcome, TransportMail } from "../transport.ts";

/** The options that the sending thread is started with. */
export interface SendingOptions {
  /** Null sends each mail to its mail servers. */
  readonly nextHop: NextHop | null;
  /** Addresses to send from without a next hop. */
  readonly sources: readonly string[];
  /** Our host name: for EHLO, and the signing domain. */
  readonly name: string;
  /** To the next hop, or to one address of a mail server. */
  readonly connections: number;
  readonly signs: boolean;
  /** True if outcomes tell how their connections were protected, without a next hop. */
  readonly tellsTls: boolean;
  /** Path of the log of deliveries; null without one. */
  readonly deliveredLog: string | null;
  /** The data folder, whose spool the thread reads large mail from. */
  readonly dataDir: string;
}

/** Mails for the sending thread. */
export interface SendRequest {
  readonly mails: readonly (Omit<TransportMail, "chunks"> & {
    readonly number: number;
    /** Offset in `bytes`. */
    readonly start: number;
    /** Length in `bytes`. */
    readonly length: number;
    /** The rest of the mail; null when all of it is in `bytes`. */
    readonly rest: Pick<SpooledMail, "file" | "skip"> | null;
  })[];
  /** The part of all of them that is in memory. */
  readonly bytes: Uint8Array;
  /** The signing keys; null when they have not changed. */
  readonly keys: readonly SigningKey[] | null;
}

/** The answer of the sending thread. */
export interface SentBatch {
  readonly outcomes: readonly { readonly number: number; readonly outcome: DeliveryOutcome }[];
  /** Errors of signing, for the log. */
  readonly failures: readonly unknown[];
  /** The connections to mail servers of recipients. */
  readonly sessions: readonly TlsSession[];
}
