import type { CreateFeature } from "../../context/feature.ts";
import { type CompatibleApi, compatibleRoutes } from "../../platform/http/compatibleApi.ts";
import { ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { customDomainRoutes } from "./customDomainRoutes.ts";
import { exportRoutes } from "./exportRoutes.ts";
import { mailboxRoutes } from "./mailboxRoutes.ts";
import { pageRoutes } from "./pageRoutes.ts";
import { settingRoutes } from "./settingRoutes.ts";
import { accountRoutes } from "./simpleLoginAccountRoutes.ts";
import { aliasRoutes } from "./simpleLoginAliasRoutes.ts";
import { notificationRoutes } from "./simpleLoginNotificationRoutes.ts";

/** Clients show a text of their own for a 401; some compare this one. */
const wrongKey = "Wrong api key";

/** Its clients read the sentence in `error`; the further fields are ours. */
const simpleLoginApi: CompatibleApi = {
  prefix: "/api/",
  toError: ({ status, body: { message, ...more } }) => ({
    status,
    body: status === 401 ? { error: wrongKey, message } : { ...more, error: message },
  }),
};

/** SimpleLogin's API, for its clients. */
export const simpleLoginFeature: CreateFeature = (context) => ({
  compatibleApi: simpleLoginApi,
  routes: [
    compatibleRoutes(context.authGuard, [
      ...accountRoutes(context),
      ...aliasRoutes({ ...context, reverseAddresses: new ReverseAddresses(context) }),
      ...mailboxRoutes(context),
      ...settingRoutes(context),
      ...customDomainRoutes(context),
      ...notificationRoutes(context),
      ...exportRoutes(context),
    ]),
    pageRoutes(context.config.publicUrl),
  ],
});
