import { archiveRoutes } from "../archive/archiveRoutes.ts";
import type { Config } from "../config/config.ts";
import { contentAccessRoutes } from "../contentAccess/contentAccessRoutes.ts";
import { makeUserContentAccess } from "../contentAccess/userContentAccess.ts";
import { insightsRoutes } from "../insights/insightsRoutes.ts";
import { makeUserInsights } from "../insights/userInsights.ts";
import { keyRoutes } from "../keys/keyRoutes.ts";
import { makeUserKeys } from "../keys/userKeys.ts";
import { webKeyDirectory } from "../keys/webKeyDirectory.ts";
import { confirmRoutes } from "../masks/confirmRoutes.ts";
import { maskRoutes } from "../masks/maskRoutes.ts";
import { notificationRoutes } from "../notifications/notificationRoutes.ts";
import type { Ground } from "./ground.ts";

const hostOf = (model: Config["aiModel"]): string | null => (model ? new URL(model.url).host : null);

/** Masks, and everything that is known of their mail. */
export const mailRoutes = (ground: Ground, { aiModel }: Pick<Config, "aiModel">) => [
  maskRoutes(ground),
  confirmRoutes(ground),
  keyRoutes({ ...ground, keys: makeUserKeys(ground) }),
  webKeyDirectory(ground),
  notificationRoutes(ground),
  insightsRoutes({ ...ground, insights: makeUserInsights(ground) }),
  contentAccessRoutes({
    ...ground,
    access: makeUserContentAccess({ ...ground, externalModel: hostOf(aiModel) }),
  }),
  archiveRoutes(ground),
];
