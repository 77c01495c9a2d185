import type { CreateFeature } from "../../context/feature.ts";
import { type CompatibleApi, compatibleRoutes } from "../../platform/http/compatibleApi.ts";
import type { ErrorReply } from "../../platform/http/httpError.ts";
import { accountRoutes } from "./addyAccountRoutes.ts";
import { aliasRoutes } from "./addyAliasRoutes.ts";

/** The clients' names of fields that our use cases name otherwise. */
const fieldNames: Readonly<Record<string, string>> = {
  localPart: "local_part",
  customPrefix: "local_part",
  destinations: "recipient_ids",
  forwardTo: "recipient_ids",
  madeFor: "description",
  "": "body",
};

const toErrors = (errors: ErrorReply["body"]["errors"] = []): Readonly<Record<string, readonly string[]>> => {
  const byField = Map.groupBy(errors, ({ field }) => fieldNames[field] ?? field);
  return Object.fromEntries([...byField].map(([field, all]) => [field, all.map(({ message }) => message)]));
};

/** Statuses that stand for a field that cannot be used, which clients know as one. */
const ofFields = new Set([400, 409]);

/** Its clients compare the text of a 401, and show the first message of `errors`. */
const addyApi: CompatibleApi = {
  prefix: "/api/v1/",
  toError: ({ status, body: { message, errors } }) => {
    if (status === 401) return { status, body: { message: "Unauthenticated." } };
    if (ofFields.has(status) && errors !== undefined)
      return { status: 422, body: { message, errors: toErrors(errors) } };
    return { status: status === 402 ? 403 : status, body: { message } };
  },
};

/** addy.io's API, for its clients. */
export const addyFeature: CreateFeature = (context) => ({
  compatibleApi: addyApi,
  routes: [compatibleRoutes(context.authGuard, [...accountRoutes(context), ...aliasRoutes(context)])],
});
