import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { CustomPrefix } from "../../../../core/masks/mask.ts";
import { AliasNote, NewAlias, SimpleLoginAlias } from "./simpleLoginAlias.ts";
import { Integer, NullableText } from "./simpleLoginValues.ts";

const id = t.type({ id: t.string });
const note = t.union([AliasNote, t.null]);

/** Makes a mask with a generated address, of the account's format or of `mode`. */
export const postRandomAlias = endpoint("POST", "/api/alias/random/new", {
  status: 201,
  tokens: "masks:create",
  params: t.partial({ hostname: t.string, mode: t.string }),
  body: t.partial({ note }),
  answer: NewAlias,
});

const hostname = t.partial({ hostname: t.string });

const optionFields = {
  can_create: t.boolean,
  prefix_suggestion: t.string,
};
/** The mask that there is for the site already. */
const recommended = t.partial({ recommendation: t.type({ alias: t.string, hostname: t.string }) });

/** The end of a new address. */
export const Suffix = t.type({
  suffix: t.string,
  signed_suffix: t.string,
  is_custom: t.boolean,
  is_premium: t.boolean,
});
export type Suffix = t.TypeOf<typeof Suffix>;

const AliasOptions = t.intersection([
  t.type({ ...optionFields, suffixes: t.readonlyArray(Suffix) }),
  recommended,
]);
export type AliasOptions = t.TypeOf<typeof AliasOptions>;

/** Lists what new addresses can end with; the clients send one of them back within ten minutes. */
export const getAliasOptions = endpoint("GET", "/api/v5/alias/options", {
  tokens: "masks:create",
  params: hostname,
  answer: AliasOptions,
});

/** The same for the browser extension, which knows a suffix as a pair. */
export const getAliasOptionPairs = endpoint("GET", "/api/v4/alias/options", {
  tokens: "masks:create",
  params: hostname,
  answer: t.intersection([
    t.type({ ...optionFields, suffixes: t.readonlyArray(t.tuple([t.string, t.string])) }),
    recommended,
  ]),
});

const ChosenAlias = t.intersection([
  t.type({ alias_prefix: CustomPrefix, signed_suffix: t.string }),
  t.partial({ note, name: NullableText }),
]);
export type ChosenAlias = t.TypeOf<typeof ChosenAlias>;

/** Makes a mask with a chosen prefix and one of the suffixes that were offered. */
export const postCustomAlias = endpoint("POST", "/api/v3/alias/custom/new", {
  status: 201,
  tokens: "masks:create",
  params: hostname,
  body: t.intersection([ChosenAlias, t.type({ mailbox_ids: t.readonlyArray(Integer) })]),
  answer: NewAlias,
});

/** The same with the account's usual destination. */
export const postCustomAliasV2 = endpoint("POST", "/api/v2/alias/custom/new", {
  status: 201,
  tokens: "masks:create",
  params: hostname,
  body: ChosenAlias,
  answer: NewAlias,
});

const listParams = t.partial({
  page_id: t.string,
  pinned: t.string,
  disabled: t.string,
  enabled: t.string,
});
const Aliases = t.type({ aliases: t.readonlyArray(SimpleLoginAlias) });
const listPath = "/api/v2/aliases";

/** Lists masks, newest first, 20 a page; the first page is 0. */
export const getAliases = endpoint("GET", listPath, {
  tokens: "masks:read",
  params: listParams,
  answer: Aliases,
});
/** The same of those that contain a text in their address, description or note. */
export const postAliasSearch = endpoint("POST", listPath, {
  tokens: "masks:read",
  params: listParams,
  body: t.partial({ query: NullableText }),
  answer: Aliases,
});

const path = "/api/aliases/:id";

export const getAlias = endpoint("GET", path, { tokens: "masks:read", params: id, answer: SimpleLoginAlias });

const AliasChange = t.partial({
  note,
  name: NullableText,
  mailbox_id: Integer,
  mailbox_ids: t.readonlyArray(Integer),
  disable_pgp: t.boolean,
  pinned: t.boolean,
});
export type AliasChange = t.TypeOf<typeof AliasChange>;

const change = {
  tokens: "masks:write",
  params: id,
  body: AliasChange,
  answer: t.type({ ok: t.literal(true) }),
} as const;
/** Changes what the body names. `name` and `disable_pgp` have no counterpart and change nothing. */
export const putAlias = endpoint("PUT", path, change);
export const patchAlias = endpoint("PATCH", path, change);

/** Moves a mask to the trash. */
export const deleteAlias = endpoint("DELETE", path, {
  tokens: "masks:write",
  params: id,
  answer: t.type({ deleted: t.literal(true) }),
});

/** Switches a mask off, or on again; the body is not read. */
export const postAliasToggle = endpoint("POST", `${path}/toggle`, {
  tokens: "masks:write",
  params: id,
  answer: t.type({ enabled: t.boolean }),
});

const Activity = t.type({
  action: t.string,
  from: t.string,
  to: t.string,
  timestamp: Integer,
  reverse_alias: t.string,
  reverse_alias_address: t.string,
});
export type Activity = t.TypeOf<typeof Activity>;

const paged = t.intersection([id, t.partial({ page_id: t.string })]);

/** Lists the mail of a mask from the account's log, newest first. What is encrypted to its owner has no addresses. */
export const getActivities = endpoint("GET", `${path}/activities`, {
  tokens: "log:read",
  params: paged,
  answer: t.type({ activities: t.readonlyArray(Activity) }),
});

/** A correspondent of a mask. */
export const Contact = t.type({
  id: Integer,
  contact: t.string,
  creation_date: t.string,
  creation_timestamp: Integer,
  last_email_sent_date: NullableText,
  last_email_sent_timestamp: t.union([Integer, t.null]),
  reverse_alias: t.string,
  reverse_alias_address: t.string,
  existed: t.boolean,
  block_forward: t.boolean,
});
export type Contact = t.TypeOf<typeof Contact>;

/** Lists whom a mask has exchanged mail with, the latest first. */
export const getContacts = endpoint("GET", `${path}/contacts`, {
  tokens: "correspondents",
  params: paged,
  answer: t.type({ contacts: t.readonlyArray(Contact) }),
});

/** Returns the address for writing to somebody from a mask. */
export const postContact = endpoint("POST", `${path}/contacts`, {
  status: 201,
  tokens: "correspondents",
  params: id,
  body: t.type({ contact: t.string }),
  answer: Contact,
});

/** Has the mask refuse a correspondent's mail, or take it again. */
export const postContactToggle = endpoint("POST", "/api/contacts/:id/toggle", {
  tokens: "correspondents",
  params: id,
  answer: t.type({ block_forward: t.boolean }),
});

export const deleteContact = endpoint("DELETE", "/api/contacts/:id", {
  tokens: "correspondents",
  params: id,
  answer: t.type({ deleted: t.literal(true) }),
});
