import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import {
  type CalendarParams,
  type CalendarProperty,
  isAnswerMethod,
  readCalendarLine,
  writeCalendarLine,
} from "../../../mime/calendarLines.ts";
import { type Component, readCalendars } from "./calendarComponents.ts";
import { createToUtc, isPlainZone, zoneOf } from "./calendarTimes.ts";
import { cleanLink, type LinkContext, unwrapLinks } from "./replyLinks.ts";

/** The context in which a calendar is written for others. */
export interface CalendarContext extends Omit<LinkContext, "renameId"> {
  /** Replaces the owner's addresses only: in ids of others, which must match. */
  readonly replaceAddresses: (text: string) => string;
  readonly maskEmail: string;
  /** True if an address is the owner's or the mask's. */
  readonly isOwn: (address: string) => boolean;
  /** Returns the id by which others know an event of the owner. */
  readonly toOutsideId: (uid: string) => string;
}

/** The type of a property's value, which decides how it is written. */
type Kind = "text" | "time" | "rule" | "number" | "word" | "id" | "person" | "link" | "offset" | "zone";

const kindsOf = (kinds: Readonly<Partial<Record<Kind, string>>>): ReadonlyMap<string, Kind> =>
  new Map(
    (Object.keys(kinds) as Kind[]).flatMap((kind) =>
      (kinds[kind] ?? "").split(" ").map((name) => [name, kind] as const),
    ),
  );

/** The properties that are kept: what an invitation or an answer needs (RFC 5546), and its texts. */
const eventKinds = kindsOf({
  id: "uid related-to",
  link: "url conference attach",
  number: "sequence priority percent-complete",
  person: "organizer attendee",
  rule: "rrule exrule",
  text: "summary description location comment contact resources",
  time: "dtstamp dtstart dtend due duration completed recurrence-id rdate exdate freebusy",
  word: "status transp class",
});

const zoneKinds = kindsOf({
  zone: "tzid",
  offset: "tzoffsetfrom tzoffsetto",
  rule: "rrule",
  time: "dtstart rdate",
});

const kept: ReadonlySet<string> = new Set([...eventKinds.keys(), ...zoneKinds.keys(), "method"]);

/** Parameters whose values are words of the standard. */
const wordParams: ReadonlySet<string> = new Set([
  "partstat",
  "role",
  "rsvp",
  "cutype",
  "reltype",
  "fbtype",
  "range",
]);
const linkParams: ReadonlySet<string> = new Set(["delegated-to", "delegated-from"]);

const isWord = (text: string): boolean => /^[\w-]{1,40}$/.test(text);

const valueForms: Readonly<Partial<Record<Kind, RegExp>>> = {
  time: /^[\dTZPWDHMS/,+-]{1,4000}$/i,
  rule: /^[\w=;,:+-]{1,500}$/,
  number: /^\d{1,9}$/,
  word: /^[\w-]{1,40}$/,
  offset: /^[+-]\d{4,6}$/,
};

/** The context in which the properties of a component are written. */
interface Writing {
  readonly context: LinkContext & CalendarContext;
  /** True if an id is of an event of the owner, so that it names the owner's program or provider. */
  readonly isOwnId: (id: string) => boolean;
  /** True if it accepts or declines, for which the organizer needs no rules of repetition. */
  readonly isReply: boolean;
  /** True if times are written in UTC: their zone may be the author's. */
  readonly isInUtc: boolean;
  readonly toUtc: (time: string, zone: string) => string | null;
}

const cleanParam = (
  name: string,
  value: string | readonly string[],
  { context }: Writing,
): string | readonly string[] | null => {
  if (linkParams.has(name)) {
    const links = [value].flat().flatMap((one) => cleanLink(one, context) ?? []);
    return links.length === 0 ? null : links;
  }
  if (typeof value !== "string") return null;
  if (name === "tzid") return isPlainZone(zoneOf(value)) ? zoneOf(value) : null;
  return wordParams.has(name) && isWord(value) ? value : null;
};

const cleanParams = (params: CalendarParams, writing: Writing): CalendarParams =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const clean = cleanParam(name, value, writing);
      return clean === null ? [] : [[name, clean] as const];
    }),
  );

const mailLink = /^mailto:/i;

/** The name and the address in a value as vCalendar 1.0 has it; null for others. */
const readNamed = (value: unknown): { readonly name: string; readonly address: string } | null => {
  const [, name = "", address] =
    (typeof value === "string" ? /^([^<>]*)<([^<>]*)>\s*$/.exec(value) : null) ?? [];
  return address === undefined ? null : { name: name.trim(), address };
};

/** The address of a person, as a link; null without one. */
const linkOf = ({ params, values: [value] }: CalendarProperty): string | null => {
  const text = (readNamed(value)?.address ?? (typeof value === "string" ? value : "")).trim();
  if (mailLink.test(text)) return text;
  const email = typeof params["email"] === "string" ? params["email"].trim() : "";
  const address = [email, text].find((one) => one.includes("@"));
  return address === undefined ? null : `mailto:${address.replace(mailLink, "")}`;
};

const addressOf = (property: CalendarProperty): string => linkOf(property)?.replace(mailLink, "") ?? "";

/** People are known by their address alone; those without one cannot be. */
const cleanPerson = (property: CalendarProperty, { context }: Writing): string | null => {
  const link = linkOf(property);
  return link === null ? null : cleanLink(link, context);
};

/** The value as it is written, without its parameters. */
const writtenValue = (property: CalendarProperty): string =>
  writeCalendarLine({ ...property, params: {} })
    ?.replaceAll("\r\n ", "")
    .replace(/^[^:]*:/, "") ?? "";

const eachText = (values: readonly unknown[], replace: (text: string) => string): readonly unknown[] =>
  values.flat().flatMap((value) => (typeof value === "string" ? [replace(value)] : []));

const asText = (property: CalendarProperty, values: readonly unknown[]): CalendarProperty => ({
  ...property,
  type: "text",
  values,
});

const asLink = (property: CalendarProperty, type: string, link: string | null): CalendarProperty | null =>
  link === null ? null : { ...property, type, values: [link.replaceAll(/[\r\n]/g, "")] };

/** Returns a property with the value that others may see; null when nothing of it stays. */
const cleanValue = (property: CalendarProperty, kind: Kind, writing: Writing): CalendarProperty | null => {
  const { context, isOwnId } = writing;
  const { params, values } = property;
  switch (kind) {
    case "text":
      return asText(
        property,
        eachText(values, (text) => context.replace(unwrapLinks(text))),
      );
    case "id":
      return asText(
        property,
        eachText(values, (id) => (isOwnId(id) ? context.toOutsideId(id) : context.replaceAddresses(id))),
      );
    case "person":
      return asLink(property, "cal-address", cleanPerson(property, writing));
    case "link":
      return asLink(
        property,
        "uri",
        params["encoding"] === undefined && typeof values[0] === "string"
          ? cleanLink(values[0], context)
          : null,
      );
    case "zone":
      return isPlainZone(zoneOf(values[0])) ? asText(property, [zoneOf(values[0])]) : null;
    case "time":
    case "rule":
    case "number":
    case "word":
    case "offset":
      return isWord(property.type) && valueForms[kind]?.test(writtenValue(property)) ? property : null;
    default:
      return kind satisfies never;
  }
};

const repeating: ReadonlySet<string> = new Set(["rrule", "exrule", "rdate", "exdate"]);

const timeInUtc = (property: CalendarProperty, { isInUtc, toUtc }: Writing): CalendarProperty | null => {
  const { name, params } = property;
  if (!isInUtc || params["tzid"] === undefined || !/^(?:dtstart|dtend|due)$/.test(name)) return null;
  const utc = toUtc(writtenValue(property), zoneOf(params["tzid"]));
  return utc === null ? null : readCalendarLine(`${name}:${utc}`);
};

const cleanProperty = (property: CalendarProperty, kind: Kind, writing: Writing): CalendarProperty | null => {
  const utc = kind === "time" ? timeInUtc(property, writing) : null;
  if (utc) return utc;
  const clean = cleanValue(property, kind, writing);
  return clean && { ...clean, params: cleanParams(property.params, writing) };
};

const hasAnswered = ({ params }: CalendarProperty): boolean =>
  typeof params["partstat"] === "string" && !/^needs-action$/i.test(params["partstat"]);

/** Of several entries of one person, the one that has answered. */
const withoutRepeated = (properties: readonly CalendarProperty[]): readonly CalendarProperty[] => {
  const found = new Map<string, CalendarProperty>();
  for (const property of properties) {
    const key = `${property.name} ${mailboxKey(writtenValue(property))}`;
    if (!found.has(key) || hasAnswered(property)) found.set(key, property);
  }
  return [...found.values()];
};

const cleanProperties = (
  properties: readonly CalendarProperty[],
  kinds: ReadonlyMap<string, Kind>,
  writing: Writing,
): readonly CalendarProperty[] =>
  withoutRepeated(
    properties.flatMap((property) => {
      const kind = kinds.get(property.name);
      return (kind === undefined ? null : cleanProperty(property, kind, writing)) ?? [];
    }),
  );

/** Makes the mask the person who answers, also by an address that is not known to be the owner's (RFC 5546, 3.2.3). */
const answerAsMask = (
  properties: readonly CalendarProperty[],
  maskEmail: string,
): readonly CalendarProperty[] => {
  const attendees = properties.filter(({ name }) => name === "attendee");
  return attendees.length === 1
    ? properties.map((one) => (one.name === "attendee" ? { ...one, values: [`mailto:${maskEmail}`] } : one))
    : properties;
};

const writeComponent = (
  name: string,
  properties: readonly CalendarProperty[],
  inner: readonly string[] = [],
): readonly string[] => [
  `BEGIN:${name}`,
  ...properties.flatMap((property) => writeCalendarLine(property) ?? []),
  ...inner,
  `END:${name}`,
];

const writeZone = (zone: Component, writing: Writing): readonly string[] =>
  writeComponent(
    zone.name,
    cleanProperties(zone.properties, zoneKinds, writing),
    zone.components.flatMap((inner) => writeZone(inner, writing)),
  );

const firstValue = ({ properties }: Component, wanted: string): unknown =>
  properties.find(({ name }) => name === wanted)?.values[0];

const isZone = ({ name }: Component): boolean => name === "VTIMEZONE";

const isOwnEvent = ({ properties }: Component, isAnswer: boolean, { isOwn }: CalendarContext): boolean => {
  const organizer = properties.find(({ name }) => name === "organizer");
  return organizer ? isOwn(addressOf(organizer)) : !isAnswer;
};

interface Method {
  readonly name: string;
  /** True if the calendar answers one of somebody else (RFC 5546, 3.2.3), whose zones it repeats. */
  readonly isAnswer: boolean;
}

/** Creates the test of ids: those at the owner's provider are the owner's, unless the event of somebody else is there too. */
const createIsOwnId = (
  event: Component,
  isAnswer: boolean,
  context: LinkContext & CalendarContext,
): ((id: string) => boolean) => {
  if (isOwnEvent(event, isAnswer, context)) return () => true;
  const namesOwner = (id: string): boolean => {
    const host = id.slice(id.lastIndexOf("@") + 1);
    return context.replaceHidden(host) !== host;
  };
  const uid = firstValue(event, "uid");
  const isElsewhere = typeof uid === "string" && !namesOwner(uid);
  return (id) => isElsewhere && namesOwner(id);
};

const cleanEvent = (
  event: Component,
  method: Method,
  writing: Omit<Writing, "isOwnId" | "isInUtc">,
): readonly CalendarProperty[] => {
  const { context, isReply } = writing;
  const isRepeated = event.properties.some(({ name }) => repeating.has(name));
  const properties = isReply ? event.properties.filter(({ name }) => !repeating.has(name)) : event.properties;
  const clean = cleanProperties(properties, eventKinds, {
    ...writing,
    isOwnId: createIsOwnId(event, method.isAnswer, context),
    // Times of a rule stay in its zone, where the clock changes.
    isInUtc: isReply || (method.isAnswer && !isRepeated),
  });
  return isReply ? answerAsMask(clean, context.maskEmail) : clean;
};

const writeCalendar = (
  calendar: Component,
  methodOfPart: string,
  context: CalendarContext,
): readonly string[] => {
  const name = String(firstValue(calendar, "method") ?? methodOfPart)
    .trim()
    .toUpperCase();
  const method = { name, isAnswer: isAnswerMethod(name) };
  const writing = {
    context: { ...context, renameId: () => "" },
    isReply: name === "REPLY",
    toUtc: createToUtc(),
  };
  const events = calendar.components
    .filter((component) => !isZone(component))
    .map((component) => ({ name: component.name, properties: cleanEvent(component, method, writing) }));
  const usedZones = new Set(
    events.flatMap(({ properties }) => properties.map(({ params }) => params["tzid"])),
  );
  const zones = calendar.components
    .filter((component) => isZone(component) && usedZones.has(zoneOf(firstValue(component, "tzid"))))
    .flatMap((component) => writeZone(component, { ...writing, isOwnId: () => false, isInUtc: false }));
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//mask//EN",
    "CALSCALE:GREGORIAN",
    ...(/^[A-Z]{1,20}$/.test(name) ? [`METHOD:${name}`] : []),
    ...zones,
    ...events.flatMap((event) => writeComponent(event.name, event.properties)),
    "END:VCALENDAR",
  ];
};

/**
 * Writes the calendars in a text anew for others, in linear time, so that answers to invitations still work: only
 * properties of an allowlist remain, people by their addresses alone, the owner's events under ids that do not show the
 * owner's provider, and in answers times in UTC. Empty when the text has no calendar. The header of its part names the
 * method of calendars that have none.
 */
export const rewriteCalendar = (text: string, context: CalendarContext, methodOfPart = ""): string =>
  readCalendars(text, kept)
    .flatMap((calendar) => writeCalendar(calendar, methodOfPart, context))
    .map((line) => `${line}\r\n`)
    .join("");

/** The traces of the owner in the calendars of a reply. */
export interface CalendarTraces {
  /** True if a program sends it (RFC 5546), which writes its text and its subject too. */
  readonly isScheduling: boolean;
  /** The names of the owner. */
  readonly names: readonly string[];
}

/** A calendar of a reply; the text is empty where it is left out. */
export interface CalendarOfReply {
  readonly text: string;
  /** The method that the header of its part names; empty without one. */
  readonly method: string;
}

const isSchedulingMethod = (method: unknown): boolean =>
  typeof method === "string" && !/^\s*(?:publish)?\s*$/i.test(method);

const namesIn = ({ params, values: [value] }: CalendarProperty): readonly string[] =>
  [params["cn"], readNamed(value)?.name].flatMap((name) =>
    typeof name === "string" && name !== "" ? [name] : [],
  );

/** Returns how calendars name their owner. */
export const findCalendarTraces = (
  parts: readonly CalendarOfReply[],
  isOwn: (address: string) => boolean,
): CalendarTraces => {
  const calendars = parts.flatMap(({ text }) => readCalendars(text, kept));
  const people = calendars
    .flatMap(({ components }) => components)
    .flatMap(({ properties }) => properties)
    .filter((property) => eventKinds.get(property.name) === "person" && isOwn(addressOf(property)));
  return {
    isScheduling:
      parts.some(({ method }) => isSchedulingMethod(method)) ||
      calendars.some((calendar) => isSchedulingMethod(firstValue(calendar, "method"))),
    names: people.flatMap(namesIn),
  };
};
