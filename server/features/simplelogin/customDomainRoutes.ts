import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import type { Db } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import { findDefaultAddress } from "../destinations/destinationQueries.ts";
import { findDomain, findDomains, toDomain } from "../domains/domainQueries.ts";
import { editDomain } from "../domains/userDomains.ts";
import { entityOf, numbersOf } from "../publicNumbers/publicNumbers.ts";
import { findTrashedAt } from "./aliasQueries.ts";
import {
  type CustomDomain,
  getCustomDomains,
  getCustomDomainTrash,
  patchCustomDomain,
  toCustomDomain,
} from "./contract/customDomainEndpoints.ts";
import type { MailboxRef } from "./contract/simpleLoginAlias.ts";
import { secondsOf } from "./contract/simpleLoginValues.ts";
import { confirmedAddresses, readMailboxes } from "./numberedThings.ts";

const domainNotFound = (): UseCaseError => new UseCaseError("missing", "Domain not found");

const domainIdOf = async (db: Db, userId: string, number: string): Promise<string> => {
  const id = await entityOf(db, { userId, kind: "domain" }, number);
  if (id === undefined) throw domainNotFound();
  return id;
};

/** Returns the routes of the calls about the user's domains. */
export const customDomainRoutes = (
  context: Pick<ServerContext, "database" | "clock" | "config">,
): readonly CompatibleRoute[] => {
  const { config } = context;
  const { db } = context.database;

  const readAll = async (tx: Db, userId: string): Promise<readonly CustomDomain[]> => {
    const rows = await findDomains(tx, userId);
    const ids = rows.map(({ id }) => id);
    const numberOf = await numbersOf(tx, { userId, kind: "domain" }, ids);
    const mailboxOf = await readMailboxes(tx, userId);
    const usual = (await findDefaultAddress(tx, userId)) ?? (await getUser(tx, userId)).email;
    return rows.map((row) => {
      const mailboxes: readonly MailboxRef[] = [mailboxOf(row.destination ?? usual)];
      return toCustomDomain({
        domain: toDomain(row, config),
        id: numberOf(row.id),
        created: Number(row.created_at),
        mailboxes,
      });
    });
  };

  return [
    signedIn(getCustomDomains, {}, async ({ auth }) => ({ custom_domains: await readAll(db, auth.userId) })),
    write(
      patchCustomDomain,
      { perMinute: perMinute.masks },
      async ({ tx, auth: { userId }, params, body }) => {
        const { catch_all: catchAll, mailbox_ids: mailboxes } = body;
        const id = await domainIdOf(tx, userId, params.id);
        const [destination] = mailboxes ? await confirmedAddresses(tx, userId, mailboxes) : [];
        const change = {
          ...(catchAll !== undefined && { catchAll: catchAll ? ("all" as const) : ("off" as const) }),
          ...(destination !== undefined && { destination }),
        };
        await editDomain(context, tx, { userId, id }, change);
        const changed = (await readAll(tx, userId)).find((one) => String(one.id) === params.id);
        if (!changed) throw domainNotFound();
        return { custom_domain: changed };
      },
    ),
    signedIn(getCustomDomainTrash, {}, async ({ auth: { userId }, params }) => {
      const domain = await findDomain(db, userId, await domainIdOf(db, userId, params.id));
      if (!domain) throw domainNotFound();
      const rows = await findTrashedAt(db, userId, mailboxKey(domain.name));
      return {
        aliases: rows.map(({ email, deleted_at: deleted }) => ({
          alias: email,
          deletion_timestamp: secondsOf(Number(deleted)),
        })),
      };
    }),
  ];
};
