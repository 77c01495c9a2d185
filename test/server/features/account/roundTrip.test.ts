import { expect } from "chai";
import fc from "fast-check";
import type { AccountExport } from "../../../../core/account/accountDataEndpoints.ts";
import { parseCsv } from "../../../../core/kernel/csv.ts";
import { dataOf } from "../../support/accountData.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter((t) => !/[\p{Cc}<>]/u.test(t));
const someText = text.filter((t) => t.trim() === t && t.trim() !== "");
const label = fc.constantFrom("shops", "Bücher", "work at home", "=SUM", "'quoted'");
const sender = fc.constantFrom("a@shop.example", "shop.example", "other.example", "b@other.example");
const address = fc.constantFrom("home@second.example", "work@third.example");

const expiry = fc
  .record(
    {
      at: fc.integer({ min: 2_000_000_000_000, max: 4_000_000_000_000 }),
      mails: fc.integer({ min: 1, max: 999_999 }),
      idleDays: fc.integer({ min: 1, max: 3_650 }),
      firstSender: fc.boolean(),
      // biome-ignore lint/suspicious/noThenProperty: the contract's name
      then: fc.constantFrom("disable", "hold", "delete"),
    },
    { requiredKeys: ["then"] },
  )
  .filter(({ at, mails, idleDays, firstSender }) => Boolean(at || mails || idleDays || firstSender));

const mask = fc.record(
  {
    description: someText,
    note: fc.array(text, { maxLength: 3 }).map((lines) => lines.join("\r\n").trim()),
    labels: fc.uniqueArray(label, { maxLength: 4 }),
    pinned: fc.boolean(),
    active: fc.boolean(),
    whenOff: fc.constantFrom("refuse", "drop", "hold"),
    customPrefix: fc.constantFrom("shop", "x.y-z"),
    madeFor: fc.constantFrom("", "shop.example", "shop.co.uk"),
    destinations: fc.uniqueArray(address, { minLength: 1, maxLength: 2 }),
    expiry,
    senders: fc.record({
      mode: fc.constantFrom("all", "contacts", "listed", "approve"),
      allow: fc.uniqueArray(sender, { maxLength: 2 }),
      block: fc.uniqueArray(
        sender.map((one) => one.replace("example", "test")),
        { maxLength: 2 },
      ),
    }),
    settings: fc.record({
      notifyWhenOff: fc.boolean(),
      spamFilter: fc.boolean(),
      acceptUnproven: fc.boolean(),
      senderShown: fc.constantFrom("account", "full", "mask", "address"),
      actionLinks: fc.constantFrom("account", "off", "header", "footer"),
      unsubscribe: fc.constantFrom("account", "as-is", "through-mask", "through-mask-and-switch-off"),
    }),
  },
  { requiredKeys: ["description", "note", "labels", "pinned", "active", "whenOff", "settings"] },
);

const account = fc.record({
  masks: fc.uniqueArray(mask, { minLength: 1, maxLength: 4, selector: ({ description }) => description }),
  colors: fc.uniqueArray(fc.record({ name: label, color: fc.constantFrom("teal", "red", "gray") }), {
    selector: ({ name }) => name,
  }),
  names: fc.uniqueArray(fc.record({ email: address, name: someText }), { selector: ({ email }) => email }),
  settings: fc.record({
    senderShown: fc.constantFrom("full", "mask", "address"),
    actionLinks: fc.constantFrom("off", "header", "footer"),
    unsubscribe: fc.constantFrom("as-is", "through-mask", "through-mask-and-switch-off"),
    calendarsThroughMask: fc.boolean(),
    maskTags: fc.boolean(),
    heldNotices: fc.boolean(),
    maskFormat: fc.constantFrom(
      { kind: "uuid" },
      { kind: "words", length: 5 },
      { kind: "letters", length: 12 },
    ),
    maskListSettings: fc.record(
      {
        sort: fc.constantFrom("newest", "name", "mostBlocked"),
        layout: fc.constantFrom("cards", "rows"),
        pageSize: fc.record({ cards: fc.constantFrom(5, 10, 20, 50) }),
        columns: fc.uniqueArray(fc.constantFrom("address", "labels", "note", "expires")),
        isReversed: fc.boolean(),
      },
      { requiredKeys: ["sort", "layout", "pageSize", "columns"] },
    ),
  }),
});
type Sample = typeof account extends fc.Arbitrary<infer A> ? A : never;

const send = async (user: Client, method: string, path: string, body: unknown): Promise<unknown> => {
  const answer = await user.call(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
  return answer.json;
};

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

/** An export without what differs for every account: ids, addresses of masks, times, figures and confirmations. */
const comparable = (json: string): unknown => {
  const { masks, destinations, labels, settings } = JSON.parse(json) as AccountExport;
  return {
    masks: masks.map(({ settings: { rulesVersion: _v, ...own } = {}, expiry: ends, ...one }) => {
      const { id: _i, maskEmail: _m, created: _c, updated: _u, addresses: _a, statistics: _s, ...kept } = one;
      const { destinationStatus: _d, ...again } = kept;
      const { idleAt: _at, ...expires } = ends ?? { idleAt: 0 };
      return { ...again, expiry: expires, settings: own };
    }),
    destinations: destinations
      .filter(({ email }) => !email.includes("trip"))
      .map(({ email, name, publicKey }) => ({ email, name, publicKey }))
      .toSorted(byText),
    labels,
    settings,
  };
};

/** The addresses of the two accounts differ; masks go on forwarding to the first one. */
const withoutOwn = (content: string): string => content.replace(/trip\d+@own\.example/g, "own@trip.example");

const ownColumns = ["mask", "created", "custom_prefix"];

const comparableCsv = (csv: string): unknown => {
  const [head, ...rows] = parseCsv(csv);
  return rows.map(({ cells }) =>
    Object.fromEntries(
      (head?.cells ?? [])
        .map((name, at) => [name, cells[at]])
        .filter(([name]) => !ownColumns.includes(name ?? "")),
    ),
  );
};

describe("An export that is imported into an empty account", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ defaultTier: "self_hosted" });
  });
  after(() => server.stop());
  let users = 0;

  const signIn = (): Promise<Client> => {
    users += 1;
    return server.signIn(`trip${users}@own.example`);
  };

  const fill = async (user: Client, { masks, colors, names, settings }: Sample): Promise<void> => {
    for (const { email, name } of names) {
      const { id } = (await send(user, "POST", "/destinations", { email })) as { id: string };
      await send(user, "PATCH", `/destinations/${id}`, { name });
    }
    for (const color of colors) await send(user, "POST", "/labels", color);
    await send(user, "PUT", "/account/profile", settings);
    for (const one of masks) {
      server.clock.advance(1_000);
      await send(user, "POST", "/masks", one);
    }
  };

  for (const way of ["exportAll", "exportMasks"] as const)
    it(`is the same when it is exported again, by ${way}`, () =>
      fc.assert(
        fc.asyncProperty(account, async (sample) => {
          // One mailbox gets few confirmation mails an hour.
          server.clock.advance(2 * 3_600_000);
          const [from, to] = [await signIn(), await signIn()];
          await fill(from, sample);
          const source = await dataOf(from);
          const target = await dataOf(to);
          await target.imports.read(await source.content(way))();
          await target.imports.run()();
          const { value } = target.imports.state$;
          const rows = "rows" in value ? value.rows : [];
          expect(rows.filter(({ state }) => state.kind !== "made" && state.kind !== "taken")).to.deep.equal(
            [],
          );
          expect(rows.flatMap((row) => row.mask?.own?.leftOut ?? [])).to.deep.equal([]);
          const [before, after] = [
            withoutOwn(await source.content(way)),
            withoutOwn(await target.content(way)),
          ];
          if (way === "exportAll") expect(comparable(after)).to.deep.equal(comparable(before));
          else expect(comparableCsv(after)).to.deep.equal(comparableCsv(before));
        }),
        { numRuns: 12 },
      ));
});
