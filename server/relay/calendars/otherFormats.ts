import { isAnswerMethod, toJCal, toProperty } from "../../mime/calendarLines.ts";
import type { CalendarNames } from "./calendarNames.ts";
import { replaceInProperty } from "./calendarPeople.ts";

/** Deeper ones are no calendars. */
const maxDepth = 8;

class Unreadable extends Error {}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const replaceInComponent = (
  given: unknown,
  names: CalendarNames,
  isInAnswer: boolean,
  depth: number,
): unknown => {
  if (!isList(given) || depth > maxDepth) throw new Unreadable();
  // Several calendars stand in a list of their own.
  if (isList(given[0])) return given.map((one) => replaceInComponent(one, names, false, depth + 1));
  const [name, properties, components] = given;
  if (!isList(properties) || !isList(components)) throw new Unreadable();
  const read = properties.map((one) => toProperty(one) ?? null);
  const method = read.find((one) => one?.name.toLowerCase() === "method");
  const isAnswer = isInAnswer || (method !== undefined && isAnswerMethod(method?.values[0]));
  return [
    name,
    read.map((property) => {
      if (!property) throw new Unreadable();
      const named = property.name.toUpperCase();
      return toJCal(replaceInProperty(named, property, names, isAnswer) ?? property);
    }),
    components.map((one) => replaceInComponent(one, names, isAnswer, depth + 1)),
  ];
};

/** Returns a calendar in JSON (RFC 7265) with the people as `names` has them; null when it cannot be read. */
export const replaceInJson = (text: string, names: CalendarNames): string | null => {
  try {
    return JSON.stringify(replaceInComponent(JSON.parse(text), names, false, 0));
  } catch {
    return null;
  }
};

/** Entities and declarations can hide an address, and no calendar needs them. */
const hidesText = /<!|<\?(?!xml\s)|&(?!(?:amp|lt|gt|quot|apos);)/i;

const property = (name: string, value: string) => ({ name, params: {}, type: "uri", values: [value] });

/** Returns a calendar in XML (RFC 6321) with the people as `names` has them; null when it cannot be read. */
export const replaceInXml = (text: string, names: CalendarNames): string | null =>
  hidesText.test(text)
    ? null
    : text.replaceAll(/>([^<>]*(?:@|mailto:|%40)[^<>]*)</gi, (_all, value: string) => {
        const replaced = replaceInProperty("URL", property("url", value), names, false)?.values[0];
        return `>${typeof replaced === "string" ? replaced : value}<`;
      });
