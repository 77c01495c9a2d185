import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import type { RawMail } from "../../mime/rawMail.ts";

/** A mail as it arrived, with its header. */
export interface RawMailWithHeader extends RawMail {
  readonly header: HeaderBlock;
  /** null when From contains no author. */
  readonly sender: Sender | null;
  /** The Received field of this transmission. */
  readonly traceLine: string;
  readonly now: number;
  /** Returns the whole mail in one buffer; only few large mails may be read at the same time. */
  readonly readAll: () => Promise<Buffer>;
}
