import { writeCsv } from "../../../core/kernel/csv.ts";
import { isActive, type Mask } from "../../../core/masks/mask.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { type CompatibleRoute, signedIn } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { findDomains } from "../domains/domainQueries.ts";
import { findMasks, toMask } from "../masks/maskQueries.ts";
import { getExportedAliases, getExportedData } from "./contract/exportEndpoints.ts";
import { noteOf } from "./contract/simpleLoginAlias.ts";
import { readUserInfo } from "./userInfo.ts";

const toRecord = (mask: Mask): readonly string[] => [
  mask.maskEmail,
  noteOf(mask) ?? "",
  isActive(mask) ? "True" : "False",
  (mask.destinations ?? [mask.forwardTo]).join(" "),
];

const limited = { perMinute: perMinute.signIn };

/** Returns the routes of the calls that export a user's masks. */
export const exportRoutes = ({
  database: { db },
  senderLists,
}: FeatureContext): readonly CompatibleRoute[] => {
  const read = async (userId: string): Promise<readonly Mask[]> =>
    (await findMasks(db, userId)).map((row) => toMask(row, senderLists));

  return [
    signedIn(getExportedAliases, { ...limited, type: "text/csv" }, async ({ auth, reply }) => {
      const records = (await read(auth.userId)).map(toRecord);
      reply.header("content-disposition", 'attachment; filename="aliases.csv"');
      return writeCsv([["alias", "note", "enabled", "mailboxes"], ...records]);
    }),
    signedIn(getExportedData, limited, async ({ auth }) => {
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
    }),
  ];
};
