import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { isStorable, refined, withMessage } from "../../../../core/api/textCodecs.ts";
import { addressFields } from "../../../../core/masks/maskFormat.ts";
import { AddyAlias } from "./addyAlias.ts";
import { NullableText } from "./addyValues.ts";
import { AliasFormat } from "./aliasFormat.ts";

const path = "/api/v1/aliases";
const id = t.type({ id: t.string });
const SingleAlias = t.type({ data: AddyAlias });

/** The most masks of one page and of one change. */
export const maxPageSize = 100;
const maxIds = 25;

/** The most characters of a description; what does not fit into that of a mask becomes its note. */
const maxDescription = 1_000;

const Description = refined(
  refined(
    withMessage(t.string, "The description must be text."),
    isStorable,
    "Remove characters that cannot be stored.",
  ),
  ({ length }) => length <= maxDescription,
  `The description must not be greater than ${maxDescription} characters.`,
);

const maxLocalPart = 50;
const LocalPart = refined(
  addressFields.localPart,
  ({ length }) => length <= maxLocalPart,
  `The local part must not be greater than ${maxLocalPart} characters.`,
);

const maxRecipients = 10;
const RecipientIds = refined(
  withMessage(t.readonlyArray(t.string), "The recipient ids must be a list of ids."),
  ({ length }) => length <= maxRecipients,
  `An alias has at most ${maxRecipients} recipients.`,
);

const orNull = <A>(codec: t.Type<A, unknown, unknown>) => t.union([codec, t.null]);

/**
 * A new mask. Some clients send an empty `local_part` and format where they mean none, so the name is checked only for the
 * format that has one.
 */
export const NewAlias = t.intersection([
  t.type({ domain: withMessage(t.string, "The domain field is required.") }),
  t.partial({
    description: orNull(Description),
    format: withMessage(
      orNull(AliasFormat),
      `The format must be one of ${Object.keys(AliasFormat.keys).join(", ")}.`,
    ),
    local_part: NullableText,
    recipient_ids: orNull(RecipientIds),
  }),
]);
export type NewAlias = t.TypeOf<typeof NewAlias>;

/** A chosen name before the "@". */
export const ChosenName = t.type({ local_part: LocalPart });

/** Makes a mask. */
export const postAlias = endpoint("POST", path, {
  status: 201,
  tokens: "masks:create",
  body: NewAlias,
  answer: SingleAlias,
});

const Link = t.type({ url: NullableText, label: t.string, active: t.boolean });

/** The links from a page of a list to the others. */
export const OtherPages = t.type({
  links: t.type({ first: t.string, last: t.string, prev: NullableText, next: NullableText }),
  meta: t.type({
    current_page: t.number,
    from: t.union([t.number, t.null]),
    last_page: t.number,
    links: t.readonlyArray(Link),
    path: t.string,
    per_page: t.number,
    to: t.union([t.number, t.null]),
    total: t.number,
  }),
});

/** A page of a list. */
export type Page<A> = t.TypeOf<typeof OtherPages> & { readonly data: readonly A[] };

const AliasPage = t.intersection([t.type({ data: t.readonlyArray(AddyAlias) }), OtherPages]);
export type AliasPage = Page<AddyAlias>;

const ListParams = t.partial({
  "page[number]": t.string,
  "page[size]": t.string,
  "filter[search]": t.string,
  "filter[active]": t.string,
  "filter[pinned]": t.string,
  "filter[deleted]": t.string,
  sort: t.string,
  recipient: t.string,
  domain: t.string,
  username: t.string,
});
export type ListParams = t.TypeOf<typeof ListParams>;

/** Lists masks by pages, filtered and sorted. */
export const getAliases = endpoint("GET", path, {
  tokens: "masks:read",
  params: ListParams,
  answer: AliasPage,
});

/** Returns a mask, also one of the trash. */
export const getAlias = endpoint("GET", `${path}/:id`, {
  tokens: "masks:read",
  params: id,
  answer: SingleAlias,
});

/** Changes the description. `from_name` has no counterpart and changes nothing. */
export const patchAlias = endpoint("PATCH", `${path}/:id`, {
  tokens: "masks:write",
  params: id,
  body: t.partial({ description: orNull(Description), from_name: NullableText }),
  answer: SingleAlias,
});

const changing = { tokens: "masks:write", params: id } as const;
const withoutAnswer = { ...changing, status: 204 } as const;

/** Moves a mask to the trash. */
export const deleteAlias = endpoint("DELETE", `${path}/:id`, withoutAnswer);

/** Deletes a mask for good. */
export const forgetAlias = endpoint("DELETE", `${path}/:id/forget`, withoutAnswer);

export const restoreAlias = endpoint("PATCH", `${path}/:id/restore`, { ...changing, answer: SingleAlias });

const naming = {
  tokens: "masks:write",
  body: t.type({ id: withMessage(t.string, "The id field is required.") }),
  answer: SingleAlias,
} as const;

export const postActiveAlias = endpoint("POST", "/api/v1/active-aliases", naming);
export const deleteActiveAlias = endpoint("DELETE", "/api/v1/active-aliases/:id", withoutAnswer);
export const postPinnedAlias = endpoint("POST", "/api/v1/pinned-aliases", naming);
export const deletePinnedAlias = endpoint("DELETE", "/api/v1/pinned-aliases/:id", withoutAnswer);

/** Sets where the mail of a mask goes; without an id, to the account's usual destination. */
export const postAliasRecipients = endpoint("POST", "/api/v1/alias-recipients", {
  tokens: "masks:write",
  body: t.intersection([
    t.type({ alias_id: withMessage(t.string, "The alias id field is required.") }),
    t.partial({ recipient_ids: orNull(RecipientIds) }),
  ]),
  answer: SingleAlias,
});

const Ids = refined(
  withMessage(t.readonlyArray(t.string), "The ids field is required."),
  ({ length }) => length >= 1 && length <= maxIds,
  `Name 1 to ${maxIds} ids.`,
);
const SeveralIds = t.type({ ids: Ids });
const Changed = t.type({ message: t.string, ids: t.readonlyArray(t.string) });
export type Changed = t.TypeOf<typeof Changed>;

export const getAliasesBulk = endpoint("POST", `${path}/get/bulk`, {
  tokens: "masks:read",
  body: SeveralIds,
  answer: t.type({ data: t.readonlyArray(AddyAlias) }),
});

const bulk = (name: string) =>
  endpoint("POST", `${path}/${name}/bulk`, { tokens: "masks:write", body: SeveralIds, answer: Changed });

export const activateBulk = bulk("activate");
export const deactivateBulk = bulk("deactivate");
export const pinBulk = bulk("pin");
export const unpinBulk = bulk("unpin");
export const deleteBulk = bulk("delete");
export const restoreBulk = bulk("restore");
export const forgetBulk = bulk("forget");

export const recipientsBulk = endpoint("POST", `${path}/recipients/bulk`, {
  tokens: "masks:write",
  body: t.intersection([SeveralIds, t.partial({ recipient_ids: orNull(RecipientIds) })]),
  answer: Changed,
});
