import type { ApiScope } from "../api/apiScope.ts";

/** The permission of a scope, as the user reads it. */
export interface ScopeText {
  readonly label: string;
  readonly detail: string;
}

/** The sentences of all scopes, in the order in which they are offered. */
export const scopeTexts: Readonly<Record<ApiScope, ScopeText>> = {
  "masks:create": { label: "Create masks", detail: "Create masks and see at which domains it can" },
  "masks:read": { label: "See masks", detail: "Masks, labels, rules, domains, and changes as they happen" },
  "masks:write": {
    label: "Change masks",
    detail: "Switch, change and delete masks, their rules and labels, and decide on held mail",
  },
  destinations: { label: "Destinations", detail: "See, add, change and remove where mail is forwarded to" },
  correspondents: {
    label: "Correspondents",
    detail: "Who wrote to a mask, and addresses for writing from it",
  },
  "log:read": { label: "See the log", detail: "What came, what was stopped, and the figures about it" },
  "codes:read": {
    label: "See codes",
    detail: "Codes and confirmation links in mail to masks that it created, where they are shown",
  },
  "codes:read:all": {
    label: "See all codes",
    detail: "Codes and confirmation links in mail to any mask, where they are shown",
  },
  "account:read": { label: "See the account", detail: "Your address, plan and notifications" },
};
