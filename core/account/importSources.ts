import {
  CustomPrefix,
  Destinations,
  type MaskFieldName,
  maskFieldNames,
  maskFields,
  maxDescriptionLength,
  type PlainFields,
} from "../masks/mask.ts";
import { NewExpiry } from "../masks/maskExpiry.ts";
import type { Rule } from "../rules/model/rule.ts";
import { readRules } from "../rules/model/ruleList.ts";
import { SendersEdit } from "../senders/maskSenders.ts";
import { cellOf, maskOfCells, type NamedCells } from "./masksCsv.ts";

/** A mask in the imported file. Its address is kept where its domain is proven here; else the new mask gets another one. */
export interface ImportedMask {
  /** The old address; empty when the file does not contain it. */
  readonly address: string;
  readonly description: string;
  /** The destination; null when the file does not contain it, which means the account's own address. */
  readonly forwardTo: string | null;
  readonly isActive: boolean;
  readonly own?: OwnContent;
}

interface OwnContent {
  readonly fields: Partial<PlainFields>;
  readonly rules: readonly Rule[];
  /** The destinations of its mail, when there are more than one. */
  readonly destinations?: readonly string[];
  /** The expiry of the mask; absent for never. */
  readonly expiry?: NewExpiry;
  /** The senders that may write to the mask; absent for everybody. */
  readonly senders?: SendersEdit;
  /** The prefix of its address, for a plan that lets the owner choose. */
  readonly customPrefix?: string;
  /** The parts of the mask that cannot be taken over, in sentences. */
  readonly leftOut: readonly string[];
}

/** A row of the file: a mask, or the reason why there is none. `at` is the line in CSV or the position in JSON. */
export type ImportRow =
  | { readonly at: number; readonly kind: "mask"; readonly mask: ImportedMask }
  | { readonly at: number; readonly kind: "problem"; readonly address: string; readonly message: string };

/** Returns the first non-empty candidate on one line, cut to the maximum length of a description. */
const descriptionFrom = (...candidates: readonly (string | undefined)[]): string => {
  const lines = candidates.map((text = "") => text.replace(/[\s\p{Cc}]+/gu, " ").trim());
  const [description = ""] = lines.filter((line) => line !== "");
  return description.length <= maxDescriptionLength
    ? description
    : `${description.slice(0, maxDescriptionLength - 1).replace(/\p{Surrogate}$/u, "")}…`;
};

/** A file format that can be imported. */
export interface ImportSource {
  readonly name: string;
  /** The columns that identify the format. */
  readonly columns: readonly string[];
  /** Returns the mask of a row, or a message why there is none; `item` is the row of a JSON file. */
  readonly read: (row: NamedCells, item: unknown) => ImportedMask | string;
  /** The parts that no row of the file takes over, in words. */
  readonly leftOut?: (isJson: boolean) => readonly string[];
}

const isYes = (text: string | undefined, otherwise = true): boolean =>
  text === undefined || text === "" ? otherwise : /^(1|true|yes|on|active|enabled)$/i.test(text.trim());

const first = (list: string | undefined): string | null => list?.trim().split(/[\s,;]+/)[0] || null;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields with cells of their own in every format. */
const commonFields: ReadonlySet<MaskFieldName> = new Set<MaskFieldName>(["description", "active"]);

const listOrNothing = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const ownContent = (item: Readonly<Record<string, unknown>>): OwnContent => {
  const settings = isRecord(item["settings"]) ? item["settings"] : {};
  const given = maskFieldNames
    .filter((name) => !commonFields.has(name))
    .map((name) => [name, (maskFields[name].in === "mask" ? item : settings)[name]] as const)
    .filter(([, value]) => value !== undefined);
  const isUsable = ([name, value]: (typeof given)[number]): boolean =>
    maskFields[name].input.decode(value)._tag === "Right";
  const senders = isRecord(item["senders"]) ? SendersEdit.decode(item["senders"]) : undefined;
  const destinations = Destinations.decode(item["destinations"]);
  const hasDestinations = item["destinations"] !== undefined;
  const prefix = CustomPrefix.decode(item["customPrefix"]);
  const expiry = isRecord(item["expiry"]) ? NewExpiry.decode(item["expiry"]) : undefined;
  const { rules, unreadable } = readRules(listOrNothing(settings["rules"]));
  return {
    fields: Object.fromEntries(given.filter(isUsable)),
    rules,
    ...(destinations._tag === "Right" &&
      destinations.right.length > 1 && { destinations: destinations.right }),
    ...(expiry?._tag === "Right" && { expiry: expiry.right }),
    ...(senders?._tag === "Right" && { senders: senders.right }),
    ...(prefix._tag === "Right" && { customPrefix: prefix.right }),
    leftOut: [
      ...(hasDestinations && destinations._tag === "Left" ? ["Where its mail goes cannot be read."] : []),
      ...(expiry?._tag === "Left" ? ["When it expires cannot be read."] : []),
      ...(senders?._tag === "Left" ? ["Who may write to it cannot be read."] : []),
      ...(unreadable === 0
        ? []
        : [`${unreadable === 1 ? "One rule" : `${unreadable} rules`} cannot be read.`]),
      ...given.filter((one) => !isUsable(one)).map(([name]) => `The setting “${name}” cannot be read.`),
    ],
  };
};

/** A description of our own is taken as it is, where it is one. */
const ownDescription = (description: string | undefined, address: string | undefined): string =>
  description !== undefined && maskFields.description.input.decode(description)._tag === "Right"
    ? description
    : descriptionFrom(description, address);

/** The exports of this product. */
export const ownSource: ImportSource = {
  name: "Bauta",
  columns: ["maskemail", "description"],
  read: (cells, item) => ({
    address: cellOf(cells, "mask") ?? "",
    description: ownDescription(cellOf(cells, "description"), cellOf(cells, "mask")),
    forwardTo: first(cellOf(cells, "forward_to")),
    isActive: isYes(cellOf(cells, "active")),
    own: ownContent(isRecord(item) ? item : maskOfCells(cells)),
  }),
  leftOut: (isJson) => [
    "addresses at domains that are not proven here, whose masks get new ones",
    "figures and notifications",
    ...(isJson ? [] : ["rules, keys and settings, which are in the export as JSON"]),
  ],
};

/** The mailboxes of an alias, of which there are several or none. */
const furtherMailboxes = (mailboxes: string | undefined): Pick<ImportedMask, "own"> => {
  const all = Destinations.decode(mailboxes?.trim().split(/[\s,;]+/));
  if (all._tag === "Left" || all.right.length < 2) return {};
  return { own: { fields: {}, rules: [], destinations: all.right, leftOut: [] } };
};

/** The columns "alias,note,enabled,mailboxes"; older files have no mailboxes. */
const simpleLogin: ImportSource = {
  name: "SimpleLogin",
  columns: ["alias", "enabled"],
  read: ({ alias = "", note, enabled, mailboxes }) => ({
    address: alias,
    description: descriptionFrom(note, alias),
    forwardTo: first(mailboxes),
    isActive: isYes(enabled),
    ...furtherMailboxes(mailboxes),
  }),
};

/** SimpleLogin's JSON export, which names the address "email". */
const simpleLoginData: ImportSource = {
  name: "SimpleLogin",
  columns: ["email", "enabled"],
  read: ({ email = "", note, name, enabled }) => ({
    address: email,
    description: descriptionFrom(note, name, email),
    forwardTo: null,
    isActive: isYes(enabled),
  }),
};

/** All columns of an alias, including deleted aliases, without the recipient. */
const addy: ImportSource = {
  name: "addy.io",
  columns: ["local_part", "email", "active"],
  read: ({ email = "", description, active, deleted_at = "" }) =>
    deleted_at === "" || deleted_at === "null"
      ? {
          address: email,
          description: descriptionFrom(description, email),
          forwardTo: null,
          isActive: isYes(active),
        }
      : "It was deleted there.",
};

/** The masks as Firefox Relay's API lists them. */
const relay: ImportSource = {
  name: "Firefox Relay",
  columns: ["full_address", "enabled"],
  read: ({ full_address = "", description, generated_for, used_on, enabled }) => ({
    address: full_address,
    description: descriptionFrom(description, generated_for, used_on, full_address),
    forwardTo: null,
    isActive: isYes(enabled),
  }),
};

/** Ordered by the number of identifying columns, most first. */
const importSources: readonly ImportSource[] = [addy, ownSource, simpleLogin, relay, simpleLoginData];

/** Finds the format with these columns; undefined when none matches. */
export const sourceOf = (columns: ReadonlySet<string>): ImportSource | undefined =>
  importSources.find((source) => source.columns.every((column) => columns.has(column)));
