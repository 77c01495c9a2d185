import type { SharedBody } from "../outgoingCopy.ts";
import type { BodyRow, StoredPart } from "./bodyRows.ts";

/** Content of new mail under the id of its body: in memory, or in the spool. */
export type NewContent =
  | { readonly id: string; readonly pieces: readonly Buffer[] }
  | { readonly id: string; readonly spooled: SharedBody };

/** Contents that survive a power cut, or are part of their rows. */
export interface WrittenBodies {
  /** The rows of all contents, in no order. */
  readonly rows: readonly BodyRow[];
  /** Throws where the rows come too late, because the contents may be swept; called in their transaction. */
  readonly assertInTime: () => void;
  /** Called before `release` when no row was stored: what was written is not needed. What it leaves is swept. */
  readonly discard: () => void;
  /** Called when the rows are stored, or will not be. */
  readonly release: () => void;
}

/** Writes the content of new mail. */
export interface BodyWriter {
  /** True if a file of the spool is a body as it is, under its own id. */
  readonly keepsSpoolFiles: boolean;
  /** True if a content is written with those of other mails, because they share a sync. */
  readonly sharesWrite: (content: NewContent) => boolean;
  /** Writes contents before the transaction of their rows; nothing of them is used when it rejects. */
  readonly write: (contents: readonly NewContent[]) => Promise<WrittenBodies>;
}

/** Reads the content of queued mail. */
export interface BodyReader {
  /**
   * Returns the content of a row that has none itself, which may be read several times. Reading throws a
   * `BodyUnavailable` when the content cannot be had, or is not what was written.
   */
  readonly read: (id: string, part: StoredPart) => AsyncIterable<Buffer>;
}

/** The store of the content of queued mail, beside the rows that refer to it. */
export interface BodyStore extends BodyWriter, BodyReader {
  /** Removes the content of bodies whose rows were deleted, after that commit; what remains is left to the sweep. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Removes content that no row refers to; called every few seconds. */
  readonly sweep: () => Promise<void>;
}

/** Thrown when the content of a queued mail cannot be read at the moment, or is damaged. */
export class BodyUnavailable extends Error {
  readonly isDamaged: boolean;
  /** As files say it, so that it counts as a storage that will work again. */
  readonly code = "EIO";

  constructor(
    message: string,
    { isDamaged, cause }: { readonly isDamaged: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.isDamaged = isDamaged;
  }
}

/** Content that is in its rows is stored with them. */
export const nothingWritten: Omit<WrittenBodies, "rows"> = {
  assertInTime: () => {},
  discard: () => {},
  release: () => {},
};

/** Joins what several writes have stored. */
export const joinWritten = (all: readonly WrittenBodies[]): WrittenBodies => ({
  rows: all.flatMap(({ rows }) => rows),
  assertInTime: () => {
    for (const { assertInTime } of all) assertInTime();
  },
  discard: () => {
    for (const { discard } of all) discard();
  },
  release: () => {
    for (const { release } of all) release();
  },
});
