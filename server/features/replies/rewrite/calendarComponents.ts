import { type CalendarProperty, calendarLines, readCalendarLine } from "../../../mime/calendarLines.ts";

/** A calendar, or a part of one. */
export interface Component {
  readonly name: string;
  readonly properties: CalendarProperty[];
  readonly components: Component[];
}

/** The components that are kept, and where they stand. */
const parentOf: ReadonlyMap<string, string> = new Map([
  ["VCALENDAR", ""],
  ["VEVENT", "VCALENDAR"],
  ["VTODO", "VCALENDAR"],
  ["VJOURNAL", "VCALENDAR"],
  ["VFREEBUSY", "VCALENDAR"],
  ["VTIMEZONE", "VCALENDAR"],
  ["STANDARD", "VTIMEZONE"],
  ["DAYLIGHT", "VTIMEZONE"],
]);

/**
 * Reads the calendars in a text with the properties of some names, in lower case; other components, such as cards and
 * alarms, are left out with their contents.
 */
export const readCalendars = (text: string, kept: ReadonlySet<string>): readonly Component[] => {
  const root: Component = { name: "", properties: [], components: [] };
  const open: Component[] = [root];
  /** The number of open components that are left out. */
  let unknown = 0;
  const begin = (name: string): void => {
    const parent = open.at(-1) ?? root;
    if (unknown > 0 || parentOf.get(name) !== parent.name) {
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
  for (const line of calendarLines(text)) {
    if (line.name === "BEGIN")
      begin(
        line.text
          .slice(line.text.indexOf(":") + 1)
          .trim()
          .toUpperCase(),
      );
    else if (line.name === "END") end();
    else if (unknown === 0 && kept.has(line.name.toLowerCase())) {
      const property = readCalendarLine(line.text);
      if (property) open.at(-1)?.properties.push(property);
    }
  }
  return root.components;
};
