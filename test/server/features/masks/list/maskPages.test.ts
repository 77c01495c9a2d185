import { expect } from "chai";
import fc from "fast-check";
import { dayMs } from "../../../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../../../core/mail/emailAddress.ts";
import {
  findPagedMasks,
  listMaskPage,
  type MaskOrder,
  type MaskPageQuery,
  type PagedMask,
} from "../../../../../server/features/masks/list/maskPages.ts";
import { newColumns } from "../../../../../server/features/masks/maskColumns.ts";
import type { Database } from "../../../../../server/platform/store/database.ts";
import { longTestMs } from "../../../../support/limits.ts";
import { bystander } from "../../../support/bystander.ts";
import { createTestContext } from "../../../support/serverContext.ts";
import { everyStore, requireStore } from "../../../support/stores.ts";
import { createTestClock } from "../../../support/testClock.ts";

const now = Date.UTC(2026, 10, 20);

/** A mask of the model. */
interface Made {
  readonly id: string;
  readonly user: "ann" | "bob";
  readonly email: string;
  readonly description: string;
  readonly note: string;
  readonly madeFor: string;
  readonly labels: readonly string[];
  readonly active: boolean;
  readonly pinned: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  readonly destinations: readonly number[];
  readonly forwarded: number;
  readonly blocked: number;
  readonly sent: number;
  readonly lastUsed: number | null;
  readonly lastForwarded: number | null;
  readonly lastBlocked: number | null;
  readonly lastSent: number | null;
}

const smallTime = fc.integer({ min: 1, max: 6 }).map((n) => now - n * dayMs);
const perhaps = <A>(one: fc.Arbitrary<A>) => fc.option(one, { nil: null });
const few = fc.integer({ min: 0, max: 3 });
const text = fc.constantFrom("", "Shop", "Ärger", "STRASSE", "news % letter", "a_b", "\\ back");

const made = fc.array(
  fc.record({
    user: fc.constantFrom("ann", "ann", "ann", "bob") as fc.Arbitrary<"ann" | "bob">,
    local: fc.constantFrom("a", "a.b", "a-b", "a_b", "B", "z9", "shop.a"),
    domain: fc.constantFrom("masks.test", "own.example"),
    description: text,
    note: text,
    madeFor: fc.constantFrom("", "shop.example"),
    labels: fc.subarray(["Work", "Café"]),
    active: fc.boolean(),
    pinned: fc.boolean(),
    createdAt: smallTime,
    updatedAt: smallTime,
    deletedAt: fc.oneof(
      { weight: 2, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(now - dayMs, now - 2 * dayMs, now - 31 * dayMs) },
    ),
    destinations: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
    forwarded: few,
    blocked: few,
    sent: few,
    lastUsed: perhaps(smallTime),
    lastForwarded: perhaps(smallTime),
    lastBlocked: perhaps(smallTime),
    lastSent: perhaps(smallTime),
  }),
  { maxLength: 30 },
);

const orders: readonly MaskOrder[] = [
  "created",
  "updated",
  "deleted",
  "localPart",
  "domain",
  "email",
  "active",
  "forwarded",
  "blocked",
  "sent",
  "lastForwarded",
  "lastBlocked",
  "lastSent",
  "lastUsed",
];

const query: fc.Arbitrary<MaskPageQuery> = fc
  .record(
    {
      page: fc.integer({ min: 1, max: 4 }),
      size: fc.constantFrom(1, 2, 3, 7, 20, 100),
      search: fc.constantFrom(
        "",
        "shop",
        "arger",
        "ÄRGER",
        "straße",
        "%",
        "_",
        "\\",
        "cafe",
        "own.example",
        "zzz",
      ),
      isActive: fc.boolean(),
      isPinned: fc.boolean(),
      deleted: fc.constantFrom("also", "only") as fc.Arbitrary<"also" | "only">,
      destination: fc.integer({ min: 0, max: 3 }),
      domain: fc.constantFrom("masks.test", "OWN.example", "other.example"),
      sort: fc.record({ by: fc.constantFrom(...orders), isDescending: fc.boolean() }),
      isCounted: fc.boolean(),
    },
    { requiredKeys: ["page", "size"] },
  )
  .map(({ destination, ...rest }) => ({
    ...rest,
    ...(destination !== undefined && { destinationId: `ann-${destination}` }),
  }));

const keyOf = (mask: Made, by: MaskOrder): number | string => {
  const [local = "", domain = ""] = mask.email.toLowerCase().split("@");
  switch (by) {
    case "created":
      return mask.createdAt;
    case "updated":
      return mask.updatedAt;
    case "deleted":
      return mask.deletedAt ?? 0;
    case "localPart":
      return `${local} ${domain}`;
    case "domain":
      return domain;
    case "email":
      return `${local}@${domain}`;
    case "active":
      return Number(mask.active);
    case "forwarded":
    case "blocked":
    case "sent":
      return mask[by];
    default:
      return mask[by] ?? 0;
  }
};

const fold = (value: string): string =>
  value.toLowerCase().replaceAll("ä", "a").replaceAll("é", "e").replaceAll("ß", "ss");

const compare = (one: number | string, other: number | string): number =>
  one < other ? -1 : Number(one > other);

/** What the list answers, as a plain list would. */
const expected = (all: readonly Made[], asked: MaskPageQuery): readonly string[] => {
  const { by, isDescending } = asked.sort ?? { by: "created", isDescending: true };
  const isListed = ({ deletedAt }: Made): boolean => {
    const isInTrash = deletedAt !== null && deletedAt > now - 30 * dayMs;
    if (asked.deleted === undefined) return deletedAt === null;
    return asked.deleted === "only" ? isInTrash : deletedAt === null || isInTrash;
  };
  return all
    .filter(
      (mask) =>
        mask.user === "ann" &&
        isListed(mask) &&
        (asked.isActive === undefined || mask.active === asked.isActive) &&
        (asked.isPinned === undefined || mask.pinned === asked.isPinned) &&
        (asked.domain === undefined || mask.email.endsWith(`@${asked.domain.toLowerCase()}`)) &&
        (asked.destinationId === undefined ||
          mask.destinations.some((n) => asked.destinationId === `ann-${n}`)) &&
        fold([mask.email, mask.description, mask.note, mask.madeFor, ...mask.labels].join("\n")).includes(
          fold(asked.search ?? ""),
        ),
    )
    .toSorted(
      (one, other) =>
        (isDescending ? -1 : 1) *
        (compare(keyOf(one, by), keyOf(other, by)) ||
          compare(one.createdAt, other.createdAt) ||
          compare(one.id, other.id)),
    )
    .map(({ id }) => id);
};

const ids = (masks: readonly PagedMask[]): readonly string[] => masks.map(({ mask }) => mask.id);

for (const store of everyStore)
  describe(`Masks by the number of a page (${store.name})`, () => {
    let database: Database;
    let context: ReturnType<typeof createTestContext>;

    before(async function () {
      requireStore(store).call(this);
      database = await store.open();
      const clock = { ...createTestClock(undefined, { stands: true }), now: () => now };
      context = createTestContext({ database, clock });
      for (const user of ["ann", "bob"]) {
        await database.db
          .insertInto("users")
          .values({
            id: user,
            email: `${user}@home.example`,
            email_key: mailboxKey(`${user}@home.example`),
            tier: "free",
            created_at: now,
            key_status: "not-configured",
            two_factor: 0,
            mask_count: 0,
          })
          .execute();
        for (const n of [0, 1, 2])
          await database.db
            .insertInto("destinations")
            .values({
              id: `${user}-${n}`,
              user_id: user,
              email: `${user}${n}@home.example`,
              email_key: mailboxKey(`${user}${n}@home.example`),
              confirmed_at: n === 2 ? null : now,
              token_hash: null,
              token_expires_at: null,
              asked_at: null,
              created_at: now,
            })
            .execute();
      }
    });
    after(() => database?.close());

    const insert = async ({ id, user, ...mask }: Made): Promise<void> => {
      const { db } = database;
      const [first, ...further] = mask.destinations;
      await db
        .insertInto("masks")
        .values({
          id,
          user_id: user,
          destination_id: `${user}-${first}`,
          email: mask.email,
          ...newColumns({
            description: mask.description,
            note: mask.note,
            madeFor: mask.madeFor,
            labels: [...mask.labels],
            active: mask.active,
            pinned: mask.pinned,
          }),
          custom_prefix: null,
          rules: "[]",
          metadata: "{}",
          created_at: mask.createdAt,
          updated_at: mask.updatedAt,
          deleted_at: mask.deletedAt,
        })
        .execute();
      await db
        .insertInto("mask_statistics")
        .values({
          mask_id: id,
          user_id: user,
          total_received: 0,
          total_forwarded: mask.forwarded,
          spam_blocked: mask.blocked,
          total_sent: mask.sent,
          last_used_at: mask.lastUsed,
        })
        .execute();
      for (const [position, n] of further.entries())
        await db
          .insertInto("mask_destinations")
          .values({ mask_id: id, destination_id: `${user}-${n}`, user_id: user, position })
          .execute();
      const last = { forwarded: mask.lastForwarded, blocked: mask.lastBlocked, replied: mask.lastSent };
      for (const [key, at] of Object.entries(last))
        if (at !== null)
          for (const [period, before] of [
            ["2026-10", dayMs],
            ["2026-11", 0],
          ] as const)
            await db
              .insertInto("mask_counts")
              .values({ user_id: user, kind: "flow", period, key, n: 1, last_at: at - before, mask_id: id })
              .execute();
    };

    const fill = async (
      given: readonly (Omit<Made, "id" | "email"> & { local: string; domain: string })[],
    ) => {
      await database.db.deleteFrom("masks").where("user_id", "!=", bystander.id).execute();
      const all: Made[] = given.map(({ local, domain, ...mask }, n) => ({
        ...mask,
        id: `mask-${String(n).padStart(2, "0")}`,
        email: `${local}@${domain}`,
      }));
      for (const mask of all) await insert(mask);
      return all;
    };

    it("are those of a plain list that is filtered, sorted and cut", async function () {
      this.timeout(longTestMs);
      await fc.assert(
        fc.asyncProperty(made, fc.array(query, { minLength: 1, maxLength: 25 }), async (given, queries) => {
          const all = await fill(given);
          for (const asked of queries) {
            const found = await listMaskPage(context, "ann", asked);
            const whole = expected(all, asked);
            const from = (asked.page - 1) * asked.size;
            expect(ids(found.masks), JSON.stringify(asked)).to.deep.equal(
              whole.slice(from, from + asked.size),
            );
            expect(found.total).to.equal(asked.isCounted ? whole.length : null);
          }
        }),
        { numRuns: 40 },
      );
    });

    it("are together the whole list, each mask once with all that is known of it", async function () {
      this.timeout(longTestMs);
      await fc.assert(
        fc.asyncProperty(made, query, async (given, asked) => {
          const all = await fill(given);
          const found: PagedMask[] = [];
          for (let page = 1; ; page += 1) {
            const { masks } = await listMaskPage(context, "ann", { ...asked, page });
            if (masks.length === 0) break;
            found.push(...masks);
          }
          expect(ids(found)).to.deep.equal(expected(all, asked));
          const byId = new Map(all.map((one) => [one.id, one]));
          for (const one of found) {
            const known = byId.get(one.mask.id);
            expect(one.destinations.map(({ id }) => id)).to.deep.equal(
              known?.destinations.map((n) => `ann-${n}`),
            );
            expect([one.createdAt, one.updatedAt, one.deletedAt]).to.deep.equal([
              known?.createdAt,
              known?.updatedAt,
              known?.deletedAt,
            ]);
            expect([one.lastForwardedAt, one.lastBlockedAt, one.lastSentAt]).to.deep.equal([
              known?.lastForwarded,
              known?.lastBlocked,
              known?.lastSent,
            ]);
          }
        }),
        { numRuns: 25 },
      );
    });

    it("of other users and masks that are gone for good are not found", async () => {
      const plain = {
        local: "a",
        domain: "masks.test",
        description: "",
        note: "",
        madeFor: "",
        labels: [],
        active: true,
        pinned: false,
        createdAt: now,
        updatedAt: now,
        destinations: [0],
        forwarded: 0,
        blocked: 0,
        sent: 0,
        lastUsed: null,
        lastForwarded: null,
        lastBlocked: null,
        lastSent: null,
      };
      await fill([
        { ...plain, user: "ann", deletedAt: null },
        { ...plain, user: "bob", deletedAt: null },
        { ...plain, user: "ann", deletedAt: now - dayMs },
        { ...plain, user: "ann", deletedAt: now - 31 * dayMs },
      ]);
      const found = await findPagedMasks(context, database.db, "ann", [
        "mask-02",
        "mask-03",
        "mask-01",
        "mask-00",
        "none",
      ]);
      expect(ids(found)).to.deep.equal(["mask-02", "mask-00"]);
      expect(await findPagedMasks(context, database.db, "ann", ["mask-01"])).to.deep.equal([]);
      const [ofBob] = await findPagedMasks(context, database.db, "bob", ["mask-01"]);
      expect(ofBob?.mask.maskEmail).to.equal("a@masks.test");
    });
  });
