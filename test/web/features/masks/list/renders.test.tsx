import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import * as signedIn from "../../../../../core/app/signedIn.ts";
import { mapState } from "../../../../../core/kernel/state.ts";
import type { Mask } from "../../../../../core/masks/mask.ts";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";

/** The masks whose cards have been rendered since `forget`. */
const createRenderCount = () => {
  const rendered = new Set<string>();
  const watched = new WeakMap<Mask, Mask>();
  const watch = (mask: Mask): Mask => {
    const known = watched.get(mask);
    if (known !== undefined) return known;
    const seen = new Proxy(mask, {
      get: (target, name) => {
        if (name === "maskEmail") rendered.add(target.id);
        return Reflect.get(target, name) as unknown;
      },
    });
    watched.set(mask, seen);
    return seen;
  };
  const createSignedIn: typeof signedIn.createSignedIn = (deps) => {
    const part = signedIn.createSignedIn(deps);
    const page$ = mapState(part.masks.page$, (page) => ({ ...page, items: page.items.map(watch) }));
    return { ...part, masks: { ...part.masks, page$ } };
  };
  return {
    rendered: () => [...rendered],
    forget: () => rendered.clear(),
    loadSignedIn: async () => ({ ...signedIn, createSignedIn }),
  };
};

describe("The cards of masks", () => {
  useDom();
  afterEach(closePages);
  let page: OpenPage;
  const count = createRenderCount();

  beforeEach(async () => {
    page = await openMasks({
      masks: ["a", "b", "c"].map((id) => createMask(id)),
      settings: { loadSignedIn: count.loadSignedIn },
    });
    await page.act(page.sockets.latest().accept);
    await page.advance(2_000);
    expect(count.rendered()).to.have.members(["a", "b", "c"]);
    count.forget();
  });

  it("are rendered again only for the mask that a mail has arrived at", async () => {
    const statistics = { totalReceived: 7, totalForwarded: 0, spamBlocked: 0, totalSent: 0 };
    page.product.setMasks([createMask("a"), createMask("b", { statistics }), createMask("c")]);
    await page.act(() =>
      page.sockets.latest().push({
        type: "data_update",
        data: { resource: "masks", resourceId: "b", action: "updated" },
      }),
    );
    await page.advance(1_000);
    await screen.findByText("7");
    expect(count.rendered()).to.deep.equal(["b"]);
  });

  it("are rendered again only for the mask that is switched off", async () => {
    await page.user.click(screen.getByRole("switch", { name: /Mask c/ }));
    await page.advance(100);
    expect(count.rendered()).to.deep.equal(["c"]);
  });

  it("are not rendered again while a search is typed", async () => {
    await page.user.type(screen.getByRole("searchbox"), "mask");
    expect(count.rendered()).to.deep.equal([]);
  });
});
