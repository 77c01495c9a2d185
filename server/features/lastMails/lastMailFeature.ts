import type { CreateFeature } from "../../context/feature.ts";
import { createLastMailRecord } from "./keepLastMails.ts";
import { pruneLastMails } from "./lastMailQueries.ts";
import { lastMailRoutes } from "./lastMailRoutes.ts";

/** The mails of the last day, with which rules are tested. */
export const lastMailsFeature: CreateFeature = (context) => ({
  routes: [lastMailRoutes(context)],
  mail: { records: [createLastMailRecord({ ...context, pool: context.relay.encryptionPool })] },
  prune: { pruneLastMails },
});
