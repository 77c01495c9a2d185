import { type CompatibleApi, compatibleRoutes } from "../../platform/http/compatibleApi.ts";
import type { CreateFeature } from "../feature.ts";
import { accountRoutes } from "./accountRoutes.ts";

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
  routes: [compatibleRoutes(accountRoutes(context))],
});
