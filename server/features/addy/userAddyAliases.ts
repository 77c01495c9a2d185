import { fieldErrorsOf } from "../../../core/api/fieldErrors.ts";
import type { BulkChange } from "../../../core/bulk/bulkChange.ts";
import { type DomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { descriptionOfAddress, type MaskEdit, type NewMask } from "../../../core/masks/mask.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import { changeMasks } from "../bulk/bulkChange.ts";
import { mayKnowDestinations } from "../destinations/defaultDestination.ts";
import { findDefaultAddress } from "../destinations/destinationQueries.ts";
import { maskNotFound } from "../maskChanges/maskChanges.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { createMask } from "../masks/createMask.ts";
import { editMask } from "../masks/editMask.ts";
import { findPagedMasks, listMaskPage, type PagedMask, readPagedMasks } from "../masks/list/maskPages.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { forgetTrashedMask, restoreTrashedMask } from "../trash/userTrash.ts";
import { findRecipients } from "./accountQueries.ts";
import { parseAliasQuery, toPage } from "./aliasPage.ts";
import { type AddyAlias, fieldsOfDescription, fieldsOfNewAlias, toAlias } from "./contract/addyAlias.ts";
import {
  type AliasPage,
  type Changed,
  ChosenName,
  type ListParams,
  type NewAlias,
} from "./contract/addyAliasEndpoints.ts";
import { toMaskFormat } from "./contract/aliasFormat.ts";

interface SingleAlias {
  readonly data: AddyAlias;
}

/** Returns a mask as a program may know it: one that only makes masks is not told where their mail goes. */
const aliasFor = (auth: AuthContext, paged: PagedMask): AddyAlias =>
  toAlias({
    ...paged,
    userId: auth.userId,
    destinations: mayKnowDestinations(auth) ? paged.destinations : [],
  });

/** Returns the name before the "@" that a client has chosen; throws an error of its field for one that cannot be used. */
const parseLocalPart = (localPart: string | null | undefined): string => {
  const decoded = ChosenName.decode({ local_part: localPart ?? "" });
  if (decoded._tag === "Right") return decoded.right.local_part;
  throw fieldError("invalid", "local_part", fieldErrorsOf(decoded.left)[0]?.message ?? "");
};

const withoutDoubles = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

/** Says in words that several masks were changed. */
const toChanged = (ids: readonly string[], done: string): Changed => ({
  message: `${ids.length} ${ids.length === 1 ? "alias" : "aliases"} ${done} successfully`,
  ids,
});

const readAlias = async (
  context: ServerContext,
  tx: Db,
  auth: AuthContext,
  id: string,
): Promise<SingleAlias> => {
  const [paged] = await readPagedMasks(tx, context, auth.userId, [id]);
  if (!paged) throw maskNotFound();
  return { data: aliasFor(auth, paged) };
};

const find = async (context: ServerContext, { userId }: AuthContext, id: string): Promise<PagedMask> => {
  const [paged] = await findPagedMasks(context, context.database.db, userId, [id]);
  if (!paged) throw maskNotFound();
  return paged;
};

/** Returns the addresses of confirmed destinations by their ids; the usual one for none. */
const addressesOf = async (db: Db, userId: string, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return [(await findDefaultAddress(db, userId)) ?? (await getUser(db, userId)).email];
  const known = new Map(
    (await findRecipients(db, userId)).flatMap(({ id, email, confirmedAt }) =>
      confirmedAt === null ? [] : [[id, email] as const],
    ),
  );
  return withoutDoubles(ids).map((id) => {
    const email = known.get(id);
    if (email === undefined)
      throw fieldError("invalid", "recipient_ids", "Choose from your confirmed recipients.");
    return email;
  });
};

/** Returns the domain of a new mask; one that the token may not use is refused by the use case. */
const domainOf = async (
  { database: { db }, clock, config }: ServerContext,
  { userId, token }: AuthContext,
  asked: string,
): Promise<DomainName> => {
  const name = toDomainName(asked.trim());
  const own = await findDomainsForNewMasks(db, userId, clock.now());
  const options = [...own.map((domain) => domain.name), config.maskDomain];
  if (name !== null && options.some((option) => isSameDomain(option, name))) return name;
  const allowed = token?.domain ? [token.domain] : options;
  throw fieldError("invalid", "domain", `The domain must be one of ${allowed.join(", ")}.`);
};

/** Returns what the address of a new mask is made of. */
const addressOf = async (
  context: ServerContext,
  auth: AuthContext,
  { domain: asked, format, local_part: localPart }: NewAlias,
): Promise<Pick<NewMask, "domain" | "localPart" | "format">> => {
  const domain = await domainOf(context, auth, asked);
  if (format === undefined || format === null) return { domain };
  if (format !== "custom") {
    const { maskFormat } = chosenFormat(await getUser(context.database.db, auth.userId));
    return { domain, format: toMaskFormat(format, maskFormat) };
  }
  if (isSameDomain(domain, context.config.maskDomain))
    throw fieldError(
      "invalid",
      "format",
      `Names of your own are possible at your own domains. At ${domain}, choose another format.`,
    );
  return { domain, localPart: parseLocalPart(localPart) };
};

const edit = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
  change: MaskEdit,
): Promise<Write<SingleAlias>> => {
  const write = await editMask(context, auth, { id, edit: change, baseVersion: null });
  return async (tx) => {
    await write(tx);
    return readAlias(context, tx, auth, id);
  };
};

/** Changes several masks at once and returns the ids of those; throws why when none could be changed. */
const changeMany = async (
  context: ServerContext,
  tx: Db,
  auth: AuthContext,
  request: { readonly ids: readonly string[]; readonly change: BulkChange },
): Promise<readonly string[]> => {
  const results = await changeMasks(context, tx, auth, request);
  const changed = results.flatMap(({ id, refusal }) => (refusal === null ? [id] : []));
  const refusals = results.flatMap(({ refusal }) => refusal ?? []);
  if (changed.length === 0)
    throw refusals.find(({ kind }) => kind !== "missing") ?? refusals[0] ?? maskNotFound();
  return changed;
};

/** Prepares a mask of addy.io's clients. */
export const makeAlias = async (
  context: ServerContext,
  auth: AuthContext,
  body: NewAlias,
): Promise<Write<SingleAlias>> => {
  const recipients = body.recipient_ids ?? [];
  const newMask: NewMask = {
    ...fieldsOfNewAlias(body.description ?? ""),
    ...(await addressOf(context, auth, body)),
    ...(recipients.length > 0 && {
      destinations: await addressesOf(context.database.db, auth.userId, recipients),
    }),
  };
  const write = await createMask(context, auth, newMask);
  return async (tx) => readAlias(context, tx, auth, (await write(tx)).id);
};

/** Returns a page of masks as addy.io's clients know them. */
export const listAliases = async (
  context: ServerContext,
  auth: AuthContext,
  params: ListParams,
): Promise<AliasPage> => {
  const { userId } = auth;
  const { database, clock, config } = context;
  const query = parseAliasQuery(params);
  const own =
    query.domain === undefined ? [] : await findDomainsForNewMasks(database.db, userId, clock.now());
  const { domain: asked } = query;
  const domain = own.find(({ id }) => id === asked)?.name ?? (asked && (toDomainName(asked) ?? asked));
  // Nobody has a second user name here, so that nothing belongs to one.
  const isNone = (params.username ?? "") !== "";
  const { masks, total } = isNone
    ? { masks: [], total: 0 }
    : await listMaskPage(context, userId, { ...query, domain, isCounted: true });
  return toPage({
    address: `${config.publicUrl}/api/v1/aliases`,
    params,
    query,
    total: total ?? 0,
    data: masks.map((paged) => aliasFor(auth, paged)),
  });
};

export const getAlias = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
): Promise<SingleAlias> => ({ data: aliasFor(auth, await find(context, auth, id)) });

export const getAliases = async (
  context: ServerContext,
  auth: AuthContext,
  ids: readonly string[],
): Promise<{ readonly data: readonly AddyAlias[] }> => {
  const found = await findPagedMasks(context, context.database.db, auth.userId, withoutDoubles(ids));
  return { data: found.map((paged) => aliasFor(auth, paged)) };
};

/** Prepares another description; undefined changes nothing. */
export const describeAlias = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
  description: string | null | undefined,
): Promise<Write<SingleAlias>> => {
  const { mask } = await find(context, auth, id);
  if (description === undefined) return edit(context, auth, id, {});
  const fields = fieldsOfDescription(description ?? "");
  const change = { ...fields, description: fields.description || descriptionOfAddress(mask.maskEmail) };
  return edit(context, auth, id, change);
};

/** Prepares to switch a mask on or off. */
export const setAliasActive = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
  active: boolean,
): Promise<Write<SingleAlias>> => {
  const { deletedAt } = await find(context, auth, id);
  if (active && deletedAt !== null)
    throw fieldError("invalid", "id", "Restore this alias before you activate it.");
  return edit(context, auth, id, { active });
};

/** Prepares to pin a mask, or not to. */
export const setAliasPinned = (
  context: ServerContext,
  auth: AuthContext,
  id: string,
  pinned: boolean,
): Promise<Write<SingleAlias>> => edit(context, auth, id, { pinned });

/** Prepares to forward the mail of a mask to other confirmed destinations. */
export const setAliasRecipients = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
  recipientIds: readonly string[],
): Promise<Write<SingleAlias>> => {
  const destinations = await addressesOf(context.database.db, auth.userId, recipientIds);
  return edit(context, auth, id, { destinations });
};

/** Prepares to take a mask out of the trash; one that is not there stays as it is. */
export const restoreAlias = async (
  context: ServerContext,
  auth: AuthContext,
  id: string,
): Promise<Write<SingleAlias>> => {
  const paged = await find(context, auth, id);
  if (paged.deletedAt === null) return async () => ({ data: aliasFor(auth, paged) });
  return async (tx) => {
    await restoreTrashedMask(context, tx, auth, id);
    return readAlias(context, tx, auth, id);
  };
};

/** Changes several masks; says how many by `done`. */
export const changeAliases = async (
  context: ServerContext,
  tx: Db,
  auth: AuthContext,
  {
    done,
    ...request
  }: { readonly ids: readonly string[]; readonly change: BulkChange; readonly done: string },
): Promise<Changed> => toChanged(await changeMany(context, tx, auth, request), done);

/** Deletes masks for good, those of the trash and others. Rejects with 404 when there is none of them. */
export const forgetAliases = async (
  context: ServerContext,
  tx: Db,
  auth: AuthContext,
  ids: readonly string[],
): Promise<Changed> => {
  const found = await findPagedMasks(context, tx, auth.userId, withoutDoubles(ids));
  if (found.length === 0) throw maskNotFound();
  const live = found.flatMap(({ mask, deletedAt }) => (deletedAt === null ? [mask.id] : []));
  if (live.length > 0) await changeMany(context, tx, auth, { ids: live, change: { kind: "delete" } });
  for (const { mask } of found) await forgetTrashedMask(context, tx, auth, mask.id);
  return toChanged(
    found.map(({ mask }) => mask.id),
    "forgotten",
  );
};

/** Forwards the mail of several masks to other confirmed destinations. Rejects with 404 when there is none of them. */
export const setRecipientsOfAliases = async (
  context: ServerContext,
  tx: Db,
  auth: AuthContext,
  { ids, recipientIds }: { readonly ids: readonly string[]; readonly recipientIds: readonly string[] },
): Promise<Changed> => {
  const destinations = await addressesOf(tx, auth.userId, recipientIds);
  const found = await findPagedMasks(context, tx, auth.userId, withoutDoubles(ids));
  const changed = found.flatMap(({ mask, deletedAt }) => (deletedAt === null ? [mask.id] : []));
  if (changed.length === 0) throw maskNotFound();
  for (const id of changed) {
    const write = await editMask(context, auth, { id, edit: { destinations }, baseVersion: null });
    await write(tx);
  }
  return {
    ...toChanged(changed, "changed"),
    message: `Recipients updated for ${changed.length} aliases successfully`,
  };
};
