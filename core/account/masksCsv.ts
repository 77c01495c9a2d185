import { writeCsv } from "../kernel/csv.ts";
import { toSearchText } from "../kernel/searchText.ts";
import { parseLabels } from "../labels/label.ts";
import { isActive, type Mask, plainFieldsOf, statisticsOf } from "../masks/mask.ts";

/** The names that the masks of a list share: those of labels, with their colors, and those of destinations. */
export interface CsvNames {
  readonly labels: readonly { readonly name: string; readonly color: string }[];
  readonly destinations: readonly { readonly email: string; readonly name?: string }[];
}

const noNames: CsvNames = { labels: [], destinations: [] };

type Write = (mask: Mask, names: Names) => string;

interface Names {
  readonly colorOf: (label: string) => string;
  readonly nameOf: (email: string) => string;
}

const date = (time: number | null | undefined): string => (time ? new Date(time).toISOString() : "");

const number = (value: number | undefined): string => (value === undefined ? "" : String(value));

const destinationsOf = (mask: Mask): readonly string[] => mask.destinations ?? [mask.forwardTo];

/** The columns of the CSV file, in their order. */
const maskColumns = [
  "mask",
  "description",
  "forward_to",
  "active",
  "spam_filter",
  "created",
  "received",
  "forwarded",
  "blocked",
  "labels",
  "note",
  "pinned",
  "label_colors",
  "last_mail",
  "custom_prefix",
  "destinations",
  "destination_names",
  "when_off",
  "notify_when_off",
  "accept_unproven",
  "sender_shown",
  "action_links",
  "expires_at",
  "expires_after_mails",
  "expires_after_idle_days",
  "locks_to_first_sender",
  "when_expired",
  "who_may_write",
  "allowed_senders",
  "blocked_senders",
  "made_for",
  "unsubscribe",
  "kept_in_app",
] as const;
type MaskColumn = (typeof maskColumns)[number];

/** The cells of a mask: labels have commas between them, addresses spaces, names of addresses a line each. */
const cellWriters: Readonly<Record<MaskColumn, Write>> = {
  mask: (mask) => mask.maskEmail,
  description: (mask) => mask.description ?? "",
  forward_to: (mask) => mask.forwardTo,
  active: (mask) => String(isActive(mask)),
  spam_filter: (mask) => String(plainFieldsOf(mask).spamFilter),
  created: (mask) => mask.created ?? "",
  received: (mask) => number(statisticsOf(mask).totalReceived),
  forwarded: (mask) => number(statisticsOf(mask).totalForwarded),
  blocked: (mask) => number(statisticsOf(mask).spamBlocked),
  labels: (mask) => plainFieldsOf(mask).labels.join(", "),
  note: (mask) => plainFieldsOf(mask).note,
  pinned: (mask) => String(plainFieldsOf(mask).pinned),
  label_colors: (mask, { colorOf }) => plainFieldsOf(mask).labels.map(colorOf).join(", "),
  last_mail: (mask) => date(mask.lastMailAt),
  custom_prefix: (mask) => mask.customPrefix ?? "",
  destinations: (mask) => destinationsOf(mask).join(" "),
  destination_names: (mask, { nameOf }) => destinationsOf(mask).map(nameOf).join("\n").trimEnd(),
  when_off: (mask) => plainFieldsOf(mask).whenOff,
  notify_when_off: (mask) => String(plainFieldsOf(mask).notifyWhenOff),
  accept_unproven: (mask) => String(plainFieldsOf(mask).acceptUnproven),
  sender_shown: (mask) => plainFieldsOf(mask).senderShown,
  action_links: (mask) => plainFieldsOf(mask).actionLinks,
  expires_at: (mask) => date(mask.expiry?.at),
  expires_after_mails: (mask) => number(mask.expiry?.mails),
  expires_after_idle_days: (mask) => number(mask.expiry?.idleDays),
  locks_to_first_sender: (mask) => (mask.expiry ? String(mask.expiry.firstSender ?? false) : ""),
  when_expired: (mask) => mask.expiry?.then ?? "",
  who_may_write: (mask) => mask.senders?.mode ?? "",
  allowed_senders: (mask) => mask.senders?.allow.join(" ") ?? "",
  blocked_senders: (mask) => mask.senders?.block.join(" ") ?? "",
  made_for: (mask) => plainFieldsOf(mask).madeFor,
  unsubscribe: (mask) => plainFieldsOf(mask).unsubscribe,
  kept_in_app: (mask) => plainFieldsOf(mask).keptInApp,
};

/** Returns masks as CSV, one per line, with all their fields but the rules. */
export const masksCsv = (masks: readonly Mask[], { labels, destinations }: CsvNames = noNames): string => {
  const colors = new Map(labels.map(({ name, color }) => [toSearchText(name), color]));
  const called = new Map(destinations.map(({ email, name }) => [email.toLowerCase(), name]));
  const names: Names = {
    colorOf: (label) => colors.get(toSearchText(label)) ?? "gray",
    nameOf: (email) => (called.get(email.toLowerCase()) ?? "").replace(/\s+/g, " "),
  };
  return writeCsv([
    maskColumns,
    ...masks.map((mask) => maskColumns.map((column) => cellWriters[column](mask, names))),
  ]);
};

/** The cells of a row by the names that `cellName` gives. */
export type NamedCells = Readonly<Record<string, string>>;

/** The columns whose cells have the name of the member in a JSON file. */
const memberNames: ReadonlyMap<string, string> = new Map<MaskColumn, string>([
  ["mask", "maskemail"],
  ["forward_to", "forwardto"],
  ["spam_filter", "spamfilter"],
]);

/** Returns the name of a column's cells, whatever service has written the file: in lower case, the same for CSV and JSON. */
export const cellName = (column: string): string => {
  const name = column.trim().toLowerCase();
  return memberNames.get(name) ?? name;
};

/** Returns the cell of a column of our own; undefined when the row has none. */
export const cellOf = (cells: NamedCells, column: MaskColumn): string | undefined => cells[cellName(column)];

const words = (cell: string): readonly string[] => cell.split(/\s+/).filter((word) => word !== "");

/** A cell that is neither yes nor no stays as it is, so that whoever reads it on can say so. */
const truth = (cell: string): boolean | string => {
  if (/^(1|true|yes|on|active|enabled)$/i.test(cell.trim())) return true;
  return /^(|0|false|no|off|inactive|disabled)$/i.test(cell.trim()) ? false : cell;
};

/** The members whose cells are there and not empty. */
const given = (
  cells: NamedCells,
  members: Readonly<Record<string, readonly [MaskColumn, (cell: string) => unknown]>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([member, [column, read]]) => {
      const cell = cellOf(cells, column);
      return cell === undefined || cell.trim() === "" ? [] : [[member, read(cell)]];
    }),
  );

const asIs = (cell: string): string => cell.trim();

/** Returns the cells of a CSV row as the mask of a JSON file has them; nothing is checked. */
export const maskOfCells = (cells: NamedCells): Readonly<Record<string, unknown>> => {
  const labels = cellOf(cells, "labels");
  const note = cellOf(cells, "note");
  const expiry = given(cells, {
    at: ["expires_at", Date.parse],
    mails: ["expires_after_mails", Number],
    idleDays: ["expires_after_idle_days", Number],
    firstSender: ["locks_to_first_sender", truth],
    // biome-ignore lint/suspicious/noThenProperty: the contract's name
    then: ["when_expired", asIs],
  });
  const senders = given(cells, {
    mode: ["who_may_write", asIs],
    allow: ["allowed_senders", words],
    block: ["blocked_senders", words],
  });
  return {
    ...(labels === undefined ? {} : { labels: parseLabels(labels) }),
    ...(note === undefined ? {} : { note }),
    ...given(cells, {
      pinned: ["pinned", truth],
      whenOff: ["when_off", asIs],
      madeFor: ["made_for", asIs],
      destinations: ["destinations", words],
      customPrefix: ["custom_prefix", asIs],
    }),
    ...(Object.keys(expiry).length > 0 && { expiry }),
    ...(Object.keys(senders).length > 0 && { senders }),
    settings: given(cells, {
      spamFilter: ["spam_filter", truth],
      notifyWhenOff: ["notify_when_off", truth],
      acceptUnproven: ["accept_unproven", truth],
      senderShown: ["sender_shown", asIs],
      actionLinks: ["action_links", asIs],
      unsubscribe: ["unsubscribe", asIs],
      keptInApp: ["kept_in_app", asIs],
    }),
  };
};

/** Returns what the rows of a CSV file share, as a JSON export has it: labels with colors, destinations with names. */
export const namesOfCells = (rows: readonly NamedCells[]): CsvNames => {
  const colors = new Map<string, { name: string; color: string }>();
  const called = new Map<string, { email: string; name: string }>();
  for (const cells of rows) {
    const all = parseLabels(cellOf(cells, "label_colors") ?? "");
    parseLabels(cellOf(cells, "labels") ?? "").forEach((name, at) => {
      const color = all[at];
      if (color !== undefined) colors.set(toSearchText(name), { name, color });
    });
    const names = (cellOf(cells, "destination_names") ?? "").split(/\r?\n/);
    words(cellOf(cells, "destinations") ?? "").forEach((email, at) => {
      const name = names[at]?.trim() ?? "";
      if (name !== "") called.set(email.toLowerCase(), { email, name });
    });
  }
  return { labels: [...colors.values()], destinations: [...called.values()] };
};
