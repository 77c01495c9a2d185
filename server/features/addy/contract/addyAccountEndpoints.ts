import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { OtherPages } from "./addyAliasEndpoints.ts";
import { NullableText } from "./addyValues.ts";
import { AliasFormat } from "./aliasFormat.ts";
import { Recipient } from "./recipient.ts";

/** The version of addy.io whose contract is answered; apps refuse older ones. */
export const appVersion = { version: "1.6.1", major: 1, minor: 6, patch: 1 } as const;

export const getAppVersion = endpoint("GET", "/api/v1/app-version", {
  tokens: "any",
  answer: t.type({ version: t.string, major: t.number, minor: t.number, patch: t.number }),
});

/** Returns the token's own details, by which clients check it. */
export const getTokenDetails = endpoint("GET", "/api/v1/api-token-details", {
  tokens: "any",
  answer: t.type({ name: t.string, created_at: t.string, expires_at: NullableText }),
});

/** Lists the domains at which the token makes masks. */
export const getDomainOptions = endpoint("GET", "/api/v1/domain-options", {
  tokens: "masks:create",
  answer: t.type({
    data: t.readonlyArray(t.string),
    sharedDomains: t.readonlyArray(t.string),
    defaultAliasDomain: t.string,
    defaultAliasFormat: AliasFormat,
  }),
});

const Limit = t.union([t.number, t.null]);

/** The details of an account that apps show. A limit of null, as a server of one's own has, is none. */
export const AccountDetails = t.type({
  id: t.string,
  username: t.string,
  disabled: t.boolean,
  from_name: NullableText,
  email_subject: NullableText,
  banner_location: t.string,
  bandwidth: t.number,
  username_count: t.number,
  username_limit: t.number,
  default_username_id: t.string,
  default_recipient_id: t.string,
  default_alias_domain: t.string,
  default_alias_format: AliasFormat,
  /** null tells apps that the server is one's own, so that they hide nothing behind a plan. */
  subscription: NullableText,
  subscription_type: NullableText,
  subscription_ends_at: NullableText,
  bandwidth_limit: t.number,
  recipient_count: t.number,
  recipient_limit: Limit,
  active_domain_count: t.number,
  active_domain_limit: Limit,
  active_shared_domain_alias_count: t.number,
  active_shared_domain_alias_limit: Limit,
  active_rule_count: t.number,
  active_rule_limit: Limit,
  total_emails_forwarded: t.number,
  total_emails_blocked: t.number,
  total_emails_replied: t.number,
  total_emails_sent: t.number,
  total_aliases: t.number,
  total_active_aliases: t.number,
  total_inactive_aliases: t.number,
  total_deleted_aliases: t.number,
  created_at: t.string,
  updated_at: t.string,
});
export type AccountDetails = t.TypeOf<typeof AccountDetails>;

export const getAccountDetails = endpoint("GET", "/api/v1/account-details", {
  tokens: "account:read",
  answer: t.type({ data: AccountDetails }),
});

/**
 * The lists of what this server has not, or shows in its own page alone. Programs ask for them when they start, and are
 * answered that there is nothing.
 */
export const emptyLists = ["usernames", "domains", "rules", "failed-deliveries"].map((name) =>
  endpoint("GET", `/api/v1/${name}`, {
    tokens: "any",
    params: t.partial({ "page[number]": t.string, "page[size]": t.string }),
    answer: t.intersection([t.type({ data: t.readonlyArray(t.unknown) }), OtherPages]),
  }),
);

/** Lists destinations, of both kinds unless `filter[verified]` names one. */
export const getRecipients = endpoint("GET", "/api/v1/recipients", {
  tokens: "destinations",
  params: t.partial({ "filter[verified]": t.string, alias_count: t.string }),
  answer: t.type({ data: t.readonlyArray(Recipient) }),
});

export const getRecipient = endpoint("GET", "/api/v1/recipients/:id", {
  tokens: "destinations",
  params: t.type({ id: t.string }),
  answer: t.type({ data: Recipient }),
});
