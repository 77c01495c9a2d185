import type { Database } from "../../platform/store/database.ts";
import { hasRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailFact } from "../../relay/mailPart.ts";
import { listConfirmedAddresses } from "./destinationQueries.ts";

/** Creates the fact of which addresses a user has confirmed: rules send to no other (D33). */
export const createConfirmedAddresses = ({ db }: Pick<Database, "db">): MailFact => ({
  isNeeded: ({ rules }) => hasRules(rules),
  read: async (_, { userId }) => ({ confirmed: await listConfirmedAddresses(db, userId) }),
});
