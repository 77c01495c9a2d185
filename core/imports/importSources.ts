import { descriptionFrom, type ImportedMask } from "./importedMask.ts";

/** A row by the names of its columns, in lower case. */
export type NamedCells = Readonly<Record<string, string>>;

/** A kind of list that we read. */
export interface ImportSource {
  readonly name: string;
  /** The columns by which it is known. */
  readonly columns: readonly string[];
  /** The mask in a row, or a sentence why there is none. */
  readonly read: (row: NamedCells) => ImportedMask | string;
}

const isYes = (text: string | undefined, otherwise = true): boolean =>
  text === undefined || text === "" ? otherwise : /^(1|true|yes|on|active|enabled)$/i.test(text.trim());

const first = (list: string | undefined): string | null => list?.trim().split(/[\s,;]+/)[0] || null;

const bauta: ImportSource = {
  name: "Bauta",
  columns: ["maskemail", "description"],
  read: ({ maskemail = "", description, forwardto, active }) => ({
    address: maskemail,
    description: descriptionFrom(description, maskemail),
    forwardTo: first(forwardto),
    isActive: isYes(active),
  }),
};

/** "alias,note,enabled,mailboxes", where older lists have no mailboxes; the first mailbox is the main one. */
const simpleLogin: ImportSource = {
  name: "SimpleLogin",
  columns: ["alias", "enabled"],
  read: ({ alias = "", note, enabled, mailboxes }) => ({
    address: alias,
    description: descriptionFrom(note, alias),
    forwardTo: first(mailboxes),
    isActive: isYes(enabled),
  }),
};

/** The same service's data file, whose aliases call their address so. */
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

/** All columns of an alias; deleted ones are among them. Where their mail goes is not. */
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

/** Its masks as its programming interface lists them. */
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

/** The one known by most columns comes first. */
const importSources: readonly ImportSource[] = [addy, bauta, simpleLogin, relay, simpleLoginData];

/** Which list has these columns; undefined when we know none. */
export const sourceOf = (columns: ReadonlySet<string>): ImportSource | undefined =>
  importSources.find((source) => source.columns.every((column) => columns.has(column)));
