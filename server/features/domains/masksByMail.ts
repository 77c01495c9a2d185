import { matchesPattern, maxMadePerDay } from "../../../core/domains/domain.ts";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { type DomainName, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, isEmailAddress, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { plainFieldsOf } from "../../../core/masks/mask.ts";
import { bytesOf, historyMs, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { noRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { toConsent } from "../contentAccess/consentQueries.ts";
import { ensureDestination } from "../destinations/destinationQueries.ts";
import { recordMaskChange } from "../maskChanges/maskChanges.ts";
import { rightAtDomain } from "../masks/addressRight.ts";
import { takeMaskPlace } from "../masks/createMask.ts";
import { pushOf, webhooksOf } from "../masks/findMailRoute.ts";
import { newColumns } from "../masks/maskColumns.ts";
import { claimAddress, insertMask, linkAddress } from "../masks/maskQueries.ts";
import { addNotification } from "../notifications/notificationQueries.ts";

/** The reason for which no mask is made: there is no such address, or the domain has made its masks of the day. */
export type NoMask = "unknown" | "tooMany";

/** Makes masks for mail to addresses of proven domains. */
export interface MasksByMail {
  /** True if a domain takes mail here. */
  readonly hasDomain: (name: DomainName) => Promise<boolean>;
  /** Returns the route of the mask that a mail to this address at a domain would make. Nothing is stored. */
  readonly routeTo: (localPart: string, domain: DomainName) => Promise<MailRoute | NoMask>;
  /** Makes the mask of such a route; false when that is not possible any more, or when another mail has made it. */
  readonly make: (route: MailRoute) => Promise<boolean>;
}

type MasksByMailDeps = Pick<ServerContext, "database" | "clock" | "random">;

const findOwner = (db: Db, name: DomainName) =>
  db
    .selectFrom("domains")
    .innerJoin("users", "users.id", "domains.user_id")
    .leftJoin("content_access", "content_access.user_id", "users.id")
    .leftJoin("account_rules", "account_rules.user_id", "users.id")
    .where("domains.name", "=", name)
    .where("domains.proven_at", "is not", null)
    .select([
      "domains.id",
      "domains.user_id",
      "domains.kind",
      "domains.lapsed_at",
      "domains.catch_all",
      "domains.patterns",
      "domains.approve_first",
      "domains.destination_id",
      "domains.made_day",
      "domains.made_count",
      "users.email",
      "users.email_key",
      "users.tier",
      "users.mask_count",
      "users.suspended",
      "users.sender_shown",
      "users.action_links",
      "users.unsubscribe",
      "users.calendars_through_mask",
      "users.mask_tags",
      "users.mail_log",
      "users.keep_last_mails",
      "users.show_codes",
      (eb) =>
        eb
          .selectFrom("webhooks")
          .whereRef("webhooks.user_id", "=", "users.id")
          .where("webhooks.active", "=", 1)
          .where("webhooks.paused_because", "is", null)
          .select(({ fn }) => fn.max("includes_content").as("webhookContent"))
          .as("webhookContent"),
      (eb) =>
        eb
          .selectFrom("push_devices")
          .whereRef("push_devices.user_id", "=", "users.id")
          .select(({ fn }) => fn.max("shows_sender").as("pushSender"))
          .as("pushSender"),
      (eb) =>
        eb
          .selectFrom("public_keys")
          .whereRef("public_keys.user_id", "=", "users.id")
          .select("public_keys.fingerprint")
          .as("hasKey"),
      (eb) =>
        eb
          .selectFrom("kept_bytes")
          .whereRef("kept_bytes.user_id", "=", "users.id")
          .where("kept_bytes.network", "=", "")
          .select("kept_bytes.bytes")
          .as("keptBytes"),
      "content_access.enabled",
      "content_access.features",
      "content_access.external_model",
      "account_rules.before_rules",
      "account_rules.after_rules",
    ])
    .executeTakeFirst();

type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>;

const takesNewMasks = (owner: Owner, localPart: string, now: number): boolean => {
  const { catch_all: catchAll, suspended, tier, mask_count: count } = owner;
  if (catchAll === "off" || suspended === 1) return false;
  if (rightAtDomain(owner, localPart, now) !== "new") return false;
  const { masks } = limitsOf[parseTier(tier)];
  if (masks !== null && count >= masks) return false;
  if (catchAll === "all") return true;
  return (JSON.parse(owner.patterns) as string[]).some((pattern) => matchesPattern(pattern, localPart));
};

const findDestination = async (db: Db, owner: Owner, { random, clock }: MasksByMailDeps) => {
  const all = await db
    .selectFrom("destinations")
    .where("user_id", "=", owner.user_id)
    .where("confirmed_at", "is not", null)
    .select(["id", "email", "email_key", "is_default"])
    .execute();
  return (
    all.find(({ id }) => id === owner.destination_id) ??
    all.find(({ is_default }) => is_default === 1) ??
    all.find(({ email }) => isSameMailbox(email, owner.email)) ??
    ensureDestination(db, {
      id: newId(random),
      userId: owner.user_id,
      email: owner.email,
      emailKey: owner.email_key,
      confirmedAt: clock.now(),
      now: clock.now(),
    })
  );
};

/** Counts a mask that is made on a day; false when the domain has made its masks of that day. */
const countMade = async (db: Db, domain: DomainName, day: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("domains")
    .set((e) => ({
      made_day: day,
      made_count: e
        .case()
        .when("made_day", "=", day)
        .then(e("made_count", "+", 1))
        .else(1)
        .end(),
    }))
    .where("name", "=", domain)
    .where("proven_at", "is not", null)
    .where(({ or, eb }) => or([eb("made_day", "!=", day), eb("made_count", "<", maxMadePerDay)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Rolls the transaction back: mail makes no mask here. */
const notMade = (): UseCaseError => new UseCaseError("conflict", "Mail creates no mask at this address.");

const insertMade = async (db: Db, route: MailRoute, now: number): Promise<void> => {
  const { maskId: id, maskEmail: email, userId } = route;
  const domain = toDomainName(domainOf(email));
  if (domain === null) throw notMade();
  const user = await takeMaskPlace(db, userId, notMade);
  const owner = await findOwner(db, domain);
  const isWanted =
    owner?.user_id === userId &&
    takesNewMasks({ ...owner, mask_count: user.mask_count - 1 }, localPartOf(email), now);
  if (!isWanted || !(await countMade(db, domain, dayOf(now)))) throw notMade();
  const key = mailboxKey(email);
  if (!(await claimAddress(db, key, now))) throw notMade();
  await insertMask(db, {
    id,
    user_id: userId,
    destination_id: route.destinationId,
    email,
    ...newColumns({ description: route.nameStyle.description }),
    sender_mode: route.senderMode,
    custom_prefix: null,
    rules: noRules,
    metadata: "{}",
    created_at: now,
    updated_at: now,
  });
  await linkAddress(db, key, id);
  await recordMaskChange(db, { userId, clientId: null }, "created", id, now);
  const next = route.senderMode === "approve" ? " Its mail waits until you approve the sender." : "";
  const message = `Mail has created the mask ${email}.${next}`;
  await addNotification(db, { userId, type: "info", priority: "normal", message }, now);
};

/** Creates what makes masks for mail. */
export const createMasksByMail = (deps: MasksByMailDeps): MasksByMail => {
  const { database, clock, random } = deps;
  const { db } = database;
  return {
    hasDomain: async (name) => (await findOwner(db, name)) !== undefined,
    routeTo: async (localPart, domain) => {
      const address = `${localPart}@${domain}`;
      const owner = await findOwner(db, domain);
      if (!owner || !isEmailAddress(address) || !takesNewMasks(owner, localPart, clock.now()))
        return "unknown";
      // The address of a deleted mask is not made again.
      const known = await db
        .selectFrom("mask_addresses")
        .where("email_key", "=", mailboxKey(address))
        .select("email_key")
        .executeTakeFirst();
      if (known) return "unknown";
      if (owner.made_day === dayOf(clock.now()) && Number(owner.made_count) >= maxMadePerDay)
        return "tooMany";
      const destination = await findDestination(db, owner, deps);
      const { spamFilter, acceptUnproven, notifyWhenOff } = plainFieldsOf({});
      const limits = limitsOf[parseTier(owner.tier)];
      return {
        maskId: newId(random),
        maskEmail: mailboxKey(address),
        isFormerAddress: false,
        takesTags: owner.mask_tags === 1,
        isNew: true,
        userId: owner.user_id,
        active: true,
        whenOff: "refuse",
        notifyWhenOff,
        nameStyle: { shown: owner.sender_shown, description: localPart },
        actionLinks: owner.action_links,
        unsubscribe: owner.unsubscribe,
        calendarsThroughMask: owner.calendars_through_mask === 1,
        keptInApp: "no",
        destinationId: destination.id,
        destination: destination.email,
        furtherDestinations: [],
        confirmed: true,
        emailsPerMonth: limits.emailsPerMonth ?? Number.MAX_SAFE_INTEGER,
        storage: bytesOf(limits.storage),
        keptBytes: Number(owner.keptBytes ?? 0),
        historyMs: historyMs(limits.history),
        consent: toConsent(owner.tier, owner),
        rules: { before: owner.before_rules ?? noRules, mask: noRules, after: owner.after_rules ?? noRules },
        labels: [],
        spamFilter,
        acceptUnproven,
        hasSenderLists: false,
        senderMode: owner.approve_first === 1 ? "approve" : "all",
        expiry: null,
        expiresAt: null,
        log: owner.mail_log,
        showsCodes: owner.show_codes === 1,
        keepsLastMails: owner.keep_last_mails === 1,
        webhooks: webhooksOf({ webhookContent: owner.webhookContent, hasKey: owner.hasKey !== null }),
        push: pushOf({ pushSender: owner.pushSender, hasKey: owner.hasKey !== null }),
      };
    },
    make: async (route) => {
      try {
        await database.transaction((transaction) => insertMade(transaction, route, clock.now()));
        return true;
      } catch (error) {
        if (error instanceof UseCaseError) return false;
        throw error;
      }
    },
  };
};

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly masksByMail: MasksByMail;
  }
}
