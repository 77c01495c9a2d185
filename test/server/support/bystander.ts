import { type Insertable, sql } from "kysely";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type {} from "../../../server/app/databaseTables.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import type { Tables } from "../../../server/platform/store/tables.ts";
import { allowChangesOfAll, bystanderMarker as marker } from "../../support/bystanderMarker.ts";
import { named } from "../../support/domainNames.ts";

/** The account that every test database has beside those of the test. No test may see or change anything of it. */
export const bystander = {
  id: `${marker}-user`,
  email: `${marker}@Mail.${marker}.Example`,
  maskId: `${marker}-mask`,
  logEntryId: `${marker}-entry`,
} as const;

/** After all that a test lets pass: nothing of the bystander is ever due or too old. */
const far = Date.UTC(2190, 0, 1);
const farDay = "2190-01-01";
const farMonth = "2190-01";
/** Before all numbers that a table gives, also where SQLite continues from the highest: those of the test begin at 1. */
const number = 0;

const user_id = bystander.id;
const id = (what: string): string => `${marker}-${what}`;
const bytes = Buffer.from(marker);
const email_key = mailboxKey(bystander.email);
const mask_id = bystander.maskId;
const destination_id = id("destination");
const passkey_id = id("passkey");

/** A row of the bystander in every table that belongs to users, in the order of references. */
const rows: { readonly [Table in keyof Tables]?: Insertable<Tables[Table]> } = {
  users: {
    id: user_id,
    email: bystander.email,
    email_key,
    tier: "business",
    key_status: "configured",
    two_factor: 1,
    passkey_handle: id("handle"),
    mask_count: 1,
    plan_changed_at: far,
    assigned_tier: "business",
    held_noticed_at: far,
    keep_last_mails: 1,
    show_codes: 1,
    created_at: far,
  },
  destinations: {
    id: destination_id,
    user_id,
    email: bystander.email,
    email_key,
    confirmed_at: far,
    token_hash: null,
    token_expires_at: null,
    asked_at: null,
    created_at: far,
    name: marker,
    is_default: 1,
  },
  masks: {
    id: mask_id,
    user_id,
    destination_id,
    email: `${marker}@${marker.toLowerCase()}.example`,
    description: marker,
    active: 1,
    custom_prefix: marker,
    spam_filter: 1,
    labels: JSON.stringify([marker]),
    note: marker,
    pinned: 1,
    when_off: "refuse",
    notify_when_off: 1,
    sender_shown: "account",
    accept_unproven: 0,
    rules: "[]",
    metadata: "{}",
    created_at: far,
    updated_at: far,
  },
  sessions: {
    id: id("session"),
    user_id,
    secret_hash: id("secret"),
    previous_hash: id("previous"),
    rotated_at: far,
    secret_seen: 1,
    user_agent: marker,
    created_at: far,
    last_used_at: far,
    expires_at: far,
    passkey_id,
    proven_at: far,
  },
  passkeys: {
    id: passkey_id,
    user_id,
    credential_id: id("credential"),
    public_key: marker,
    counter: 1,
    verifies: 1,
    transports: "[]",
    name: marker,
    synced: 0,
    backed_up: 0,
    aaguid: marker,
    created_at: far,
    last_used_at: far,
  },
  api_tokens: {
    id: id("token"),
    user_id,
    name: marker,
    hash: id("hash"),
    scopes: "[]",
    domain: null,
    created_at: far,
    expires_at: far,
    end_noticed: 0,
    last_used_at: far,
    last_network: marker,
  },
  webhooks: {
    id: id("webhook"),
    user_id,
    url: `https://${marker}.example/`,
    host: `${marker}.example`,
    secret: marker,
    earlier_secret: marker,
    earlier_until: far,
    events: "[]",
    labels: "[]",
    includes_content: 0,
    active: 1,
    paused_because: null,
    failing_since: null,
    created_at: far,
  },
  log_entries: {
    id: bystander.logEntryId,
    user_id,
    mask_id,
    at: far,
    direction: "received",
    result: "delivered",
    detail: marker,
    sealed: 0,
  },
  account_counts: { user_id, kind: "month", period: farMonth, key: marker, n: 7, last_at: far },
  account_rule_counts: { user_id, rule_id: id("rule"), applied: 7, last_at: far },
  account_rule_versions: { user_id, place: "before", version: marker, rules: "[]", created_at: far },
  account_rules: { user_id, before_rules: "[]", after_rules: "[]" },
  address_changes: {
    user_id,
    email: `New.${bystander.email}`,
    email_key: mailboxKey(`new.${email_key}`),
    code_hash: marker,
    expires_at: far,
    tries: 0,
    sent_at: `[${far}]`,
  },
  api_token_networks: { token_id: id("token"), network: marker },
  app_passwords: {
    id: id("password"),
    user_id,
    name: marker,
    lookup: marker,
    hash: marker,
    created_at: far,
    last_used_at: far,
  },
  archived_mails: {
    id: id("archived"),
    user_id,
    mask_id,
    content: bytes,
    size: bytes.length,
    read: 0,
    created_at: far,
    keep_until: far,
    expires_at: far,
  },
  automatic_answers: { user_id, mask_id, sender_hash: marker, answered_at: far },
  billing_customers: {
    id: id("customer"),
    email_key,
    user_id,
    customer_id: `cus_${marker}`,
    subscription_id: `sub_${marker}`,
    tier: "business",
    status: "active",
    ends_at: null,
    asked: 1,
    known: 1,
    created_at: far,
  },
  claimed_subdomains: { name: named(marker), user_id, created_at: far },
  complaints: { queue_id: id("copy"), user_id, mask_id, type: "abuse", created_at: far },
  content_access: { user_id, enabled: 1, external_model: null, features: "[]", updated_at: far },
  daily_replies: { user_id, day: farDay, sent: 7 },
  destination_keys: {
    destination_id,
    fingerprint: marker,
    user_id,
    public_key: marker,
    created_at: far,
    expires_at: null,
  },
  digest_mails: {
    id: id("digest"),
    user_id,
    mask_id,
    recipient: bystander.email,
    content: bytes,
    size: bytes.length,
    created_at: far,
  },
  domains: {
    id: id("domain"),
    user_id,
    kind: "own",
    name: named(`${marker}.example`),
    token: marker,
    proven_at: far,
    lapsed_at: null,
    checked_at: far,
    next_check_at: far,
    destination_id,
    dkim_private: null,
    dkim_public: null,
    created_at: far,
  },
  events: {
    id: number,
    user_id,
    resource: "masks",
    resource_id: mask_id,
    action: "updated",
    client_id: marker,
    created_at: far,
  },
  held_mails: {
    id: id("held"),
    user_id,
    mask_id,
    direction: "received",
    reason: "suspicious",
    sealed: marker,
    held_at: far,
    noticed_at: far,
  },
  idempotent_answers: {
    session_id: id("session"),
    request_id: marker,
    user_id,
    fingerprint: marker,
    status: 200,
    body: JSON.stringify(marker),
    created_at: far,
  },
  identities: {
    id: id("identity"),
    issuer: `https://${marker}.example`,
    subject: marker,
    user_id,
    email: bystander.email,
    created_at: far,
    last_used_at: far,
  },
  identity_sessions: {
    session_id: id("session"),
    issuer: `https://${marker}.example`,
    subject: marker,
    sid: marker,
  },
  key_backups: { passkey_id, user_id, fingerprint: marker, backup: marker, created_at: far },
  kept_bytes: { user_id, network: "", bytes: 2 * bytes.length, archived: bytes.length },
  labels: { user_id, name: marker, name_key: marker.toLowerCase(), color: "gray" },
  mail_codes: {
    id: id("code"),
    user_id,
    mask_id,
    received_at: far,
    expires_at: far,
    content: marker,
    to_key: 1,
  },
  last_mails: { id: id("last"), user_id, mask_id, received_at: far, size: bytes.length, content: bytes },
  log_steps: {
    entry_id: bystander.logEntryId,
    copy_id: id("copy"),
    state: "delivered",
    at: far,
    times: 1,
    detail: marker,
    sealed: 0,
  },
  mailing_lists: { mask_id, id: marker, user_id, sealed: marker, seen_at: far, left_at: far },
  mask_addresses: { email_key: mailboxKey(`${marker}@${marker}.example`), mask_id, created_at: far },
  mask_counts: { user_id, mask_id, kind: "month", period: farMonth, key: marker, n: 7, last_at: far },
  mask_destinations: { mask_id, destination_id, user_id, position: 0 },
  mask_senders: { mask_id, sender_hash: marker, user_id, list: "block", sealed: marker, created_at: far },
  mask_statistics: {
    mask_id,
    user_id,
    total_received: 7,
    total_forwarded: 7,
    spam_blocked: 7,
    total_sent: 7,
    last_used_at: far,
  },
  monthly_usage: { user_id, month: farMonth, received: 7, forwarded: 7, blocked: 7, announced: 0 },
  notifications: {
    id: number,
    user_id,
    type: "spam",
    priority: "high",
    message: marker,
    mask_id,
    sender: marker,
    created_at: far,
    read_at: null,
  },
  offered_keys: { destination_id, user_id, fingerprint: marker, key: marker, offered_at: far },
  public_keys: { user_id, public_key: marker, fingerprint: marker, created_at: far, expires_at: null },
  public_numbers: { number, user_id, kind: "mask", entity_id: mask_id },
  queue: {
    // After those of all parts by time on PostgreSQL.
    id: `zzzzzzzz-${marker}`,
    user_id,
    mask_id,
    envelope_sender: `bounces@${marker}.example`,
    recipient: bystander.email,
    content: bytes,
    size: bytes.length,
    status: "unsent",
    attempts: 1,
    next_attempt_at: far,
    lease: null,
    leased_until: 0,
    last_answer: marker,
    created_at: far,
    finished_at: far,
  },
  recent_mails: {
    id: number,
    user_id,
    mask_id,
    at: far,
    sender_domain: `${marker}.example`,
    category: null,
    outcome: "forwarded",
    threat_level: null,
    reason: marker,
  },
  recovery_codes: { user_id, code_hash: marker },
  removed_addresses: { address: `admin@${marker}.example`, user_id, removed_at: -far },
  reverse_addresses: {
    token_hash: marker,
    user_id,
    mask_id,
    correspondent_hash: marker,
    sealed: marker,
    created_at: far,
    last_in_at: far,
    last_out_at: far,
    replies: 7,
  },
  rule_versions: { mask_id, version: marker, rules: "[]", created_at: far },
  second_factor_tickets: { token_hash: marker, user_id, expires_at: far, tries: 0, passkey_id },
  sender_days: { user_id, day: farDay, source: marker, received: 7, most: 7 },
  shown_descriptions: { mask_id, user_id, description: marker, first_shown_at: far },
  suggestion_marks: { user_id, action_key: marker, status: 1, suggestion: marker, marked_at: far },
  two_factors: {
    user_id,
    secret: marker,
    verified_at: far,
    last_step: 7,
    tries: 0,
    tries_from: far,
    created_at: far,
  },
  unsubscribings: { link_hash: marker, user_id, state: "done", at: far },
  push_devices: {
    id: id("device"),
    user_id,
    session_id: null,
    mark: id("mark"),
    host: `${marker}.example`,
    sealed: marker,
    kinds: "[]",
    masks: "[]",
    quiet_hours: null,
    shows_sender: 1,
    user_agent: marker,
    created_at: far,
    last_sent_at: far,
  },
  push_messages: {
    id: number,
    device_id: id("device"),
    user_id,
    host: `${marker}.example`,
    kind: "test",
    body: marker,
    sealed: marker,
    attempts: 0,
    next_attempt_at: far,
    give_up_at: far,
  },
  webhook_messages: {
    id: number,
    webhook_id: id("webhook"),
    user_id,
    host: `${marker}.example`,
    type: "webhook.test",
    body: marker,
    sealed: null,
    state: "delivered",
    attempts: 1,
    next_attempt_at: far,
    give_up_at: far,
    lease: null,
    status: 204,
    failure: null,
    answer: marker,
    duration_ms: 7,
    created_at: far,
  },
};

/** Removes the bystander from a database, for a test of an installation without accounts. */
export const removeBystander = async ({ db }: Pick<Database, "db">, because: string): Promise<void> => {
  // PostgreSQL keeps some of them in parts.
  for (const table of [...bystanderTables, "queue_default", "events_default"])
    allowChangesOfAll(table, because);
  await db.deleteFrom("masks").where("user_id", "=", bystander.id).execute();
  await db.deleteFrom("users").where("id", "=", bystander.id).execute();
};

/** Whether a row is the test's own, of whatever table; keys and domains have the marker in lower case. */
export const isOfTest = (row: object): boolean =>
  !JSON.stringify(row).toLowerCase().includes(marker.toLowerCase());

/** What names a thing of the bystander in a request: ids, numbers, names and addresses, each once. */
export const namesOfBystander: readonly string[] = [
  ...new Set(
    Object.values(rows).flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        /(?:^|_)(?:id|number|name|email|fingerprint)$/.test(column) && value !== bystander.id
          ? [String(value)]
          : [],
      ),
    ),
  ),
];

/** The tables in which the bystander has a row, in the order of references. */
export const bystanderTables: readonly string[] = Object.keys(rows);

/** Gives the bystander its rows in a database without any. */
export const addBystander = async ({ db, engine }: Pick<Database, "db" | "engine">): Promise<void> => {
  // Its numbers are its own also where a table gives them.
  const withNumbers = sql.raw(engine.name === "postgresql" ? "overriding system value" : "");
  for (const [table, row] of Object.entries(rows)) {
    const columns = Object.entries(row);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))}) ${withNumbers}
      values (${sql.join(columns.map(([, value]) => value))})`.execute(db);
  }
};
