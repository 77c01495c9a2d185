import { isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress } from "../../../core/mail/emailAddress.ts";
import { hostNameIn } from "../../../core/masks/madeFor.ts";
import {
  descriptionOfAddress,
  isActive,
  type MaskEdit,
  maxPrefixLength,
  NewMask,
} from "../../../core/masks/mask.ts";
import type { MaskFormat } from "../../../core/masks/maskFormat.ts";
import { limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import { describeFieldErrors } from "../../platform/errors/fieldErrors.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { takeOnce } from "../../platform/store/usedMarks.ts";
import { getUser } from "../../platform/store/users.ts";
import { createMask } from "../masks/createMask.ts";
import { editMask } from "../masks/editMask.ts";
import { listMaskPage, type MaskFilter } from "../masks/list/maskPages.ts";
import { getMask, toMask } from "../masks/maskQueries.ts";
import { trashMask } from "../trash/userTrash.ts";
import { findMadeForSite } from "./aliasQueries.ts";
import { fieldsOfNote, type NewAlias, type SimpleLoginAlias, siteOf } from "./contract/simpleLoginAlias.ts";
import type { AliasChange, AliasOptions } from "./contract/simpleLoginAliasEndpoints.ts";
import { pageSize } from "./contract/simpleLoginValues.ts";
import { confirmedAddresses, maskIdOf } from "./numberedThings.ts";
import { type OfferedSuffix, offerSuffixes, readSignedSuffix } from "./offeredSuffixes.ts";
import { type ReadAliasDeps, readAlias, readAliases } from "./readAliases.ts";

/** The fields of a new mask besides its address, as a client sends them. */
interface NewAliasFields {
  readonly hostname: string | undefined;
  readonly note: string | null | undefined;
}

/** An address whose random part was offered, which makes one mask. */
interface OfferedAddress extends Pick<OfferedSuffix, "use"> {
  readonly email: EmailAddress;
}

const suffixUsed = (): UseCaseError =>
  fieldError("conflict", "signed_suffix", "This suffix was used for a mask already. Load the options again.");

/** A page of masks that a client asks for. */
export interface AliasQuery extends Pick<MaskFilter, "isActive" | "isPinned" | "search"> {
  /** From 0. */
  readonly page: number;
}

/** A new mask whose prefix and suffix are chosen. */
interface CustomAlias extends NewAliasFields {
  readonly prefix: string;
  readonly signedSuffix: string;
  /** The numbers of its destinations; undefined for the account's usual one. */
  readonly mailboxes: readonly number[] | undefined;
}

const modes: Readonly<Record<string, MaskFormat>> = {
  uuid: { kind: "uuid" },
  word: { kind: "words", length: 4 },
};

const formatOfMode = (mode: string | undefined): MaskFormat | undefined => {
  if (mode === undefined || mode === "") return undefined;
  const format = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (!format) throw fieldError("invalid", "mode", "mode must be uuid or word.");
  return format;
};

/** Returns the beginning of addresses that a site suggests: "shop" for "www.shop.example". */
const prefixOf = (site: string): string =>
  (site.split(".")[0] ?? "").replace(/[^a-z0-9_-]/g, "").slice(0, maxPrefixLength);

/** Their clients read what a plan does not include as a 400, and take a 403 for a wrong key. */
const asBadRequest = (error: unknown): unknown =>
  error instanceof UseCaseError &&
  error.kind === "forbidden" &&
  !error.errors.some(({ field }) => field === "domain")
    ? new UseCaseError("invalid", error.message, { errors: error.errors })
    : error;

/** Returns what a note is in a mask, which is called after its address without one. */
const fieldsOfMask = (note: string, email: EmailAddress): ReturnType<typeof fieldsOfNote> => {
  const fields = fieldsOfNote(note);
  return { ...fields, description: fields.description || descriptionOfAddress(email) };
};

/** The dependencies of the use cases of masks as SimpleLogin's clients know them. */
export type AliasContext = ServerContext & ReadAliasDeps;

const withBadRequests = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work;
  } catch (error) {
    throw asBadRequest(error);
  }
};

/** Prepares a mask; without a note it is called after its site, or else after its address. */
const make = async (
  context: AliasContext,
  auth: AuthContext,
  { hostname, note }: NewAliasFields,
  more: Partial<NewMask>,
  offered?: OfferedAddress,
): Promise<Write<NewAlias>> => {
  const text = note ?? "";
  const site = siteOf(hostname, text);
  const madeFor = site && registrableDomain(site);
  const { description, ...fields } = fieldsOfNote(text);
  const newMask = NewMask.decode({
    ...fields,
    // The mask is called after its address where there is nothing else.
    description: description || madeFor || "none",
    madeFor,
    ...more,
  });
  if (newMask._tag === "Left") {
    const errors = describeFieldErrors(newMask.left);
    throw new UseCaseError("invalid", errors[0]?.message ?? "The request could not be read.", { errors });
  }
  const named = { ...newMask.right, description: description || madeFor };
  const write = await withBadRequests(createMask(context, auth, named, offered?.email));
  return async (tx) => {
    const mask = await withBadRequests(write(tx));
    if (offered && !(await takeOnce(tx, offered.use))) throw suffixUsed();
    const alias = await readAlias(tx, context, auth, mask);
    return { ...alias, alias: alias.email };
  };
};

const edit = async <A>(
  context: AliasContext,
  auth: AuthContext,
  { id, change }: { readonly id: string; readonly change: MaskEdit },
  answer: A,
): Promise<Write<A>> => {
  const write = await withBadRequests(editMask(context, auth, { id, edit: change, baseVersion: null }));
  return async (tx) => {
    await withBadRequests(write(tx));
    return answer;
  };
};

/** Prepares a mask with an address that the server chooses. */
export const makeRandomAlias = async (
  context: AliasContext,
  auth: AuthContext,
  { mode, ...fields }: NewAliasFields & { readonly mode: string | undefined },
): Promise<Write<NewAlias>> => {
  const format = formatOfMode(mode);
  return make(context, auth, fields, format ? { format } : {});
};

/** Prepares a mask with a suffix that was offered; returns "expired" for one that was offered too long ago. */
export const makeCustomAlias = async (
  context: AliasContext,
  auth: AuthContext,
  { prefix, signedSuffix, mailboxes, ...fields }: CustomAlias,
): Promise<Write<NewAlias> | "expired"> => {
  const offered = readSignedSuffix(context, auth.userId, signedSuffix);
  if (offered === "expired") return offered;
  if (offered === null)
    throw fieldError("invalid", "signed_suffix", "This suffix was not offered. Load the options again.");
  const { suffix, use } = offered;
  const destinations =
    mailboxes === undefined
      ? undefined
      : await confirmedAddresses(context.database.db, auth.userId, mailboxes);
  const email = `${prefix.toLowerCase()}${suffix}`;
  const domain = toDomainName(domainOf(email));
  if (domain === null) throw fieldError("invalid", "signed_suffix", "Load the options again.");
  const isOwn = !isSameDomain(domain, context.config.maskDomain);
  const address = isOwn ? { localPart: prefix } : { customPrefix: prefix };
  const more = { domain, ...address, ...(destinations && { destinations }) };
  return make(context, auth, fields, more, isOwn ? undefined : { email, use });
};

/** Returns what a new address can be; the mask that there is for the site only to a token that may read masks. */
export const aliasOptions = async (
  context: AliasContext,
  { userId, token }: AuthContext,
  hostname: string | undefined,
): Promise<AliasOptions> => {
  const { db } = context.database;
  const user = await getUser(db, userId);
  const host = hostNameIn(hostname ?? "");
  const site = host === null ? "" : registrableDomain(host);
  const suffixes = await offerSuffixes(db, context, user, token);
  const { masks } = limitsOf[parseTier(user.tier)];
  const mayRead = site !== "" && token?.scopes.includes("masks:read") === true;
  const known = mayRead ? await findMadeForSite(db, userId, site) : undefined;
  return {
    can_create: suffixes.length > 0 && (masks === null || user.mask_count < masks),
    prefix_suggestion: prefixOf(site),
    suffixes,
    ...(known !== undefined && { recommendation: { alias: known, hostname: hostname ?? "" } }),
  };
};

export const listAliases = async (
  context: AliasContext,
  auth: AuthContext,
  { page, ...filter }: AliasQuery,
): Promise<readonly SimpleLoginAlias[]> => {
  const { masks } = await listMaskPage(context, auth.userId, { ...filter, page: page + 1, size: pageSize });
  return readAliases(
    context.database.db,
    context,
    auth,
    masks.map(({ mask }) => mask),
  );
};

export const getAlias = async (
  context: AliasContext,
  auth: AuthContext,
  number: string,
): Promise<SimpleLoginAlias> => {
  const { db } = context.database;
  const row = await getMask(db, auth.userId, await maskIdOf(db, auth.userId, number));
  return readAlias(db, context, auth, toMask(row, context.senderLists));
};

/** Prepares to change what a client names of a mask. */
export const editAlias = async (
  context: AliasContext,
  auth: AuthContext,
  number: string,
  change: AliasChange,
): Promise<Write<{ readonly ok: true }>> => {
  if (Object.keys(change).length === 0)
    throw new UseCaseError("invalid", "Name what to change: note, mailbox_ids or pinned.");
  const { userId } = auth;
  const { db } = context.database;
  const id = await maskIdOf(db, userId, number);
  const { email } = await getMask(db, userId, id);
  const {
    note,
    pinned,
    mailbox_id: one,
    mailbox_ids: several = one === undefined ? undefined : [one],
  } = change;
  const destinations = several && (await confirmedAddresses(db, userId, several));
  const edited = {
    ...(note !== undefined && fieldsOfMask(note ?? "", email)),
    ...(pinned !== undefined && { pinned }),
    ...(destinations && { destinations }),
  };
  return edit(context, auth, { id, change: edited }, { ok: true });
};

/** Prepares to switch a mask on where it is off, and off where it is on. */
export const toggleAlias = async (
  context: AliasContext,
  auth: AuthContext,
  number: string,
): Promise<Write<{ readonly enabled: boolean }>> => {
  const { db } = context.database;
  const id = await maskIdOf(db, auth.userId, number);
  const row = await getMask(db, auth.userId, id);
  const enabled = !isActive(toMask(row, context.senderLists));
  return edit(context, auth, { id, change: { active: enabled } }, { enabled });
};

export const removeAlias = async (
  context: AliasContext,
  tx: Db,
  auth: AuthContext,
  number: string,
): Promise<{ readonly deleted: true }> => {
  await trashMask(context, tx, auth, await maskIdOf(tx, auth.userId, number));
  return { deleted: true };
};
