import { htmlToText } from "../../../core/mail/htmlText.ts";
import { decodeWestern, findDecoder } from "../../mime/charsets.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../mime/mimeLeaves.ts";

/** The parts of a report, decoded. */
export interface ReportTexts {
  /** The parts with status fields (RFC 3464). */
  readonly status: readonly string[];
  /** The text that is written for people, up to the returned mail; in lines. */
  readonly explanation: string;
  /** Everything as text, with the header of the returned mail. */
  readonly all: string;
}

/** Bytes of one part that are decoded, and characters of all explanations. */
const maxPartBytes = 128 * 1024;
const maxExplanation = 32 * 1024;
const maxLineLength = 1_000;
/** Parts that are decoded. */
const maxParts = 20;

const decode = (content: Buffer, { start, end, encoding, charset }: MimeLeaf): string => {
  const bytes = content.subarray(start, Math.min(end, start + maxPartBytes));
  const plain = findTransferEncoding(encoding)?.decode(bytes) ?? bytes.toString("latin1");
  const decoded = Buffer.from(plain, "latin1");
  return findDecoder(charset === "" ? "utf-8" : charset)?.(decoded) ?? decodeWestern(decoded);
};

const isStatus = ({ type }: MimeLeaf): boolean => /^message\/(?:global-)?delivery-status$/.test(type);

/** True if a part is the returned mail or its header. */
const isReturned = ({ type }: MimeLeaf): boolean =>
  /^(?:message\/(?!(?:global-)?(?:delivery-status|disposition-notification)$)|text\/rfc822)/.test(type);

const isText = ({ type, isAttachment }: MimeLeaf): boolean =>
  !isAttachment && (type === "" || /^text\/(?!rfc822)/.test(type));

/** Words of the lines behind which programs write the returned mail, where it is no part of its own. */
const returnedMark =
  /^(?:[-=*_>~]{2}.*\b(?:copy|original|returned|unsent|undelivered|below)\b|(?:original|below|included|unsent|returned|message header)\b.*\b(?:follow|following|follows|copy)\b|(?:received|return-path):)/i;
/** Headers of parts, in a report that is not what its type says. */
const returnedPart = /^content-type:[ \t]*(?:message\/(?!(?:global-)?delivery-status)|text\/rfc822)/i;

/** Returns the lines of a text that come before the returned mail. */
const beforeReturned = (text: string): readonly string[] => {
  const lines = text
    .slice(0, maxPartBytes)
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, maxLineLength));
  const end = lines.findIndex((line) => {
    const start = line.slice(0, 120).trim();
    return returnedMark.test(start) || returnedPart.test(start);
  });
  return end === -1 ? lines : lines.slice(0, end);
};

/** Reads a report as far as its parts are told apart. */
const textsOfParts = (content: Buffer, leaves: readonly MimeLeaf[]): ReportTexts => {
  const returned = leaves.findIndex(isReturned);
  const texts = leaves
    .slice(0, maxParts)
    .filter((leaf) => isStatus(leaf) || isReturned(leaf) || isText(leaf))
    .map((leaf) => ({ leaf, text: decode(content, leaf) }));
  const written = texts.filter(
    ({ leaf }) => isText(leaf) && (returned === -1 || leaf.start < (leaves[returned]?.start ?? 0)),
  );
  return {
    status: texts.filter(({ leaf }) => isStatus(leaf)).map(({ text }) => text),
    explanation: written
      .flatMap(({ leaf, text }) =>
        beforeReturned(leaf.type === "text/html" ? htmlToText(text, maxExplanation) : text),
      )
      .join("\n")
      .slice(0, maxExplanation),
    all: texts.map(({ text }) => text).join("\r\n"),
  };
};

/**
 * Reads the parts of a report by MIME, each by its encoding and character set. One whose parts are not told apart (a
 * boundary that does not occur, too many parts) is read as one text.
 */
export const readReportTexts = (content: Buffer, header: HeaderBlock): ReportTexts => {
  const leaves = findMimeLeaves(content, header)?.leaves ?? [];
  const texts = textsOfParts(content, leaves);
  if (texts.status.length > 0 || texts.explanation.trim() !== "") return texts;
  const all = content.toString("latin1", header.end);
  return { status: [], explanation: beforeReturned(all).join("\n").slice(0, maxExplanation), all };
};
