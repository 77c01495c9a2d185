import type { ServerContext } from "../../context/serverContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { deleteDerivedData } from "./derivedData.ts";
import { countNewMailsWithin } from "./newMails.ts";

/** The functions that insights offer to other features. */
export interface InsightServices {
  /** Deletes all that was derived from the content of a user's mail, in the transaction that withdraws their consent. */
  readonly forgetContent: (db: Db, userId: string) => Promise<void>;
}

/** Creates what insights offer to other features. */
export const createInsightServices = ({ database }: Pick<ServerContext, "database">): InsightServices => ({
  forgetContent: async (db, userId) => {
    // What was derived from new mails can only be deleted once they are counted.
    await countNewMailsWithin(database, db);
    await deleteDerivedData(db, [userId]);
  },
});

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly insights: InsightServices;
  }
}
