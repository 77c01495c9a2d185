import type { FastifyInstance } from "fastify";
import { writeCsv } from "../../../core/kernel/csv.ts";
import { isActive, type Mask } from "../../../core/masks/mask.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { findDomains } from "../domains/domainQueries.ts";
import { findMasks, toMask } from "../masks/maskQueries.ts";
import { noteOf } from "./contract/alias.ts";
import { getExportedAliases, getExportedData } from "./contract/exportEndpoints.ts";
import { readUserInfo } from "./userInfo.ts";

const toRecord = (mask: Mask): readonly string[] => [
  mask.maskEmail,
  noteOf(mask) ?? "",
  isActive(mask) ? "True" : "False",
  (mask.destinations ?? [mask.forwardTo]).join(" "),
];

/** Registers the calls that export a user's masks. */
export const exportRoutes =
  ({ database: { db }, senderLists, authGuard }: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.signIn };
    const read = async (userId: string): Promise<readonly Mask[]> =>
      (await findMasks(db, userId)).map((row) => toMask(row, senderLists));

    routeSignedIn(
      fastify,
      authGuard,
      getExportedAliases,
      async ({ auth, reply }) => {
        const records = (await read(auth.userId)).map(toRecord);
        reply.header("content-disposition", 'attachment; filename="aliases.csv"');
        return writeCsv([["alias", "note", "enabled", "mailboxes"], ...records]);
      },
      { ...limited, type: "text/csv" },
    );
    routeSignedIn(
      fastify,
      authGuard,
      getExportedData,
      async ({ auth }) => {
        const user = await readUserInfo(db, auth);
        const masks = await read(auth.userId);
        const domains = await findDomains(db, auth.userId);
        return {
          email: user.email,
          name: user.name,
          aliases: masks.map((mask) => ({ email: mask.maskEmail, enabled: isActive(mask) })),
          apps: [],
          custom_domains: domains.map(({ name }) => name),
          app_info: user,
        };
      },
      limited,
    );
  };
