import { withoutFinalDot } from "../../core/mail/answerableAddress.ts";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import { decodeEncodedWords } from "./charsets.ts";
import { readComment, readQuoted } from "./comments.ts";

/** Bytes of the longest From field that is read; a mail with a longer one is refused. */
export const maxFromBytes = 8 * 1024;

/**
 * The author of a mail, by its From field: one sender; nobody with an address, with the name that stands in its place; or a field
 * that programs may read differently.
 */
export type Author =
  | { readonly kind: "one"; readonly sender: Sender }
  | { readonly kind: "none"; readonly name: string }
  | { readonly kind: "ambiguous" };

const ambiguous: Author = { kind: "ambiguous" };

/** Returns the author as a sender; the address may be empty. Null when nobody is named, or not clearly. */
export const senderOf = (author: Author): Sender | null => {
  if (author.kind === "one") return author.sender;
  return author.kind === "none" && author.name !== "" ? { name: author.name, address: "" } : null;
};

/** The text between two commas, with what is quoted, in comments and in angle brackets taken out of `text`. */
interface Entry {
  /** Without quotes, comments and angle brackets. */
  text: string;
  /** As it is shown: the text and the quoted strings before the angle brackets. */
  name: string;
  quoted: string;
  comments: string;
  readonly angles: string[];
  /** The text after the last angle bracket, with quotes. */
  rest: string;
}

const newEntry = (): Entry => ({ text: "", name: "", quoted: "", comments: "", angles: [], rest: "" });

/** All signs that a reader or a program may take for "@". */
const atSign = /[@\uff20\ufe6b]/;

const hasAt = (text: string): boolean =>
  atSign.test(text) || (text.includes("=?") && atSign.test(decodeEncodedWords(text)));

/** Quoted local parts that all programs read alike: none of the characters that separate addresses. */
const plainQuoted = /^[^\s@<>()[\]\\,;:"]+$/;
/** The same with spaces, and a host: read as if it stood in angle brackets. */
const spacedQuoted = /"[^\s@<>()[\]\\,;:"]+(?: [^\s@<>()[\]\\,;:"]+)+"@[^\s@<>()\\,;"]+/y;

/** Reads one piece of an entry; returns the offset after it, or null when it is not closed. */
type ReadPiece = (value: string, at: number, entry: Entry) => number | null;

const readQuotedPiece: ReadPiece = (value, at, entry) => {
  const read = readQuoted(value, at + 1);
  if (!read) return null;
  const [end, content] = read;
  spacedQuoted.lastIndex = at;
  const [spaced] = (value[end] === "@" && spacedQuoted.exec(value)) || [];
  if (spaced !== undefined) {
    entry.angles.push(spaced);
    entry.rest = "";
    return at + spaced.length;
  }
  if (value[end] === "@" && plainQuoted.test(content)) entry.text += `"${content}"`;
  else entry.quoted += `${content} `;
  if (entry.angles.length === 0) entry.name += content;
  else entry.rest += `"${content}"`;
  return end;
};

const readCommentPiece: ReadPiece = (value, at, entry) => {
  const read = readComment(value, at + 1);
  // Programs that know no escapes end the comment elsewhere.
  if (!read || value.slice(at, read[0]).includes("\\")) return null;
  entry.comments += `${read[1]} `;
  entry.text += " ";
  return read[0];
};

/** Programs read these differently within angle brackets; an address that has them is checked by its own form. */
const separators = /["()\\,;:<>[\]]/;

const readAngles: ReadPiece = (value, at, entry) => {
  const end = value.indexOf(">", at);
  if (end === -1) return null;
  const content = value.slice(at + 1, end);
  if (separators.test(content) && !hasAt(content)) return null;
  entry.angles.push(content);
  entry.rest = "";
  return end + 1;
};

const readCharacter: ReadPiece = (value, at, entry) => {
  const character = value[at] ?? "";
  entry.text += character;
  entry.rest += character;
  if (entry.angles.length === 0) entry.name += character;
  return at + 1;
};

const pieces: Readonly<Record<string, ReadPiece>> = {
  '"': readQuotedPiece,
  "(": readCommentPiece,
  "<": readAngles,
};

/** Splits the value in one pass; null when something is opened and not closed. */
const readEntries = (value: string): readonly Entry[] | null => {
  let entry = newEntry();
  const entries = [entry];
  let at = 0;
  while (at < value.length) {
    const character: string = value[at] ?? "";
    if (character === "," || character === ";") {
      entry = newEntry();
      entries.push(entry);
      at += 1;
      continue;
    }
    const end = (pieces[character] ?? readCharacter)(value, at, entry);
    if (end === null) return null;
    at = end;
  }
  return entries;
};

/** A local part and a host name or an address literal, without comments, white space and invisible characters. */
const addressForm =
  /^(?:[^\s@<>()[\]\\,;:"\p{Cc}]+|"[^\s@<>()[\]\\,;:"\p{Cc}]+(?: [^\s@<>()[\]\\,;:"\p{Cc}]+)*")@(?:[\p{L}\p{N}\p{M}._-]+|\[[\p{L}\p{N}.:]+\])$/u;

const isAddress = (text: string): boolean =>
  addressForm.test(text) && !text.includes("=?") && !/\p{Default_Ignorable_Code_Point}/u.test(text);

const toName = (text: string): string => decodeEncodedWords(text.replaceAll(/\s+/g, " ").trim());

const nameOf = (entries: readonly Entry[], nameIn: (entry: Entry) => string): string => {
  const name = entries
    .map((entry) => toName(nameIn(entry)))
    .filter((part) => part !== "")
    .join(", ");
  return name === "" ? toName(entries.map(({ comments }) => comments).join("")) : name.replace(/:$/, "");
};

/** True if a colon begins a group (RFC 5322, 3.4) with quotes or comments, which programs read differently. */
const isUnclearGroup = (entries: readonly Entry[]): boolean => {
  const colons = entries.reduce((sum, { text }) => sum + text.split(":").length - 1, 0);
  if (colons === 0) return false;
  return colons > 1 || entries.some(({ quoted, comments }) => quoted !== "" || comments !== "");
};

/** True if anything but the address and a name before it may be taken for another address. */
const namesMore = (entries: readonly Entry[], author: Entry): boolean =>
  entries.some((entry) =>
    entry === author
      ? (hasAt(entry.rest) || separators.test(entry.rest)) && entry.angles.length > 0
      : [entry.text, entry.quoted, entry.comments, ...entry.angles].some(hasAt),
  );

const inAngles = (entries: readonly Entry[], author: Entry, address: string): Author =>
  author.angles.length === 1 && isAddress(address) && !namesMore(entries, author)
    ? {
        kind: "one",
        sender: { name: nameOf(entries, ({ name }) => name), address: withoutFinalDot(address) },
      }
    : ambiguous;

const inText = (entries: readonly Entry[], author: Entry): Author => {
  const [address = "", ...more] = author.text.split(/\s+/).filter(hasAt);
  const isAlone =
    more.length === 0 && author.angles.length === 0 && author.quoted === "" && !/[()]/.test(author.comments);
  const others = author.text.replace(address, "");
  const isPlain =
    others.trim() === "" ||
    (author.comments === "" && /^[\0-\x7f]*$/.test(address) && !/[)>[\]\\]/.test(others));
  if (!isAlone || !isPlain || !isAddress(address) || namesMore(entries, author)) return ambiguous;
  const withoutAddress = ({ text, quoted }: Entry): string => `${text.replace(address, "")} ${quoted}`;
  return {
    kind: "one",
    sender: {
      name: nameOf(entries, (entry) => (entry === author ? withoutAddress(entry) : entry.name)),
      address: withoutFinalDot(address),
    },
  };
};

/**
 * Reads the unfolded value of From (RFC 5322, 3.6.2; RFC 6854) in time linear in its length. What is accepted names
 * exactly one address, whoever reads it: several addresses, an address in an encoded word, a quoted string or a comment
 * where the author belongs, quotes or brackets that are not closed, and quotes in brackets are ambiguous. A comma in a name without quotes
 * is not.
 */
export const parseAuthor = (value: string): Author => {
  const entries = readEntries(value);
  if (!entries || isUnclearGroup(entries)) return ambiguous;
  const [withAngles, ...more] = entries.filter(({ angles }) => angles.some(hasAt));
  if (more.length > 0) return ambiguous;
  if (withAngles) return inAngles(entries, withAngles, withAngles.angles.find(hasAt)?.trim() ?? "");
  const withText = entries.find(({ text }) => hasAt(text));
  if (withText) return inText(entries, withText);
  return entries.some(({ quoted, comments }) => hasAt(quoted) || hasAt(comments))
    ? ambiguous
    : { kind: "none", name: nameOf(entries, ({ name, angles }) => `${name} ${angles.join(" ")}`) };
};
