import "../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { messagesSent } from "../../core/realtime/openSocketClient.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { tabLink } from "../support/tabLink.ts";

describe("The page over its socket (RT12)", () => {
  useDom();
  afterEach(closePages);

  /** The messages about topics since the last call, as in "subscribe insights". */
  const heard = ({ sockets }: OpenPage): (() => readonly string[]) => {
    let seen = 0;
    return () => {
      const all = messagesSent(sockets.latest().sent);
      const since = all.slice(seen);
      seen = all.length;
      return since.flatMap(({ type, data }) => {
        const { channel, resource, resourceId } = (data ?? {}) as Record<string, unknown>;
        const topic = [channel ?? resource, resourceId].filter(Boolean).join(" ");
        return ["subscribe", "unsubscribe", "request_update"].includes(String(type))
          ? [`${type} ${topic}`]
          : [];
      });
    };
  };
  const goTo = async (page: OpenPage, tab: string): Promise<void> => {
    await page.user.click(tabLink(tab));
    await page.advance(3_000);
  };

  it("subscribes to what it shows, lets go of what it leaves, and asks for it on the return", async () => {
    const page = await openMasks({ masks: [createMask("shop"), createMask("news")] });
    const said = heard(page);
    await page.act(() => page.sockets.latest().accept());
    await page.advance(500);
    expect(said()).to.deep.equal([
      "subscribe notifications",
      "subscribe masks",
      "subscribe account",
      "subscribe held",
    ]);
    await goTo(page, "Insights");
    expect(said()).to.include.members(["subscribe insights", "subscribe account-rules"]);
    await goTo(page, "Rules");
    const atRules = said();
    expect(atRules).to.include.members(["unsubscribe insights", "subscribe rules shop"]);
    await goTo(page, "Masks");
    expect(said()).to.include("unsubscribe rules shop");
    await goTo(page, "Rules");
    expect(said()).to.include.members(["subscribe rules shop", "request_update rules shop"]);
    expect(atRules).not.to.include("request_update rules shop");
  });

  it("fetches the rules of a mask that the server says have changed without saying how", async () => {
    const page = await openMasks({ masks: [createMask("shop"), createMask("news")] });
    await page.act(() => page.sockets.latest().accept());
    await page.advance(2_000);
    await goTo(page, "Rules");
    page.product.setMasks([
      createMask("shop", {
        settings: {
          rules: [
            {
              id: "r1",
              name: "Made elsewhere",
              type: "content_filter",
              conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
              actions: [{ type: "block" }],
            },
          ],
        },
      }),
      createMask("news"),
    ]);
    const before = page.server.requestsTo("GET /masks").length;
    await page.act(() =>
      page.sockets.latest().push({
        type: "data_update",
        data: { resource: "rules", resourceId: "shop", action: "updated" },
      }),
    );
    await page.advance(1_000);
    expect(page.server.requestsTo("GET /masks/shop").length).to.equal(1);
    expect(page.server.requestsTo("GET /masks").length).to.equal(before);
    screen.getByText("Made elsewhere");
  });
});
