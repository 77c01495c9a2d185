import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { WhenOff } from "../../../core/masks/mask.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import type {} from "../../../server/app/databaseTables.ts";
import type { DomainRow } from "../../../server/features/domains/domainTables.ts";
import type { Db } from "../../../server/platform/store/database.ts";
import { named } from "../../support/domainNames.ts";

let count = 0;

const number = (): number => {
  count += 1;
  return count;
};

export interface Owner {
  readonly id: string;
  readonly email: string;
}

/** Adds a user whose own address is a confirmed destination. */
export const addOwner = async (db: Db, tier: Tier = "free"): Promise<Owner> => {
  const id = `user-${number()}`;
  const email = `${id}@home.example`;
  await db
    .insertInto("users")
    .values({
      id,
      email,
      email_key: mailboxKey(email),
      tier,
      key_status: "not-configured",
      two_factor: 0,
      mask_count: 0,
      created_at: 0,
    })
    .execute();
  await addDestination(db, { owner: { id, email }, email, confirmed: true });
  return { id, email };
};

/** Adds a destination of the user, confirmed or not. */
export const addDestination = async (
  db: Db,
  { owner, email, confirmed }: { readonly owner: Owner; readonly email: string; readonly confirmed: boolean },
): Promise<string> => {
  const id = `${owner.id}-${email}`;
  await db
    .insertInto("destinations")
    .values({
      id,
      user_id: owner.id,
      email,
      email_key: mailboxKey(email),
      confirmed_at: confirmed ? 1 : null,
      token_hash: null,
      token_expires_at: null,
      asked_at: null,
      created_at: 0,
    })
    .execute();
  return id;
};

export interface TestMask {
  readonly id: string;
  readonly email: string;
}

/** Adds a mask that forwards to the owner's own address by default. */
export const addMask = async (
  db: Db,
  owner: Owner,
  options: {
    readonly email?: string;
    readonly active?: boolean;
    readonly destinationId?: string;
    readonly spamFilter?: boolean;
    readonly acceptUnproven?: boolean;
    readonly whenOff?: WhenOff;
    readonly notifyWhenOff?: boolean;
  } = {},
): Promise<TestMask> => {
  const id = `mask-${number()}`;
  const email = options.email ?? `${id}@masks.example`;
  await db
    .insertInto("masks")
    .values({
      id,
      user_id: owner.id,
      destination_id: options.destinationId ?? `${owner.id}-${owner.email}`,
      email,
      description: id,
      active: options.active === false ? 0 : 1,
      custom_prefix: null,
      spam_filter: options.spamFilter ? 1 : 0,
      labels: "[]",
      note: "",
      pinned: 0,
      when_off: options.whenOff ?? "refuse",
      notify_when_off: options.notifyWhenOff ? 1 : 0,
      sender_shown: "account",
      accept_unproven: options.acceptUnproven ? 1 : 0,
      rules: "[]",
      metadata: "{}",
      created_at: 0,
      updated_at: 0,
    })
    .execute();
  await db
    .insertInto("mask_addresses")
    .values({ email_key: mailboxKey(email), mask_id: id, created_at: 0 })
    .execute();
  return { id, email };
};

/** Stores a proven domain of an owner; `change` replaces columns. */
export const addDomain = async (
  db: Db,
  owner: Pick<Owner, "id">,
  change: Partial<DomainRow> = {},
  name = "own.example",
): Promise<void> => {
  await db
    .insertInto("domains")
    .values({
      id: `domain-${name}`,
      user_id: owner.id,
      kind: "own",
      name: named(name),
      token: "t",
      proven_at: 1,
      lapsed_at: null,
      checked_at: null,
      next_check_at: null,
      dkim_private: null,
      dkim_public: null,
      created_at: 0,
      ...change,
    })
    .execute();
};
