import type { CreateFeature } from "../../context/feature.ts";
import type { Database } from "../../platform/store/database.ts";
import { hasRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailFact } from "../../relay/mailPart.ts";
import { confirmationRoutes } from "./confirmationRoutes.ts";
import { destinationKeyRoutes } from "./destinationKeyRoutes.ts";
import { listConfirmedAddresses } from "./destinationQueries.ts";
import { destinationRoutes } from "./destinationRoutes.ts";

/** Creates the fact of which addresses a user has confirmed: rules send to no other (D33). */
const createConfirmedAddresses = ({ db }: Pick<Database, "db">): MailFact => ({
  isNeeded: ({ rules }) => hasRules(rules),
  read: async (_, { userId }) => ({ confirmed: await listConfirmedAddresses(db, userId) }),
});

/** The addresses that masks forward to. */
export const destinationsFeature: CreateFeature = (context) => ({
  mail: { facts: [createConfirmedAddresses(context.database)] },
  routes: [
    destinationRoutes({ deps: context, authGuard: context.authGuard }),
    destinationKeyRoutes(context),
    confirmationRoutes(context),
  ],
});
