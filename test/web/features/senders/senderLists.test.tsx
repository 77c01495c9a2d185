import "../../../support/dom.ts";
import "../../../../web/features/held/HeldPage.tsx";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import type { HeldMail } from "../../../../core/held/heldMail.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, openPage } from "../../support/openPage.tsx";

const mailFrom = (address: string): HeldMail => ({
  id: address,
  maskId: "shop",
  direction: "received",
  reason: "unknown",
  from: { name: "", address },
  subject: "Order",
  recipient: "ada@example.org",
  size: 1_000,
  answer: null,
  held: "2026-11-20T08:00:00.000Z",
  until: "2026-11-27T08:00:00.000Z",
});

describe("The allowed and blocked senders of a mask", () => {
  useDom();
  afterEach(closePages);

  it("follow a decision on another device, also when another mail has come in the meantime", async () => {
    let mails = [mailFrom("orders@shop.example")];
    let allow: readonly string[] = [];
    window.history.replaceState(null, "", "/#held?mask=shop");
    const page = await openPage({
      masks: [createMask("shop")],
      before: ({ server }) => {
        server.on("GET", "/held", () => ({ json: { mails, more: false } }));
        server.on("GET", "/masks/:id/senders", () => ({ json: { allow, block: [] } }));
      },
    });
    await screen.findByText("orders@shop.example", { exact: false });
    expect(screen.queryByRole("region", { name: "Always allowed" })).to.equal(null);
    mails = [mailFrom("news@shop.example")];
    allow = ["orders@shop.example"];
    await page.act(() => {
      page.sockets.latest().accept();
      page.sockets.latest().push({ type: "auth_response", data: { success: true } });
      page.sockets.latest().push({ type: "data_update", data: { resource: "held", action: "deleted" } });
    });
    await page.advance(2_000);
    await screen.findByRole("region", { name: "Always allowed" });
  });
});
