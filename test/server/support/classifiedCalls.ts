import type { Client, RequestOptions } from "./client.ts";

/** The body that a call is tried with. */
type Body = RequestOptions["body"];

/** A call that only the user may make who has just proven who they are, and no API token. */
interface NeedsProof {
  readonly kind: "proof";
  /** What it changes, with the bodies of requests that change that; the call does nothing else where `isAlways`. */
  readonly changes: Readonly<Record<string, Body>>;
  readonly isAlways: boolean;
}

/** A call that names where mail goes: a new address needs a proof in a session, and the scope `destinations` in a token. */
interface NamesDestination {
  readonly kind: "token scope";
}

/** A call that changes neither who gets in nor where mail goes, or that is safe for another reason. */
interface Neither {
  readonly kind: "neither";
  readonly because: string;
}

export type Classified = NeedsProof | NamesDestination | Neither;

const always = (what: string, body?: Body): NeedsProof => ({
  kind: "proof",
  changes: { [what]: body },
  isAlways: true,
});
const partly = (changes: Readonly<Record<string, Body>>): NeedsProof => ({
  kind: "proof",
  changes,
  isAlways: false,
});
const destination: NamesDestination = { kind: "token scope" };
const neither = (because: string, ...calls: readonly string[]): Readonly<Record<string, Neither>> =>
  Object.fromEntries(calls.map((call) => [call, { kind: "neither", because }]));

const webhook = {
  url: "https://receiver.example/hook",
  events: ["mail.forwarded"],
  labels: [],
  includesContent: false,
};

/**
 * Every call that changes something, or that hands out everything, and who may make it. An API token that may call one has
 * the scope of its endpoint.
 */
export const classifiedCalls: Readonly<Record<string, Classified>> = {
  "DELETE /account": always("the account's end", { email: "mistyped@home.example" }),
  "GET /account/export": always("a copy of everything"),
  "PUT /account/profile": partly({ "the account's address": { email: "other@home.example" } }),
  "POST /account/api-tokens": always("a new API token", {
    name: "Script",
    scopes: ["masks:write"],
    domain: null,
    lifetimeDays: 30,
  }),
  "POST /account/app-passwords": always("a new app password", { name: "Phone" }),
  "POST /account/2fa/setup": always("a new second factor"),
  "POST /account/2fa/verify": always("a second factor switched on", { code: "123456" }),
  "POST /account/2fa/recovery-codes": always("new recovery codes", { code: "123456" }),
  "DELETE /account/2fa": always("no second factor", { code: "123456" }),
  "POST /account/passkeys/options": always("a new passkey"),
  "DELETE /account/passkeys/:id": always("a passkey less"),
  "PUT /account/passkeys-only": always("passkeys only", { only: false }),
  "PUT /account/key-backups": always("a copy of the key for a passkey", { passkeyId: "1", backup: "x" }),
  "DELETE /account/identities/:id": always("an identity less"),
  "DELETE /account/sessions": always("the end of all other sessions"),
  "DELETE /account/sessions/:id": partly({ "another session's end": undefined }),
  "POST /account/webhooks": always("a new webhook", webhook),
  "PATCH /account/webhooks/:id": partly({
    "a webhook's address": { url: webhook.url },
    "a webhook's content": { includesContent: true },
    "a webhook's events": { events: webhook.events },
    "a webhook's masks": { labels: [] },
    "a webhook switched on": { active: true },
    "a webhook's address while it is off": { active: false, url: webhook.url },
  }),
  "POST /account/webhooks/:id/secret": always("a webhook's secret"),
  "POST /account/push": always("a new device with notifications", {
    endpoint: "https://push.example/device",
    p256dh: "A".repeat(87),
    auth: "A".repeat(22),
    kinds: [],
    masks: [],
    quietHours: null,
    showsSender: false,
  }),
  "PATCH /account/push/:id": partly({ "senders on a device": { showsSender: true } }),
  "POST /keys/setup": partly({ "the account's key": { publicKey: "a key" } }),
  "DELETE /keys": always("no key"),
  "PATCH /destinations/:id": partly({
    "an address's key": { publicKey: null },
    "an address's further key": { addKeys: ["a key"] },
    "an address's key less": { removeKeys: ["F"] },
  }),

  "POST /masks": destination,
  "PUT /masks/:id": destination,
  "POST /masks/bulk": destination,
  "PUT /rules/:place": destination,
  "POST /destinations": destination,
  "POST /api/mailboxes": destination,

  ...neither(
    "it names confirmed addresses only",
    "DELETE /destinations/:id",
    "PATCH /domains/:id",
    "PATCH /api/custom_domains/:id",
    "POST /api/v1/aliases",
    "POST /api/v1/alias-recipients",
    "POST /api/v1/aliases/recipients/bulk",
    "POST /api/v2/alias/custom/new",
    "POST /api/v3/alias/custom/new",
    "PATCH /api/aliases/:id",
    "PUT /api/aliases/:id",
    "DELETE /api/mailboxes/:id",
    "PUT /api/mailboxes/:id",
  ),
  ...neither(
    "it is itself the proof of who somebody is, or leads to one",
    "POST /login",
    "PUT /login",
    "POST /login/link",
    "POST /login/oidc/ticket",
    "POST /login/verify2fa",
    "POST /login/passkey/options",
    "POST /login/passkey",
    "POST /signup",
    "POST /account/proof/code",
    "PUT /account/proof",
    "POST /account/proof/passkey/options",
    "PUT /account/proof/passkey",
  ),
  ...neither("it takes what a call with a proof has answered within five minutes", "POST /account/passkeys"),
  ...neither(
    "it goes on with the session of its cookie, or ends it",
    "POST /auth/refresh-token",
    "POST /refresh-token",
    "POST /auth/set-token-cookie",
    "POST /auth/clear-token",
    "POST /logout",
  ),
  ...neither(
    "it takes access away and gives none; what is lost is made again with a proof",
    "DELETE /account/api-tokens/:id",
    "DELETE /account/app-passwords/:id",
    "DELETE /account/webhooks/:id",
    "DELETE /account/push/:id",
    "DELETE /account/passkeys/:id/key-backup",
  ),
  ...neither("it changes a name alone", "PATCH /account/api-tokens/:id", "PATCH /account/passkeys/:id"),
  ...neither("it sends to the device that is there already", "POST /account/push/:id/test"),
  ...neither("it says which session a device belongs to", "PUT /account/push/here"),
  ...neither(
    "it takes the token of a button that was sent to a device with notifications",
    "POST /push/action",
  ),
  ...neither(
    "it takes the secret of the subscription that it replaces, which its browser alone knows",
    "PUT /push/subscription",
  ),
  ...neither(
    "it sends to the address that the webhook has already",
    "POST /account/webhooks/:id/test",
    "POST /account/webhooks/:id/deliveries/:delivery",
  ),
  ...neither("it always refuses: an API token is made in the app", "POST /api/api_key"),
  ...neither("new masks go to an address that is confirmed", "POST /api/alias/random/new"),
  ...neither(
    "a domain takes mail once DNS proves whose it is, and its masks go where those of the account go",
    "POST /domains",
    "POST /domains/:id/check",
    "DELETE /domains/:id",
  ),
  ...neither(
    "it decides whether mail is taken, and not where it goes",
    "POST /api/v1/active-aliases",
    "DELETE /api/v1/active-aliases/:id",
    "POST /api/v1/aliases/activate/bulk",
    "POST /api/v1/aliases/deactivate/bulk",
    "POST /api/aliases/:id/toggle",
    "PUT /masks/:id/senders/:sender",
    "DELETE /masks/:id/senders/:sender",
    "POST /held/:id/allow",
    "POST /held/:id/block",
    "POST /held/:id/delete",
    "POST /held/:id/release",
    "POST /api/contacts/:id/toggle",
    "POST /masks/:id/lists/:list/leave",
  ),
  ...neither("a code that was used is forgotten", "DELETE /masks/:id/codes/:codeId"),
  ...neither(
    "a mask is deleted, or comes back with the address that it had",
    "DELETE /masks/:id",
    "POST /masks/:id/restore",
    "DELETE /masks/trash/:id",
    "DELETE /api/v1/aliases/:id",
    "DELETE /api/v1/aliases/:id/forget",
    "POST /api/v1/aliases/delete/bulk",
    "POST /api/v1/aliases/forget/bulk",
    "PATCH /api/v1/aliases/:id/restore",
    "POST /api/v1/aliases/restore/bulk",
    "DELETE /api/aliases/:id",
  ),
  ...neither(
    "it writes to correspondents of a mask, as the mask",
    "POST /masks/:id/correspondents",
    "PUT /masks/:id/correspondents/:correspondent",
    "DELETE /masks/:id/correspondents/:correspondent",
    "POST /masks/:id/mails",
    "POST /held/:id/send-again",
    "POST /api/aliases/:id/contacts",
    "DELETE /api/contacts/:id",
  ),
  ...neither(
    "it reads",
    "POST /api/v1/aliases/get/bulk",
    "POST /api/v2/aliases",
    "POST /destinations/:id/keys/search",
  ),
  ...neither(
    "it orders and describes what the owner sees",
    "PATCH /api/v1/aliases/:id",
    "POST /api/v1/pinned-aliases",
    "DELETE /api/v1/pinned-aliases/:id",
    "POST /api/v1/aliases/pin/bulk",
    "POST /api/v1/aliases/unpin/bulk",
    "POST /labels",
    "PATCH /labels/:name",
    "DELETE /labels/:name",
    "DELETE /notifications/:id",
    "PUT /notifications/read",
    "POST /api/notifications/:id/read",
    "POST /ai/insights",
    "PUT /account/passkey-offer",
  ),
  ...neither(
    "it sets how mail is shown, filtered and logged, on this server and with what its operator has chosen",
    "PATCH /api/setting",
    "PUT /ai/content-access",
    "PUT /ai/preferences",
    "PUT /log/settings",
    "DELETE /log",
    "DELETE /archive/:id",
    "PUT /keys/published",
  ),
  ...neither(
    "it pays for a plan",
    "POST /billing/checkout",
    "POST /billing/portal",
    "POST /billing/settle",
    "POST /signup/checkout",
  ),
};

const someId = "6a8a1c5c-6a2f-4c0f-8a55-0d9a3d1f0c11";

/** What is protected by a proof, and a call of each that would change it. */
export const protectedChanges: readonly {
  readonly what: string;
  readonly endpoint: string;
  readonly send: (client: Pick<Client, "call">) => ReturnType<Client["call"]>;
}[] = Object.entries(classifiedCalls).flatMap(([endpoint, classified]) => {
  if (classified.kind !== "proof") return [];
  const [method = "", path = ""] = endpoint.split(" ");
  return Object.entries(classified.changes).map(([what, body]) => ({
    what,
    endpoint,
    send: ({ call }: Pick<Client, "call">) =>
      call(method, path.replace(":id", someId), body === undefined ? {} : { body }),
  }));
});
