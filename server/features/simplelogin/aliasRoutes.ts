import type { FastifyInstance } from "fastify";
import type { FeatureContext } from "../../context/feature.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { HttpError } from "../../platform/http/httpError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import type { Write } from "../../platform/store/database.ts";
import { addContact, listActivities, listContacts, removeContact, toggleContact } from "./aliasContacts.ts";
import type { NewAlias } from "./contract/alias.ts";
import * as endpoints from "./contract/aliasEndpoints.ts";
import type { AliasContext, AliasQuery } from "./userAliases.ts";
import * as aliases from "./userAliases.ts";

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
    throw new HttpError(412, "This suffix was offered more than ten minutes ago. Load the options again.");
  return made;
};

const customOf = ({ hostname }: { readonly hostname?: string | undefined }, body: endpoints.ChosenAlias) => ({
  hostname,
  prefix: body.alias_prefix,
  signedSuffix: body.signed_suffix,
  note: body.note,
});

/** Registers the calls about masks, their correspondents and their mail, each limited to the token's owner. */
export const aliasRoutes =
  (context: FeatureContext & AliasContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    const { db } = context.database;
    const limited = { perMinute: perMinute.masks };
    const creates = { ...limited, addsData: true } as const;

    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postRandomAlias,
      ({ auth, params: { hostname, mode }, body: { note } }) =>
        aliases.makeRandomAlias(context, auth, { hostname, mode, note }),
      creates,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postCustomAlias,
      async ({ auth, params, body }) => {
        const asked = { ...customOf(params, body), mailboxes: body.mailbox_ids };
        return assertNotExpired(await aliases.makeCustomAlias(context, auth, asked));
      },
      creates,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postCustomAliasV2,
      async ({ auth, params, body }) => {
        const asked = { ...customOf(params, body), mailboxes: undefined };
        return assertNotExpired(await aliases.makeCustomAlias(context, auth, asked));
      },
      creates,
    );
    routeSignedIn(fastify, authGuard, endpoints.getAliasOptions, ({ auth, params }) =>
      aliases.aliasOptions(context, auth, params.hostname),
    );
    routeSignedIn(fastify, authGuard, endpoints.getAliasOptionPairs, async ({ auth, params }) => {
      const options = await aliases.aliasOptions(context, auth, params.hostname);
      return {
        ...options,
        suffixes: options.suffixes.map(({ suffix, signed_suffix: signed }): [string, string] => [
          suffix,
          signed,
        ]),
      };
    });
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAliases,
      async ({ auth, params }) => ({
        aliases: await aliases.listAliases(context, auth, {
          page: parsePage(params.page_id),
          ...filterOf(params),
        }),
      }),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postAliasSearch,
      async ({ auth, params, body }) => ({
        aliases: await aliases.listAliases(context, auth, {
          page: parsePage(params.page_id),
          ...filterOf(params),
          search: body.query?.trim().slice(0, 500) ?? "",
        }),
      }),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getAlias,
      ({ auth, params }) => aliases.getAlias(context, auth, params.id),
      limited,
    );
    for (const endpoint of [endpoints.putAlias, endpoints.patchAlias])
      routePreparedWrite(
        fastify,
        authGuard,
        endpoint,
        ({ auth, params, body }) => aliases.editAlias(context, auth, params.id, body),
        limited,
      );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteAlias,
      ({ tx, auth, params }) => aliases.removeAlias(context, tx, auth, params.id),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postAliasToggle,
      ({ auth, params }) => aliases.toggleAlias(context, auth, params.id),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getActivities,
      async ({ auth, params }) => ({
        activities: await listActivities(context, db, auth.userId, {
          number: params.id,
          page: parsePage(params.page_id),
        }),
      }),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getContacts,
      async ({ auth, params }) => ({
        contacts: await listContacts(context, db, auth.userId, {
          number: params.id,
          page: parsePage(params.page_id),
        }),
      }),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postContact,
      ({ tx, auth, params, body }) =>
        addContact(context, tx, auth.userId, { number: params.id, text: body.contact }),
      { ...limited, addsData: true, statusOf: ({ existed }) => (existed ? 200 : 201) },
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postContactToggle,
      ({ tx, auth, params }) => toggleContact(context, tx, auth.userId, params.id),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteContact,
      ({ tx, auth, params }) => removeContact(context, tx, auth.userId, params.id),
      limited,
    );
  };
