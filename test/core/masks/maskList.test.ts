import { expect } from "chai";
import fc from "fast-check";
import { isActive, type Mask } from "../../../core/masks/mask.ts";
import { newestFirst, pageOfMask, toMaskPage } from "../../../core/masks/maskList.ts";
import { defaultListSettings, type MaskSort } from "../../../core/masks/maskListSettings.ts";
import type { MaskQuery } from "../../../core/masks/maskQuery.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { createMask } from "../../fakes/productServer.ts";

const masksPerPage = 5;

const query = (more: Partial<MaskQuery> = {}): MaskQuery => ({ search: "", filter: "all", page: 1, ...more });

const word = fc.constantFrom("shop", "Bank", "news", "é", "");
const anyMask: fc.Arbitrary<Mask> = fc.record({
  id: fc.uuid(),
  description: fc.oneof(word, fc.string()),
  maskEmail: word.map((name) => `${name}x@masks.example`),
  forwardTo: word.map((name) => `${name}y@example.org`),
  active: fc.boolean(),
  created: fc.oneof(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
    fc.constant("not a date"),
  ),
});
const masks = fc.uniqueArray(anyMask, { selector: ({ id }) => id, maxLength: 40 });
const anyQuery: fc.Arbitrary<MaskQuery> = fc.record({
  search: fc.oneof(word, fc.string()),
  filter: fc.constantFrom("all", "active", "disabled"),
  page: fc.integer({ min: -3, max: 50 }),
});

describe("A page of the mask list", () => {
  it("contains at most 5, and all pages together contain every match once, in order", () => {
    fc.assert(
      fc.property(masks, anyQuery, (all, requests) => {
        const { pages, matching } = toMaskPage(all, requests);
        const shown = Array.from(
          { length: pages },
          (_, i) => toMaskPage(all, { ...requests, page: i + 1 }).items,
        );
        expect(Math.max(...shown.map(({ length }) => length))).to.be.at.most(masksPerPage);
        expect(shown.flat()).to.have.length(matching);
        expect(shown.flat()).to.deep.equal(all.filter((mask) => shown.flat().includes(mask)));
      }),
    );
  });

  for (const [search, description] of [
    ["cafe", "Café Central"],
    ["CAFÉ", "cafe central"],
    ["strasse", "Hauptstraße"],
    ["STRAßE", "Hauptstrasse"],
    ["istanbul", "İstanbul"],
    ["ISTANBUL", "ıstanbul"],
    ["lodz", "Łódź"],
    ["οδοσ", "ΟΔΟΣ"],
    ["Smorrebrod", "smørrebrød"],
    ["ﬁnance", "Finance"],
  ] as const)
    it(`is found for "${search}" by "${description}", without regard to accents and case`, () => {
      const mask = createMask("a", { description });
      expect(toMaskPage([mask, createMask("b")], query({ search })).items).to.deep.equal([mask]);
    });

  it("is always one of the existing pages", () => {
    fc.assert(
      fc.property(masks, anyQuery, (all, requests) => {
        const { page, pages, items, matching } = toMaskPage(all, requests);
        expect(page).to.be.within(1, pages);
        expect(items.length > 0).to.equal(matching > 0);
      }),
    );
  });

  it("shows the matches of each filter, and counts all masks independently of the search", () => {
    fc.assert(
      fc.property(masks, anyQuery, (all, requests) => {
        const { items, counts, matching } = toMaskPage(all, requests);
        const active = all.filter(isActive).length;
        expect(counts).to.deep.equal({ all: all.length, active, disabled: all.length - active });
        expect(matching).to.be.at.most(counts[requests.filter]);
        if (requests.filter !== "all")
          for (const mask of items) expect(isActive(mask)).to.equal(requests.filter === "active");
      }),
    );
  });

  it("finds every mask by its description, address or destination, in any case", () => {
    const shown = (all: readonly Mask[], search: string) =>
      Array.from({ length: 10 }, (_, i) => toMaskPage(all, query({ search, page: i + 1 })).items).flat();
    fc.assert(
      fc.property(masks, (all) => {
        for (const mask of all) {
          for (const text of [mask.description ?? "", mask.maskEmail, mask.forwardTo])
            expect(shown(all, text)).to.include(mask);
          expect(shown(all, mask.maskEmail.toUpperCase())).to.include(mask);
        }
      }),
    );
  });

  it("finds several words in any order, and nothing that lacks one of them", () => {
    const all = [
      createMask("1", { description: "Green shop" }),
      createMask("2", { description: "Green bank" }),
    ];
    expect(toMaskPage(all, query({ search: " SHOP  green " })).items.map(({ id }) => id)).to.deep.equal([
      "1",
    ]);
    expect(toMaskPage(all, query({ search: "green boat" })).matching).to.equal(0);
  });

  it("counts masks without a state as active", () => {
    const silent: Mask = { id: "1", maskEmail: "a@b.example", forwardTo: "c@d.example" };
    expect(toMaskPage([silent], query({ filter: "active" })).matching).to.equal(1);
  });

  it("puts the newest first and the undated last", () => {
    fc.assert(
      fc.property(masks, (all) => {
        const sorted = newestFirst(all);
        const times = sorted.map(({ created }) => Date.parse(created ?? ""));
        const dated = times.filter((time) => !Number.isNaN(time));
        expect(times.slice(0, dated.length)).to.deep.equal(dated);
        expect(dated).to.deep.equal([...dated].sort((a, b) => b - a));
        expect(sorted).to.have.length(all.length);
        expect(all.every((mask) => sorted.includes(mask))).to.equal(true);
      }),
    );
  });
});

describe("The order of the mask list", () => {
  const figures = (received: number, blocked: number) => ({
    totalReceived: received,
    totalForwarded: 0,
    spamBlocked: blocked,
    totalSent: 0,
    lastUsed: null,
  });
  const some = [
    createMask("d", { description: "Émile", lastMailAt: 40, statistics: figures(3, 9) }),
    createMask("c", { description: "shop 10", lastMailAt: null, statistics: figures(9, 1) }),
    createMask("b", { description: "Shop 2", lastMailAt: 60, statistics: figures(9, 0) }),
    createMask("a", { description: "zebra", pinned: true, lastMailAt: 50, statistics: figures(0, 0) }),
  ];
  const order = (sort: MaskSort): string =>
    toMaskPage(some, query(), { ...defaultListSettings, sort })
      .items.map(({ id }) => id)
      .join("");

  it("is by age, name, last mail or figures, with pinned masks first and equal ones newest first", () => {
    expect(order("newest")).to.equal("adcb");
    expect(order("name"), "accents, case and numbers as people read them").to.equal("adbc");
    expect(order("lastMail")).to.equal("abdc");
    expect(order("mostMail")).to.equal("acbd");
    expect(order("mostBlocked")).to.equal("adcb");
  });

  it("names the page of each mask", () => {
    fc.assert(
      fc.property(masks, fc.constantFrom<MaskSort>("newest", "name", "mostMail"), (all, sort) => {
        const distinct = [...new Map(all.map((mask) => [mask.id, mask])).values()];
        const settings = { ...defaultListSettings, sort };
        for (const { id } of distinct) {
          const page = pageOfMask(distinct, query(), settings, id);
          expect(toMaskPage(distinct, query({ page }), settings).items.map((one) => one.id)).to.include(id);
        }
      }),
    );
  });
});

describe("The masks tab", () => {
  const twelve = Array.from({ length: 12 }, (_, i) =>
    createMask(`m${i}`, { description: i % 2 ? "odd" : "even", active: i % 3 > 0 }),
  );

  it("applies a search 300 ms after its last letter, from the first page", async () => {
    const { app, clock } = await startApp({ masks: twelve });
    app.masks.goTo(3);
    expect(app.masks.page$.value).to.deep.include({ page: 3, pages: 3, matching: 12 });
    app.masks.search("o");
    await clock.advance(200);
    app.masks.search("odd");
    expect(app.masks.query$.value).to.deep.equal({ search: "odd", filter: "all", page: 1 });
    await clock.advance(299);
    expect(app.masks.page$.value.matching).to.equal(12);
    await clock.advance(1);
    expect(app.masks.page$.value).to.deep.include({ page: 1, pages: 2, matching: 6 });
  });

  it("applies a filter at once, from the first page", async () => {
    const { app } = await startApp({ masks: twelve });
    app.masks.goTo(2);
    app.masks.filter("disabled");
    expect(app.masks.page$.value).to.deep.include({ page: 1, pages: 1, matching: 4 });
    expect(app.masks.page$.value.counts).to.deep.equal({ all: 12, active: 8, disabled: 4 });
  });

  it("shows the previous page when the last mask of the last one is deleted", async () => {
    const { app } = await startApp({ masks: twelve.slice(0, 6) });
    app.masks.goTo(2);
    const [last] = app.masks.page$.value.items;
    await app.masks.remove(last?.id ?? "")();
    expect(app.masks.page$.value).to.deep.include({ page: 1, pages: 1, matching: 5 });
  });
});
