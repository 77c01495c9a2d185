import { buildHeaderValue } from "nodemailer/lib/mime-funcs";
import { encodeWestern } from "../../../mime/charsets.ts";
import { withCrlf } from "../../../mime/lineBreaks.ts";
import type { MailWithHeader } from "../../../mime/mailFields.ts";
import { encodeQuotedPrintable } from "../../../mime/quotedPrintable.ts";
import { findDefaultSignatures } from "./defaultSignatures.ts";
import { joinFlowedLines } from "./flowedText.ts";
import { rewriteHtml } from "./html/replyHtml.ts";
import type { Replacements } from "./ownerTraces.ts";
import { type CalendarContext, rewriteCalendar } from "./replyCalendar.ts";
import { type LinkContext, unwrapLinks } from "./replyLinks.ts";
import type { PartFields, ReplyPart } from "./replyParts.ts";

/** Matches what programs add to links in plain text: the same address again, parts of the HTML, and paths of the machine. */
const addedToText = /\[cid:[^\]\s]{1,300}\]|<file:[^>\r\n]{0,1000}>|(?<=\S)<(?:mailto|tel):[^>\s]{0,1000}>/gi;

/**
 * Writes a plain text for others, in linear time: without default signatures, with links that lead to what is behind
 * the checks of a provider, and with everything replaced that must not be revealed.
 */
export const rewritePlainText = (text: string, replace: (text: string) => string): string => {
  const lines = unwrapLinks(text).replaceAll(addedToText, "").split("\n");
  const signatures = findDefaultSignatures(lines);
  return replace(lines.filter((_line, n) => !signatures.has(n)).join("\n"));
};

/** Returns the public id for a Content-ID. */
type RenameId = (id: string) => string;

export interface MimeContext {
  readonly isWebmail: LinkContext["isWebmail"];
  readonly replace: Replacements;
  /** Returns whether a text where nobody looks still shows the owner after the replacements. */
  readonly showsOwner: (text: string) => boolean;
  readonly renameId: RenameId;
  /** The further context that calendars are written with. */
  readonly calendar: Omit<CalendarContext, "replace" | "replaceHidden">;
  /** Returns the new header of an attached mail, without its MIME fields. */
  readonly writeAttachedHeader: (mail: MailWithHeader) => string;
  /** Returns a boundary that does not identify the author's mail program. */
  readonly newBoundary: () => string;
}

/** A part as others get it. */
export interface WrittenPart {
  readonly pieces: readonly Buffer[];
  /** True if a part is signed or encrypted and was not changed. */
  readonly isSealed: boolean;
  /** True if a part was left out that the owner may miss. */
  readonly isShortened: boolean;
}

const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const isAscii = (text: string): boolean => /^[\t\r\n\x20-\x7e]*$/.test(text);

const linksOf = ({ isWebmail, replace, renameId }: MimeContext): LinkContext => ({
  isWebmail,
  replace: replace.visible,
  replaceHidden: replace.hidden,
  renameId,
});

type TextPart = Extract<ReplyPart, { kind: "text" }>;

/** Parameters of a text that stay; "flowed" lines are joined. */
const textParameters = ["method"];

const isFlowed = ({ params }: TextPart): boolean => params["format"]?.toLowerCase() === "flowed";
const hasRemovedSpaces = ({ params }: TextPart): boolean => params["delsp"]?.toLowerCase() === "yes";

const rewriteText = (part: TextPart, context: MimeContext): string => {
  const { type, text, fields } = part;
  const { visible } = context.replace;
  if (type === "text/html" || type === "application/xhtml+xml") return rewriteHtml(text, linksOf(context));
  if (type === "text/calendar")
    return rewriteCalendar(text, { ...linksOf(context), ...context.calendar }, part.params["method"]);
  if (fields.disposition === "attachment" || type !== "text/plain") return visible(text);
  const lines = isFlowed(part) ? joinFlowedLines(text, hasRemovedSpaces(part)) : text;
  return rewritePlainText(lines, visible);
};

const fieldLine = (name: string, value: string): string => (value === "" ? "" : `${name}: ${value}\r\n`);

/** The last part of a path, without control characters. */
const baseName = (name: string): string =>
  name
    .replace(/^.*[/\\]/s, "")
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, "")
    .slice(-150)
    .trim();

const endingOf = (name: string): string => /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? "";

/** Returns a name that does not show the owner: what shows them is replaced, or the whole name. */
const cleanName = (name: string, { replace, showsOwner }: MimeContext): string => {
  if (name === "") return "";
  const clean = baseName(replace.hidden(baseName(name)));
  return clean === "" || showsOwner(clean) ? `attachment${endingOf(clean)}` : clean;
};

const structured = (value: string, params: Readonly<Record<string, string>>): string =>
  buildHeaderValue({ value, params }).replaceAll("; ", ";\r\n ");

/** Includes the empty line. */
const endOfHeader = (
  { disposition, contentId }: PartFields,
  name: string,
  { renameId }: MimeContext,
): string =>
  [
    fieldLine(
      "Content-Disposition",
      disposition === "" ? "" : structured(disposition, name === "" ? {} : { filename: name }),
    ),
    fieldLine("Content-ID", contentId === "" ? "" : renameId(contentId)),
    "\r\n",
  ].join("");

const keptParameters = (
  params: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = params[name] ?? "";
      return /^[\w./+-]{1,80}$/.test(value) ? [[name, value] as const] : [];
    }),
  );

interface EncodedBody {
  readonly encoding: string;
  readonly body: Buffer;
}

/** Encodes bytes with the lines of RFC 2045, 6.8. */
const toBase64 = (bytes: Buffer): EncodedBody => ({
  encoding: "base64",
  body: toBytes(bytes.toString("base64").replace(/.{76}(?=.)/g, "$&\r\n")),
});

const toTextBody = (text: string, bytes: Buffer): EncodedBody =>
  isAscii(text.slice(0, 10_000))
    ? { encoding: "quoted-printable", body: encodeQuotedPrintable(bytes.toString("latin1")) }
    : toBase64(bytes);

/** Text in UTF-8; where it was guessed, the bytes that it came as, under the same name. */
const encodeText = (
  text: string,
  guessedAs: string | null,
): { readonly charset: string; readonly bytes: Buffer } => {
  const kept = guessedAs === null ? null : encodeWestern(text);
  return guessedAs !== null && kept
    ? { charset: guessedAs, bytes: kept }
    : { charset: "utf-8", bytes: Buffer.from(text, "utf8") };
};

/** Kinds of multiparts that programs show as they are; others are shown as "mixed" (RFC 2046, 5.1.3). */
const keptMultiparts: ReadonlySet<string> = new Set(["mixed", "alternative", "related"]);

const unchanged = (pieces: readonly Buffer[]): WrittenPart => ({
  pieces,
  isSealed: false,
  isShortened: false,
});

const emptyText = (): readonly Buffer[] => [toBytes("Content-Type: text/plain; charset=utf-8\r\n\r\n")];

class PartWriter {
  readonly #context: MimeContext;

  constructor(context: MimeContext) {
    this.#context = context;
  }

  #writeLeaf(
    type: string,
    { params, fields }: { readonly params: Readonly<Record<string, string>>; readonly fields: PartFields },
    { encoding, body }: EncodedBody,
  ): readonly Buffer[] {
    const name = cleanName(fields.name, this.#context);
    const typeField = structured(type, { ...params, ...(name === "" ? {} : { name }) });
    const head = `Content-Type: ${typeField}\r\nContent-Transfer-Encoding: ${encoding}\r\n${endOfHeader(fields, name, this.#context)}`;
    return [Buffer.from(head), body, toBytes("\r\n")];
  }

  /** A file whose text shows nothing keeps its bytes. */
  #writeText(part: TextPart): WrittenPart {
    const { type, text, params, bytes, fields } = part;
    const isFile = fields.disposition === "attachment" && type !== "text/calendar";
    if (isFile && this.#context.replace.visible(text) === text && !this.#context.showsOwner(text))
      return unchanged(
        this.#writeLeaf(type, { params: keptParameters(params, ["charset"]), fields }, toBase64(bytes)),
      );
    const rewritten = withCrlf(rewriteText(part, this.#context));
    const { charset, bytes: encoded } = encodeText(rewritten, part.guessedAs);
    const kept = { charset, ...keptParameters(params, textParameters) };
    return unchanged(this.#writeLeaf(type, { params: kept, fields }, toTextBody(rewritten, encoded)));
  }

  #joinParts(
    fields: PartFields,
    subtype: string,
    params: Readonly<Record<string, string>>,
    parts: readonly (readonly Buffer[])[],
  ): readonly Buffer[] {
    const boundary = this.#context.newBoundary();
    const head = `Content-Type: ${structured(`multipart/${subtype}`, { boundary, ...params })}\r\n${endOfHeader(fields, "", this.#context)}`;
    return [
      Buffer.from(head),
      ...parts.flatMap((pieces) => [toBytes(`--${boundary}\r\n`), ...pieces, toBytes("\r\n")]),
      toBytes(`--${boundary}--\r\n`),
    ];
  }

  #writeMultipart(part: Extract<ReplyPart, { kind: "multipart" }>): WrittenPart {
    const kept = part.parts.filter((one) => one.kind !== "dropped");
    const written = kept.map((one) => this.write(one));
    const isRelated = part.subtype === "related" && kept[0]?.kind === "text";
    const params = isRelated && kept[0]?.kind === "text" ? { type: kept[0].type } : {};
    const subtype = keptMultiparts.has(part.subtype) ? part.subtype : "mixed";
    const pieces = written.length === 0 ? [emptyText()] : written.map((one) => one.pieces);
    return {
      pieces: this.#joinParts(part.fields, subtype, params, pieces),
      isSealed: written.some((one) => one.isSealed),
      isShortened:
        written.some((one) => one.isShortened) ||
        part.parts.some((one) => one.kind === "dropped" && one.notifiesOwner),
    };
  }

  #writeAttachedMail(mail: MailWithHeader, fields: PartFields, inner: WrittenPart): WrittenPart {
    const name = cleanName(fields.name, this.#context);
    const head = `Content-Type: message/rfc822\r\n${endOfHeader(fields, name, this.#context)}${this.#context.writeAttachedHeader(mail)}`;
    return { ...inner, pieces: [Buffer.from(head), ...inner.pieces] };
  }

  #writeSealed({ type, params, encoding, body, fields }: Extract<ReplyPart, { kind: "sealed" }>) {
    const kept = keptParameters(params, ["charset", "format", "delsp", "smime-type", "protocol"]);
    const encoded = { encoding: encoding === "" ? "7bit" : encoding, body };
    return {
      pieces: this.#writeLeaf(type, { params: kept, fields }, encoded),
      isSealed: true,
      isShortened: false,
    };
  }

  write(part: ReplyPart): WrittenPart {
    const { fields } = part;
    switch (part.kind) {
      case "text":
        return this.#writeText(part);
      case "bytes":
        return unchanged(this.#writeLeaf(part.type, { params: {}, fields }, toBase64(part.bytes)));
      case "multipart":
        return this.#writeMultipart(part);
      case "mail":
        return this.#writeAttachedMail(part.mail, fields, this.write(part.part));
      case "mail-header": {
        const name = cleanName(fields.name, this.#context);
        const head = `Content-Type: text/rfc822-headers\r\n${endOfHeader(fields, name, this.#context)}`;
        return unchanged([Buffer.from(`${head}${this.#context.writeAttachedHeader(part.mail)}`)]);
      }
      case "sealed":
        return this.#writeSealed(part);
      case "sealed-parts": {
        const params = keptParameters(part.params, ["protocol", "micalg"]);
        const parts = part.parts.map((bytes) => [bytes]);
        return {
          pieces: this.#joinParts(fields, part.subtype, params, parts),
          isSealed: true,
          isShortened: false,
        };
      }
      case "dropped":
        return { pieces: emptyText(), isSealed: false, isShortened: part.notifiesOwner };
    }
  }
}

/** Writes a decoded part for others, each field and body anew. */
export const writeMimePart = (whole: ReplyPart, context: MimeContext): WrittenPart =>
  new PartWriter(context).write(whole);
