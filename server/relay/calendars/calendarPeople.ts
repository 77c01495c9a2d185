import { isUtf8 } from "node:buffer";
import { toAnswerable } from "../../../core/mail/answerableAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import {
  type CalendarLine,
  type CalendarParams,
  type CalendarProperty,
  calendarLines,
  isAnswerMethod,
  readCalendarLine,
  writeCalendarLine,
} from "../../mime/calendarLines.ts";
import { forwardedName } from "../../mime/forwardedName.ts";
import { readLinks, writeLinks } from "../../mime/headerLinks.ts";
import type { TextEdit } from "../../mime/quotedPrintable.ts";
import type { CalendarNames } from "./calendarNames.ts";

/** The address that programs write where a person has none; nobody can be answered at it. */
const noAddress = "invalid:nomail";

/** Texts for people, which stay as the text of a mail does. */
const freeTexts: ReadonlySet<string> = new Set(
  "SUMMARY DESCRIPTION LOCATION COMMENT CATEGORIES RESOURCES NAME X-ALT-DESC STYLED-DESCRIPTION X-WR-CALNAME X-WR-CALDESC".split(
    " ",
  ),
);

const mailLink = /mailto:[^\s"<>;\\]*/gi;
const mayNameAddress = /@|%40|mailto:/i;

const isPerson = (name: string): boolean => name === "ORGANIZER" || name === "ATTENDEE";

interface Person extends Sender {
  readonly isOrganizer: boolean;
}

const replacePerson = (person: Person, names: CalendarNames): string | null =>
  names.isOwn(person.address) ? names.recipient : names.reverseOf(person, person.isOrganizer);

/** Replaces the addresses of a `mailto:` link; null when none is left. */
const replaceLink = (link: string, person: Omit<Person, "address">, names: CalendarNames): string | null =>
  writeLinks(readLinks(`<${link}>`), (address) => replacePerson({ ...person, address }, names))
    ?.replaceAll(/^<|>$|\r\n /g, "")
    .replace(/^mailto:$/i, "") || null;

/** The address in a text that is nothing else, also as "Name <address>", as vCalendar 1.0 writes it. */
const addressIn = (text: string): string | null =>
  toAnswerable((/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim());

/** Replaces what leads to mail in a value; null when it leads to somebody who has no reverse address. */
const replaceValue = (
  value: string,
  person: Omit<Person, "address">,
  names: CalendarNames,
): string | null => {
  const text = value.trim();
  if (!mayNameAddress.test(text)) return value;
  if (/^mailto:/i.test(text)) return replaceLink(text.replaceAll(/\s+/g, ""), person, names);
  const address = addressIn(text);
  return address === null ? null : replacePerson({ ...person, address }, names);
};

/** Replaces in a parameter; null when nothing is left. */
const replaceParam = (
  value: string | readonly string[],
  replace: (one: string) => string | null,
): string | readonly string[] | null => {
  if (typeof value === "string") return replace(value);
  const left = value.flatMap((one) => replace(one) ?? []);
  return left.length === 0 ? null : left;
};

const mapParams = (
  params: CalendarParams,
  map: (value: string | readonly string[], name: string) => string | readonly string[] | null,
): CalendarParams =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const mapped = map(value, name);
      return mapped === null ? [] : [[name, mapped] as const];
    }),
  );

const addressOfPerson = ({ params, values: [value] }: CalendarProperty): string | null => {
  const texts = [value, params["email"]].filter((one) => typeof one === "string");
  for (const text of texts) {
    const [link] = readLinks(`<${text.replaceAll(/\s+/g, "")}>`);
    const address = (link?.kind === "mail" ? link.to[0] : undefined) ?? addressIn(text);
    if (address) return address;
  }
  return null;
};

/** Somebody else is named as in the header; the mask's own name stays. */
const nameOf = (name: string, address: string | null, names: CalendarNames): string => {
  if (address !== null && !names.isOwn(address)) return forwardedName({ name, address });
  return names.isOwn(name.trim()) ? name : name.replaceAll(/\s*(?:@|%40)\s*/g, " at ");
};

const replaceInPerson = (property: CalendarProperty, names: CalendarNames): CalendarProperty => {
  const { name, params, values } = property;
  const address = addressOfPerson(property);
  const cn = typeof params["cn"] === "string" ? params["cn"] : "";
  const person = { name: cn, isOrganizer: name === "organizer" };
  const isElsewhere = address !== null && !names.isOwn(address);
  const isDecoded = params["encoding"] === undefined;
  const shown = cn !== "" || isElsewhere ? { cn: nameOf(cn, address, names) } : {};
  const [value] = values;
  const replaced = typeof value === "string" && isDecoded ? replaceValue(value, person, names) : null;
  return {
    name,
    type: "cal-address",
    params: {
      ...mapParams(params, (given, param) =>
        param === "cn" || (param === "encoding" && !isDecoded)
          ? null
          : replaceParam(given, (one) => replaceValue(one, { name: "", isOrganizer: false }, names)),
      ),
      ...shown,
    },
    values: [replaced ?? noAddress],
  };
};

const nobody = { name: "", isOrganizer: false };

/** Replaces links to mail in any other property, and values that are an address; links to pages stay. */
const replaceInOther = (property: CalendarProperty, names: CalendarNames): CalendarProperty => {
  const replaceText = (text: string): string =>
    addressIn(text) === null
      ? text.replaceAll(mailLink, (link) => replaceLink(link, nobody, names) ?? noAddress)
      : (replaceValue(text, nobody, names) ?? noAddress);
  const replaceDeep = (value: unknown): unknown => {
    if (typeof value === "string") return replaceText(value);
    return Array.isArray(value) ? value.map(replaceDeep) : value;
  };
  return {
    ...property,
    params: mapParams(property.params, (value) => replaceParam(value, replaceText)),
    values: property.values.map(replaceDeep),
  };
};

const isId = (name: string): boolean => name === "UID" || name === "RELATED-TO";

const replaceInId = (property: CalendarProperty, names: CalendarNames): CalendarProperty => ({
  ...property,
  values: property.values.map((value) =>
    typeof value === "string" ? (names.ownIdOf(value) ?? value) : value,
  ),
});

/** Returns what a property becomes for the owner, by its name in upper case; null when it stays. */
export const replaceInProperty = (
  name: string,
  property: CalendarProperty,
  names: CalendarNames,
  isAnswer: boolean,
): CalendarProperty | null => {
  if (isPerson(name)) return replaceInPerson(property, names);
  if (isId(name)) return isAnswer ? replaceInId(property, names) : null;
  return freeTexts.has(name) ? null : replaceInOther(property, names);
};

/** A line of a person that cannot be read names nobody any more; another one is left out. */
const unreadableLine = ({ name, start, end, next }: CalendarLine): TextEdit =>
  isPerson(name) ? { start, end, text: `${name}:${noAddress}` } : { start, end: next, text: "" };

/** A line of one character per byte as the text that it is, in UTF-8 where it can be. */
const decodeLine = (bytes: string): { readonly text: string; readonly isUtf8: boolean } => {
  const raw = Buffer.from(bytes, "latin1");
  return isUtf8(raw) ? { text: raw.toString("utf8"), isUtf8: true } : { text: bytes, isUtf8: false };
};

/** A name in a character set that is not written here is left out. */
const withoutRawName = (property: CalendarProperty): CalendarProperty => ({
  ...property,
  params: mapParams(property.params, (value, name) =>
    name === "cn" && /[^\x20-\x7e]/.test(String(value)) ? null : value,
  ),
});

const encodeLine = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** The result for a line: itself, another one, or one that cannot be read. */
type NewLine = { readonly kind: "same" | "unreadable" } | { readonly kind: "text"; readonly text: string };

const newLineOf = ({ name, text }: CalendarLine, names: CalendarNames, isAnswer: boolean): NewLine => {
  const decoded = decodeLine(text);
  const property = readCalendarLine(decoded.text);
  if (!property) return { kind: "unreadable" };
  const readable = decoded.isUtf8 ? property : withoutRawName(property);
  const replaced = replaceInProperty(name, readable, names, isAnswer);
  if (replaced === null || JSON.stringify(replaced) === JSON.stringify(property)) return { kind: "same" };
  const written = writeCalendarLine(replaced);
  if (written === null) return { kind: "unreadable" };
  return { kind: "text", text: decoded.isUtf8 ? encodeLine(written) : written };
};

/**
 * Different lines of a calendar that are read for people; of more attendees only the owner has an address, and other lines
 * that lead to mail are left out.
 */
export const maxReadLines = 500;

const addressAtEnd = /mailto:([^\s"<>;?,:]{3,254})\s*$/i;

/** True if a line of a person ends in the address of the owner, so that it is read however many others there are. */
const isOwnLine = ({ name, text }: CalendarLine, { isOwn }: CalendarNames): boolean =>
  isPerson(name) && isOwn(addressAtEnd.exec(text.slice(-300))?.[1] ?? "");

/** Creates the reading of the lines of a calendar, each different one once. */
const createReadLine = (names: CalendarNames) => {
  const known = new Map<string, NewLine>();
  return (line: CalendarLine, isAnswer: boolean): NewLine => {
    const key = `${isAnswer}${line.text}`;
    const before = known.get(key);
    if (before) return before;
    const isFull = known.size >= maxReadLines;
    if (isFull && (known.size >= 2 * maxReadLines || !isOwnLine(line, names))) return { kind: "unreadable" };
    const read = newLineOf(line, names, isAnswer);
    known.set(key, read);
    return read;
  };
};

const concerns = ({ name, text }: CalendarLine, isAnswer: boolean): boolean =>
  isPerson(name) || (isId(name) ? isAnswer : !freeTexts.has(name) && mayNameAddress.test(text));

/** The lines of a calendar with 10,000 attendees; of a longer one none is read. */
export const maxLines = 20_000;

/**
 * Finds in a calendar (RFC 5545), with one character per byte, what leads to people past the mask, as the edits that lead
 * through it: organizers, attendees, and links to mail. All other lines stay as they are. In linear time, whatever the text
 * is; null when it has more than `maxLines` lines.
 */
export const findPeople = (text: string, names: CalendarNames): readonly TextEdit[] | null => {
  const edits: TextEdit[] = [];
  const readLine = createReadLine(names);
  let isAnswer = false;
  let count = 0;
  for (const line of calendarLines(text)) {
    count += 1;
    if (count > maxLines) return null;
    if (line.name === "BEGIN" && /:\s*VCALENDAR\s*$/i.test(line.text)) isAnswer = false;
    if (line.name === "METHOD") isAnswer = isAnswerMethod(line.text.slice(line.text.indexOf(":") + 1));
    if (!concerns(line, isAnswer)) continue;
    const written = readLine(line, isAnswer);
    if (written.kind === "text") edits.push({ start: line.start, end: line.end, text: written.text });
    else if (written.kind === "unreadable" && !isId(line.name)) edits.push(unreadableLine(line));
  }
  return edits;
};
