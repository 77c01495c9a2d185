import { fieldError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, preparedWrite, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { HttpError } from "../../platform/http/httpError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import type { Write } from "../../platform/store/database.ts";
import { addContact, listActivities, listContacts, removeContact, toggleContact } from "./aliasContacts.ts";
import type { NewAlias } from "./contract/simpleLoginAlias.ts";
import * as endpoints from "./contract/simpleLoginAliasEndpoints.ts";
import { suffixMinutes } from "./offeredSuffixes.ts";
import type { AliasContext, AliasQuery } from "./userSimpleLoginAliases.ts";
import * as aliases from "./userSimpleLoginAliases.ts";

const maxPage = 100_000;

const parsePage = (text: string | undefined): number => {
  const page = /^\d{1,6}$/.test(text ?? "") ? Number(text) : maxPage + 1;
  if (page <= maxPage) return page;
  throw fieldError("invalid", "page_id", "page_id must be provided in request query, from 0.");
};

interface ListParams {
  readonly page_id?: string | undefined;
  readonly pinned?: string | undefined;
  readonly disabled?: string | undefined;
  readonly enabled?: string | undefined;
}

/** A filter counts when it is named, whatever its value; a client that sends all of them names the others as false. */
const filterOf = (params: ListParams): Pick<AliasQuery, "isActive" | "isPinned"> => {
  const isNamed = (value: string | undefined): boolean =>
    value !== undefined && !/^(?:false|0)$/i.test(value);
  if (isNamed(params.pinned)) return { isPinned: true };
  if (isNamed(params.disabled)) return { isActive: false };
  return isNamed(params.enabled) ? { isActive: true } : {};
};

const assertNotExpired = (made: Write<NewAlias> | "expired"): Write<NewAlias> => {
  if (made === "expired")
    throw new HttpError(
      412,
      `This suffix was offered more than ${suffixMinutes} minutes ago. Load the options again.`,
    );
  return made;
};

const customOf = ({ hostname }: { readonly hostname?: string | undefined }, body: endpoints.ChosenAlias) => ({
  hostname,
  prefix: body.alias_prefix,
  signedSuffix: body.signed_suffix,
  note: body.note,
});

const limited = { perMinute: perMinute.masks };
const creates = { ...limited, addsData: true } as const;

const creatingRoutes = (context: AliasContext): readonly CompatibleRoute[] => [
  preparedWrite(endpoints.postRandomAlias, creates, ({ auth, params: { hostname, mode }, body }) =>
    aliases.makeRandomAlias(context, auth, { hostname, mode, note: body.note }),
  ),
  preparedWrite(endpoints.postCustomAlias, creates, async ({ auth, params, body }) => {
    const asked = { ...customOf(params, body), mailboxes: body.mailbox_ids };
    return assertNotExpired(await aliases.makeCustomAlias(context, auth, asked));
  }),
  preparedWrite(endpoints.postCustomAliasV2, creates, async ({ auth, params, body }) => {
    const asked = { ...customOf(params, body), mailboxes: undefined };
    return assertNotExpired(await aliases.makeCustomAlias(context, auth, asked));
  }),
  signedIn(endpoints.getAliasOptions, {}, ({ auth, params }) =>
    aliases.aliasOptions(context, auth, params.hostname),
  ),
  signedIn(endpoints.getAliasOptionPairs, {}, async ({ auth, params }) => {
    const options = await aliases.aliasOptions(context, auth, params.hostname);
    return {
      ...options,
      suffixes: options.suffixes.map(({ suffix, signed_suffix: signed }): [string, string] => [
        suffix,
        signed,
      ]),
    };
  }),
];

const existingRoutes = (context: AliasContext): readonly CompatibleRoute[] => [
  signedIn(endpoints.getAliases, limited, async ({ auth, params }) => ({
    aliases: await aliases.listAliases(context, auth, {
      page: parsePage(params.page_id),
      ...filterOf(params),
    }),
  })),
  signedIn(
    endpoints.postAliasSearch,
    { ...limited, answerStored: "afterwards" },
    async ({ auth, params, body }) => ({
      aliases: await aliases.listAliases(context, auth, {
        page: parsePage(params.page_id),
        ...filterOf(params),
        search: body.query?.trim().slice(0, 500) ?? "",
      }),
    }),
  ),
  signedIn(endpoints.getAlias, limited, ({ auth, params }) => aliases.getAlias(context, auth, params.id)),
  ...[endpoints.putAlias, endpoints.patchAlias].map((endpoint) =>
    preparedWrite(endpoint, limited, ({ auth, params, body }) =>
      aliases.editAlias(context, auth, params.id, body),
    ),
  ),
  write(endpoints.deleteAlias, limited, ({ tx, auth, params }) =>
    aliases.removeAlias(context, tx, auth, params.id),
  ),
  preparedWrite(endpoints.postAliasToggle, limited, ({ auth, params }) =>
    aliases.toggleAlias(context, auth, params.id),
  ),
];

const contactRoutes = (context: AliasContext): readonly CompatibleRoute[] => [
  signedIn(endpoints.getActivities, limited, async ({ auth, params }) => ({
    activities: await listActivities(context, context.database.db, auth.userId, {
      number: params.id,
      page: parsePage(params.page_id),
    }),
  })),
  signedIn(endpoints.getContacts, limited, async ({ auth, params }) => ({
    contacts: await listContacts(context, context.database.db, auth.userId, {
      number: params.id,
      page: parsePage(params.page_id),
    }),
  })),
  write(
    endpoints.postContact,
    { ...creates, statusOf: ({ existed }) => (existed ? 200 : 201) },
    ({ tx, auth, params, body }) =>
      addContact(context, tx, auth.userId, { number: params.id, text: body.contact }),
  ),
  write(endpoints.postContactToggle, limited, ({ tx, auth, params }) =>
    toggleContact(context, tx, auth.userId, params.id),
  ),
  write(endpoints.deleteContact, limited, ({ tx, auth, params }) =>
    removeContact(context, tx, auth.userId, params.id),
  ),
];

/** Returns the routes of the calls about masks, their correspondents and their mail, each limited to the token's owner. */
export const aliasRoutes = (context: AliasContext): readonly CompatibleRoute[] => [
  ...creatingRoutes(context),
  ...existingRoutes(context),
  ...contactRoutes(context),
];
