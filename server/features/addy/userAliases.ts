import { fieldErrorsOf } from "../../../core/api/fieldErrors.ts";
import type { BulkChange } from "../../../core/bulk/bulkChange.ts";
import { type DomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { descriptionOfAddress, type MaskEdit, type NewMask } from "../../../core/masks/mask.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { getUser } from "../../platform/store/users.ts";
import { createChangeMasks } from "../bulk/bulkChange.ts";
import { mayKnowDestinations } from "../destinations/defaultDestination.ts";
import { findDefaultAddress } from "../destinations/destinationQueries.ts";
import { maskNotFound } from "../maskChanges/maskChanges.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { createCreateMask } from "../masks/createMask.ts";
import { createEditMask } from "../masks/editMask.ts";
import { createMaskPages, type PagedMask, readPagedMasks } from "../masks/list/maskPages.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { createUserTrash } from "../trash/userTrash.ts";
import { findRecipients } from "./accountQueries.ts";
import { parseAliasQuery, toPage } from "./aliasPage.ts";
import { type Alias, fieldsOfDescription, fieldsOfNewAlias, toAlias } from "./contract/alias.ts";
import {
  type AliasPage,
  type Changed,
  ChosenName,
  type ListParams,
  type NewAlias,
} from "./contract/aliasEndpoints.ts";
import { toMaskFormat } from "./contract/aliasFormat.ts";

interface SingleAlias {
  readonly data: Alias;
}

/** Forgets the result, which the caller records by itself. */
const passOn = async <A>(_db: Db, answer: A): Promise<A> => answer;

/** Returns a mask as a program may know it: one that only makes masks is not told where their mail goes. */
const aliasFor = (auth: AuthContext, paged: PagedMask): Alias =>
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

/** What became of several masks in words. */
const toChanged = (ids: readonly string[], done: string): Changed => ({
  message: `${ids.length} ${ids.length === 1 ? "alias" : "aliases"} ${done} successfully`,
  ids,
});

/** Creates the use cases of masks as addy.io's clients know them, of those of the server. */
export const createUserAliases = (context: ServerContext) => {
  const { database, clock, config } = context;
  const { db } = database;
  const createMask = createCreateMask(context);
  const editMask = createEditMask(context);
  const changeMasks = createChangeMasks(context);
  const trash = createUserTrash(context);
  const pages = createMaskPages(context);

  const readAlias = async (tx: Db, auth: AuthContext, id: string): Promise<SingleAlias> => {
    const [paged] = await readPagedMasks(tx, context, auth.userId, [id]);
    if (!paged) throw maskNotFound();
    return { data: aliasFor(auth, paged) };
  };

  const find = async ({ userId }: AuthContext, id: string): Promise<PagedMask> => {
    const paged = await pages.find(userId, id);
    if (!paged) throw maskNotFound();
    return paged;
  };

  /** Returns the addresses of confirmed destinations by their ids; the usual one for none. */
  const addressesOf = async (userId: string, ids: readonly string[]): Promise<readonly string[]> => {
    if (ids.length === 0)
      return [(await findDefaultAddress(db, userId)) ?? (await getUser(db, userId)).email];
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
  const domainOf = async ({ userId, token }: AuthContext, asked: string): Promise<DomainName> => {
    const name = toDomainName(asked.trim());
    const own = await findDomainsForNewMasks(db, userId, clock.now());
    const options = [...own.map((domain) => domain.name), config.maskDomain];
    if (name !== null && options.some((option) => isSameDomain(option, name))) return name;
    const allowed = token?.domain ? [token.domain] : options;
    throw fieldError("invalid", "domain", `The domain must be one of ${allowed.join(", ")}.`);
  };

  /** Returns what the address of a new mask is made of. */
  const addressOf = async (
    auth: AuthContext,
    { domain: asked, format, local_part: localPart }: NewAlias,
  ): Promise<Pick<NewMask, "domain" | "localPart" | "format">> => {
    const domain = await domainOf(auth, asked);
    if (format === undefined || format === null) return { domain };
    if (format !== "custom") {
      const { maskFormat } = chosenFormat(await getUser(db, auth.userId));
      return { domain, format: toMaskFormat(format, maskFormat) };
    }
    if (isSameDomain(domain, config.maskDomain))
      throw fieldError(
        "invalid",
        "format",
        `Names of your own are possible at your own domains. At ${domain}, choose another format.`,
      );
    return { domain, localPart: parseLocalPart(localPart) };
  };

  const edit = async (
    auth: AuthContext,
    id: string,
    change: MaskEdit,
    recordAnswer: RecordAnswer<SingleAlias>,
  ): Promise<SingleAlias> => {
    let answer: SingleAlias | undefined;
    await editMask(auth, { id, edit: change, baseVersion: null }, async (tx, mask) => {
      answer = await recordAnswer(tx, await readAlias(tx, auth, id));
      return mask;
    });
    return answer ?? readAlias(db, auth, id);
  };

  /** Changes several masks at once; throws why when none could be changed. */
  const changeAll = async (
    auth: AuthContext,
    ids: readonly string[],
    change: BulkChange,
  ): Promise<readonly string[]> => {
    const results = await changeMasks(auth, { ids, change }, async (_tx, all) => all);
    const changed = results.flatMap(({ id, refusal }) => (refusal === null ? [id] : []));
    const refusals = results.flatMap(({ refusal }) => refusal ?? []);
    if (changed.length === 0)
      throw refusals.find(({ kind }) => kind !== "missing") ?? refusals[0] ?? maskNotFound();
    return changed;
  };

  /** Deletes masks for good, those of the trash and others; returns those that there were. */
  const forgetAll = async (auth: AuthContext, ids: readonly string[]): Promise<readonly string[]> => {
    const found = await pages.findAll(auth.userId, withoutDoubles(ids));
    const live = found.flatMap(({ mask, deletedAt }) => (deletedAt === null ? [mask.id] : []));
    if (live.length > 0) await changeAll(auth, live, { kind: "delete" });
    for (const { mask } of found) await trash.remove(auth, mask.id, async () => {});
    return found.map(({ mask }) => mask.id);
  };

  return {
    make: async (
      auth: AuthContext,
      body: NewAlias,
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => {
      const { userId } = auth;
      const recipients = body.recipient_ids ?? [];
      const newMask: NewMask = {
        ...fieldsOfNewAlias(body.description ?? ""),
        ...(await addressOf(auth, body)),
        ...(recipients.length > 0 && { destinations: await addressesOf(userId, recipients) }),
      };
      let answer: SingleAlias | undefined;
      const mask = await createMask(auth, newMask, async (tx, made) => {
        answer = await recordAnswer(tx, await readAlias(tx, auth, made.id));
        return made;
      });
      return answer ?? readAlias(db, auth, mask.id);
    },

    list: async (auth: AuthContext, params: ListParams): Promise<AliasPage> => {
      const { userId } = auth;
      const query = parseAliasQuery(params);
      const own = query.domain === undefined ? [] : await findDomainsForNewMasks(db, userId, clock.now());
      const { domain: asked } = query;
      const domain = own.find(({ id }) => id === asked)?.name ?? (asked && (toDomainName(asked) ?? asked));
      // Nobody has a second user name here, so that nothing belongs to one.
      const isNone = (params.username ?? "") !== "";
      const { masks, total } = isNone
        ? { masks: [], total: 0 }
        : await pages.list(userId, { ...query, domain, isCounted: true });
      return toPage({
        address: `${config.publicUrl}/api/v1/aliases`,
        params,
        query,
        total: total ?? 0,
        data: masks.map((paged) => aliasFor(auth, paged)),
      });
    },

    get: async (auth: AuthContext, id: string): Promise<SingleAlias> => ({
      data: aliasFor(auth, await find(auth, id)),
    }),

    getAll: async (
      auth: AuthContext,
      ids: readonly string[],
    ): Promise<{ readonly data: readonly Alias[] }> => ({
      data: (await pages.findAll(auth.userId, withoutDoubles(ids))).map((paged) => aliasFor(auth, paged)),
    }),

    describe: async (
      auth: AuthContext,
      id: string,
      description: string | null | undefined,
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => {
      const { mask } = await find(auth, id);
      if (description === undefined) return edit(auth, id, {}, recordAnswer);
      const fields = fieldsOfDescription(description ?? "");
      const change = { ...fields, description: fields.description || descriptionOfAddress(mask.maskEmail) };
      return edit(auth, id, change, recordAnswer);
    },

    setActive: async (
      auth: AuthContext,
      id: string,
      active: boolean,
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => {
      const { deletedAt } = await find(auth, id);
      if (active && deletedAt !== null)
        throw fieldError("invalid", "id", "Restore this alias before you activate it.");
      return edit(auth, id, { active }, recordAnswer);
    },

    setPinned: (
      auth: AuthContext,
      id: string,
      pinned: boolean,
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => edit(auth, id, { pinned }, recordAnswer),

    setRecipients: async (
      auth: AuthContext,
      id: string,
      recipientIds: readonly string[],
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => {
      const destinations = await addressesOf(auth.userId, recipientIds);
      return edit(auth, id, { destinations }, recordAnswer);
    },

    remove: (auth: AuthContext, id: string, recordAnswer: RecordAnswer<void>): Promise<void> =>
      trash.add(auth, id, recordAnswer),

    forget: async (auth: AuthContext, id: string): Promise<void> => {
      if ((await forgetAll(auth, [id])).length === 0) throw maskNotFound();
    },

    restore: async (
      auth: AuthContext,
      id: string,
      recordAnswer: RecordAnswer<SingleAlias>,
    ): Promise<SingleAlias> => {
      const paged = await find(auth, id);
      if (paged.deletedAt === null) return { data: aliasFor(auth, paged) };
      let answer: SingleAlias | undefined;
      await trash.restore(auth, id, async (tx, mask) => {
        answer = await recordAnswer(tx, await readAlias(tx, auth, id));
        return mask;
      });
      return answer ?? readAlias(db, auth, id);
    },

    changeAll: async (
      auth: AuthContext,
      ids: readonly string[],
      change: BulkChange,
      done: string,
    ): Promise<Changed> => toChanged(await changeAll(auth, ids, change), done),

    forgetAll: async (auth: AuthContext, ids: readonly string[]): Promise<Changed> => {
      const forgotten = await forgetAll(auth, ids);
      if (forgotten.length === 0) throw maskNotFound();
      return toChanged(forgotten, "forgotten");
    },

    setRecipientsOfAll: async (
      auth: AuthContext,
      ids: readonly string[],
      recipientIds: readonly string[],
    ): Promise<Changed> => {
      const destinations = await addressesOf(auth.userId, recipientIds);
      const changed: string[] = [];
      for (const id of withoutDoubles(ids)) {
        const isChanged = await editMask(
          auth,
          { id, edit: { destinations }, baseVersion: null },
          passOn,
        ).then(
          () => true,
          (error: unknown) => {
            if (error instanceof UseCaseError && error.kind === "missing") return false;
            throw error;
          },
        );
        if (isChanged) changed.push(id);
      }
      if (changed.length === 0) throw maskNotFound();
      return {
        ...toChanged(changed, "changed"),
        message: `Recipients updated for ${changed.length} aliases successfully`,
      };
    },
  };
};

export type UserAliases = ReturnType<typeof createUserAliases>;
