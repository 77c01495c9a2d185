import type { KeptTrackers } from "../../../core/mailLog/logEntry.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../mime/mimeLeaves.ts";
import { findTracking } from "./trackersInHtml.ts";

/** The most bytes of HTML that are read in a mail, which bounds how long other mail waits for one. */
export const maxHtmlBytes = 2 * 1024 * 1024;

/** Charsets in which a byte below 128 may not be ASCII. */
const nonAsciiCharsets = /^(?:utf-?(?:7|16|32)|iso-2022|hz-|ucs|csiso2022)/;

const isDisplayedHtml = ({ type, isAttachment }: MimeLeaf): boolean => type === "text/html" && !isAttachment;

/** A mail without the trackers that could be removed. */
export interface CleanedMail {
  readonly content: Buffer;
  /** The reason for which trackers may still be in it; null when there is none. */
  readonly kept: KeptTrackers | null;
  /** The number of pixels and links that were taken out or changed. */
  readonly removed: number;
}

/** Returns why an HTML part stays as it is; null when it can be changed. */
const obstacleOf = ({ charset, encoding, start, end }: MimeLeaf, room: number): KeptTrackers | null => {
  if (end - start > room) return "size";
  return nonAsciiCharsets.test(charset) || !findTransferEncoding(encoding) ? "encoding" : null;
};

/**
 * Removes tracking pixels and links. Only the lines of HTML parts with such content change, in their own encoding;
 * all other bytes and signed or encrypted mails stay unchanged.
 */
export const withoutTrackers = (content: Buffer, header: HeaderBlock): CleanedMail => {
  const found = findMimeLeaves(content, header);
  if (found === null) return { content, kept: "parts", removed: 0 };
  if (found.isSealed) return { content, kept: "sealed", removed: 0 };
  const pieces: Buffer[] = [];
  let copied = 0;
  let kept: KeptTrackers | null = null;
  let removed = 0;
  let room = maxHtmlBytes;
  for (const leaf of found.leaves.filter(isDisplayedHtml)) {
    const { start, end } = leaf;
    const obstacle = obstacleOf(leaf, room);
    const encoding = findTransferEncoding(leaf.encoding);
    kept ??= obstacle;
    if (obstacle !== null || !encoding) continue;
    room -= end - start;
    const part = content.subarray(start, end);
    const edits = findTracking(encoding.decode(part));
    if (edits === null) kept ??= "size";
    if (edits === null || edits.length === 0) continue;
    pieces.push(content.subarray(copied, start), encoding.edit(part, edits));
    copied = end;
    removed += edits.length;
  }
  return {
    content: copied === 0 ? content : Buffer.concat([...pieces, content.subarray(copied)]),
    kept,
    removed,
  };
};
