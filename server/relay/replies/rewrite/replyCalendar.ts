import { cleanLink, type LinkContext, unwrapLinks } from "./replyLinks.ts";

/** How a calendar is written for others. */
export type CalendarContext = Omit<LinkContext, "renameId">;

/** A content line (RFC 5545, 3.1). */
interface Property {
  readonly name: string;
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
}

interface Component {
  readonly name: string;
  readonly properties: Property[];
  readonly components: Component[];
}

/** What the value of a property is, and how it is written. */
type Kind = "text" | "time" | "rule" | "number" | "word" | "id" | "person" | "link" | "offset" | "zone";

const kindsOf = (kinds: Readonly<Partial<Record<Kind, string>>>): ReadonlyMap<string, Kind> =>
  new Map(
    (Object.keys(kinds) as Kind[]).flatMap((kind) =>
      (kinds[kind] ?? "").split(" ").map((name) => [name, kind] as const),
    ),
  );

/** The properties that are kept: what an invitation or an answer needs (RFC 5546), and its texts. */
const eventKinds = kindsOf({
  id: "UID RELATED-TO",
  link: "URL CONFERENCE ATTACH",
  number: "SEQUENCE PRIORITY PERCENT-COMPLETE",
  person: "ORGANIZER ATTENDEE",
  rule: "RRULE EXRULE",
  text: "SUMMARY DESCRIPTION LOCATION COMMENT CONTACT RESOURCES",
  time: "DTSTAMP DTSTART DTEND DUE DURATION COMPLETED RECURRENCE-ID RDATE EXDATE FREEBUSY",
  word: "STATUS TRANSP CLASS",
});

const zoneKinds = kindsOf({
  zone: "TZID",
  offset: "TZOFFSETFROM TZOFFSETTO",
  rule: "RRULE",
  time: "DTSTART RDATE",
});

/** The components that are kept, and where they stand. */
const parentOf: Readonly<Record<string, string>> = {
  VCALENDAR: "",
  VEVENT: "VCALENDAR",
  VTODO: "VCALENDAR",
  VJOURNAL: "VCALENDAR",
  VFREEBUSY: "VCALENDAR",
  VTIMEZONE: "VCALENDAR",
  STANDARD: "VTIMEZONE",
  DAYLIGHT: "VTIMEZONE",
};

const isParent = (name: string, parent: string): boolean =>
  Object.hasOwn(parentOf, name) && parentOf[name] === parent;

/** Reads a content line in one pass; null when it has no value. */
const readProperty = (line: string): Property | null => {
  const params = new Map<string, string>();
  let isQuoted = false;
  let start = 0;
  let name = "";
  const add = (piece: string): void => {
    if (name === "") {
      name = piece.toUpperCase();
      return;
    }
    const equals = piece.indexOf("=");
    if (equals > 0) params.set(piece.slice(0, equals).toUpperCase(), piece.slice(equals + 1));
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== ";" && character !== ":")) continue;
    add(line.slice(start, at));
    if (character === ":") return { name, params, value: line.slice(at + 1) };
    start = at + 1;
  }
  return null;
};

/** Reads the calendars in a text; other components, such as cards and alarms, are left out with their contents. */
const readCalendars = (text: string): readonly Component[] => {
  const root: Component = { name: "", properties: [], components: [] };
  const open: Component[] = [root];
  /** How many components that are left out are open. */
  let unknown = 0;
  const begin = (name: string): void => {
    const parent = open.at(-1) ?? root;
    if (unknown > 0 || !isParent(name, parent.name)) {
      unknown += 1;
      return;
    }
    const component: Component = { name, properties: [], components: [] };
    parent.components.push(component);
    open.push(component);
  };
  const end = (): void => {
    if (unknown > 0) unknown -= 1;
    else if (open.length > 1) open.pop();
  };
  for (const line of text.replaceAll(/(?:\r\n|\n|\r)[ \t]/g, "").split(/\r\n|\n|\r/)) {
    const property = readProperty(line);
    if (property?.name === "BEGIN") begin(property.value.trim().toUpperCase());
    else if (property?.name === "END") end();
    else if (property && unknown === 0) open.at(-1)?.properties.push(property);
  }
  return root.components;
};

/** Text as it is shown (RFC 5545, 3.3.11). */
const unescapeText = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_all, character: string) =>
    character.toLowerCase() === "n" ? "\n" : character,
  );

const escapeText = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\r\n|\n|\r/g, "\\n");

const unquote = (value: string): string => value.replaceAll('"', "");

/** The zone at the end of an id such as /mozilla.org/20050126_1/Europe/Berlin, whose start names a program. */
const zoneOf = (id: string): string => {
  const plain = unquote(id).trim();
  return plain.startsWith("/") ? plain.split("/").slice(-2).join("/") : plain;
};

const isPlainZone = (zone: string): boolean => /^[\w/+ .:()&,-]{1,100}$/.test(zone);

const maxZones = 20;

/** Converts local times of zones that are known here to UTC. */
const createToUtc = (): ((time: string, zone: string) => string | null) => {
  const formats = new Map<string, Intl.DateTimeFormat | null>();
  const formatOf = (zone: string): Intl.DateTimeFormat | null => {
    const known = formats.get(zone);
    if (known !== undefined) return known;
    let format: Intl.DateTimeFormat | null = null;
    try {
      if (formats.size < maxZones)
        format = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        });
    } catch {
      // The zone is not known.
    }
    formats.set(zone, format);
    return format;
  };
  return (time, zone) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(time) ?? [];
    const format = year === undefined ? null : formatOf(zone);
    const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (!format || Number.isNaN(wall)) return null;
    const shown = (at: number): number => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
    // The offset at the first guess may be that of the other side of a change of the clock.
    const first = wall - (shown(wall) - wall);
    const utc = first - (shown(first) - wall);
    return new Date(utc).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  };
};

/** Parameters whose values are words of the standard. */
const wordParams = ["VALUE", "PARTSTAT", "ROLE", "RSVP", "CUTYPE", "RELTYPE", "FBTYPE", "RANGE"];
const linkParams = ["DELEGATED-TO", "DELEGATED-FROM"];

const valueForms: Readonly<Partial<Record<Kind, RegExp>>> = {
  time: /^[\dTZPWDHMS/,+-]{1,4000}$/i,
  rule: /^[\w=;,:+-]{1,500}$/,
  number: /^\d{1,9}$/,
  word: /^[\w-]{1,40}$/,
  offset: /^[+-]\d{4,6}$/,
};

/** What the properties of a component are written with. */
interface Writing {
  readonly context: LinkContext;
  /** Whether the calendar answers one of somebody else (RFC 5546, 3.2.3), whose ids and zones it repeats. */
  readonly isAnswer: boolean;
  /** Whether it accepts or declines, for which the organizer needs no rules of repetition. */
  readonly isReply: boolean;
  /** Whether times are written in UTC: their zone may be the author's. */
  readonly isInUtc: boolean;
  readonly toUtc: (time: string, zone: string) => string | null;
}

const writeZoneParam = (raw: string): string => {
  const zone = zoneOf(raw);
  if (!isPlainZone(zone)) return "";
  return /[:;,]/.test(zone) ? `;TZID="${zone}"` : `;TZID=${zone}`;
};

const writeParam = (name: string, raw: string, { context }: Writing): string => {
  const value = unquote(raw);
  if (name === "TZID") return writeZoneParam(raw);
  if (wordParams.includes(name)) return /^[\w-]{1,40}$/.test(value) ? `;${name}=${value}` : "";
  const link = linkParams.includes(name) ? cleanLink(value, context) : null;
  return link === null || /["\s]/.test(link) ? "" : `;${name}="${link}"`;
};

const writeParams = (params: ReadonlyMap<string, string>, writing: Writing): string =>
  [...params].map(([name, value]) => writeParam(name, value, writing)).join("");

/** People are known by their address alone; those without one cannot be. */
const personOf = ({ value, params }: Property, { context }: Writing): string | null => {
  const email = unquote(params.get("EMAIL") ?? "").trim();
  const address = /^mailto:/i.test(value.trim()) || !email.includes("@") ? value : `mailto:${email}`;
  return /^mailto:/i.test(address.trim()) ? cleanLink(address, context) : null;
};

const inOneLine = (text: string | null): string | null =>
  text === null ? null : text.replaceAll(/[\r\n]/g, "");

const writtenValue = (property: Property, kind: Kind, writing: Writing): string | null => {
  const { value, params } = property;
  const { replace, replaceHidden } = writing.context;
  switch (kind) {
    case "text":
      return escapeText(replace(unwrapLinks(unescapeText(value))));
    case "id":
      return inOneLine(writing.isAnswer ? replace(value) : replaceHidden(value));
    case "person":
      return personOf(property, writing);
    case "link":
      return params.has("ENCODING") ? null : inOneLine(cleanLink(value, writing.context));
    case "zone":
      return isPlainZone(zoneOf(value)) ? zoneOf(value) : null;
    case "time":
    case "rule":
    case "number":
    case "word":
    case "offset":
      return valueForms[kind]?.test(value.trim()) ? value.trim() : null;
    default: {
      const unreachable: never = kind;
      return unreachable;
    }
  }
};

const repeating = /^(?:RRULE|EXRULE|RDATE|EXDATE)$/;

const timeInUtc = ({ name, value, params }: Property, { isInUtc, toUtc }: Writing): string | null => {
  const zone = params.get("TZID");
  return isInUtc && zone !== undefined && /^(?:DTSTART|DTEND|DUE)$/.test(name)
    ? toUtc(value.trim(), zoneOf(zone))
    : null;
};

const lineOf = (property: Property, kind: Kind, writing: Writing): string | null => {
  const utc = kind === "time" ? timeInUtc(property, writing) : null;
  if (utc !== null) return `${property.name}:${utc}`;
  const value = writtenValue(property, kind, writing);
  return value === null ? null : `${property.name}${writeParams(property.params, writing)}:${value}`;
};

/** Of several entries of one person, the one that has answered. */
const keyOf = ({ name, value }: Property, line: string): string =>
  name === "ATTENDEE"
    ? `${name}${line.slice(line.toLowerCase().lastIndexOf(":mailto:"))}`
    : `${name} ${value}`;

const writeProperties = (
  properties: readonly Property[],
  kinds: ReadonlyMap<string, Kind>,
  writing: Writing,
): readonly string[] => {
  const lines = new Map<string, string>();
  for (const property of properties) {
    const kind = kinds.get(property.name);
    const line = kind === undefined ? null : lineOf(property, kind, writing);
    if (line === null) continue;
    const key = keyOf(property, line);
    if (!lines.has(key) || /;PARTSTAT=(?!NEEDS-ACTION)/i.test(line)) lines.set(key, line);
  }
  return [...lines.values()];
};

const writeZone = (zone: Component, writing: Writing): readonly string[] => [
  `BEGIN:${zone.name}`,
  ...writeProperties(zone.properties, zoneKinds, writing),
  ...zone.components.flatMap((inner) => writeZone(inner, writing)),
  `END:${zone.name}`,
];

const writeEvent = ({ name, properties }: Component, writing: Writing): readonly string[] => {
  const isRepeated = properties.some((property) => repeating.test(property.name));
  const kept = writing.isReply ? properties.filter((property) => !repeating.test(property.name)) : properties;
  // Times of a rule stay in its zone, where the clock changes.
  const isInUtc = writing.isReply || (writing.isAnswer && !isRepeated);
  return [`BEGIN:${name}`, ...writeProperties(kept, eventKinds, { ...writing, isInUtc }), `END:${name}`];
};

const firstValue = ({ properties }: Component, wanted: string): string =>
  properties.find(({ name }) => name === wanted)?.value.trim() ?? "";

const isZone = ({ name }: Component): boolean => name === "VTIMEZONE";

const writeCalendar = (calendar: Component, context: CalendarContext): readonly string[] => {
  const method = firstValue(calendar, "METHOD").toUpperCase();
  const writing: Writing = {
    context: { ...context, renameId: () => "" },
    isAnswer: /^(?:REPLY|COUNTER|REFRESH)$/.test(method),
    isReply: method === "REPLY",
    isInUtc: false,
    toUtc: createToUtc(),
  };
  const events = calendar.components
    .filter((component) => !isZone(component))
    .flatMap((component) => writeEvent(component, writing));
  const usedZones = new Set(events.flatMap((line) => /^[^:]*;TZID="?([^":;]+)/.exec(line)?.[1] ?? []));
  const zones = calendar.components
    .filter((component) => isZone(component) && usedZones.has(zoneOf(firstValue(component, "TZID"))))
    .flatMap((component) => writeZone(component, writing));
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//mask//EN",
    "CALSCALE:GREGORIAN",
    ...(/^[A-Z]{1,20}$/.test(method) ? [`METHOD:${method}`] : []),
    ...zones,
    ...events,
    "END:VCALENDAR",
  ];
};

const maxLineBytes = 75;

/** Folds a line after at most 75 octets, between characters (RFC 5545, 3.1). */
const fold = (line: string): string => {
  const lines: string[] = [];
  let start = 0;
  let bytes = 0;
  let at = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      lines.push(line.slice(start, at));
      start = at;
      // The blank before a continued line counts.
      bytes = 1;
    }
    bytes += size;
    at += character.length;
  }
  return [...lines, line.slice(start)].join("\r\n ");
};

/**
 * Writes the calendars in a text anew for others, in linear time, so that answers to invitations still work: only
 * properties of an allowlist remain, people by their addresses alone, and in answers times in UTC. Empty when the text
 * has no calendar.
 */
export const rewriteCalendar = (text: string, context: CalendarContext): string =>
  readCalendars(text)
    .flatMap((calendar) => writeCalendar(calendar, context))
    .map((line) => `${fold(line)}\r\n`)
    .join("");
