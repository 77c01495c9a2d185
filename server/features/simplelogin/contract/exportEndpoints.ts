import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { UserInfo } from "./simpleLoginAccountEndpoints.ts";

/** The user's masks as a file that SimpleLogin imports: CSV, not JSON. */
export const getExportedAliases = endpoint("GET", "/api/export/aliases", {
  tokens: "masks:read",
  answer: t.string,
});

/** The user's masks and domains. There are no apps here. */
export const getExportedData = endpoint("GET", "/api/export/data", {
  tokens: "masks:read",
  answer: t.type({
    /** Empty for a token without the scope account:read. */
    email: t.string,
    name: t.string,
    aliases: t.readonlyArray(t.type({ email: t.string, enabled: t.boolean })),
    apps: t.readonlyArray(t.string),
    custom_domains: t.readonlyArray(t.string),
    app_info: UserInfo,
  }),
});
