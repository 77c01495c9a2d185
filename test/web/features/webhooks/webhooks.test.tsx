import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Webhook } from "../../../../core/webhooks/webhookEndpoints.ts";
import { createDelivery, createWebhook, madeSecret } from "../../../fakes/productWebhooks.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const openWebhooks = async (
  webhooks: readonly Webhook[] = [],
  before: (page: OpenPage) => void = () => {},
): Promise<OpenPage> => {
  const page = await openPage();
  page.product.webhooks.set(webhooks);
  before(page);
  await openSection(page, "Programs");
  await screen.findByRole("heading", { name: "Webhooks" });
  await page.act(() => {});
  return page;
};

const row = (url: string): HTMLElement => {
  const found = within(screen.getByRole("list", { name: "Webhooks" }))
    .getAllByRole("listitem")
    .find((item) => item.textContent?.startsWith(url));
  if (!found) throw new Error(`There is no webhook to ${url}`);
  return found;
};

const choose = async (page: OpenPage, url: string, action: string): Promise<void> => {
  await page.press(`Actions for ${url}`);
  await page.user.click(await screen.findByRole("menuitem", { name: action }));
  await page.act(() => {});
};

const shop = "https://shop.example/hook";
const bodyOf = (page: OpenPage, to: string): unknown => page.server.requestsTo(to).at(-1)?.body;

describe("The webhooks in the settings", () => {
  useDom();
  afterEach(closePages);

  it("say what they are for while there is none", async () => {
    await openWebhooks();
    screen.getByText("No webhooks yet");
    screen.getByText(/notifies a program of yours/);
  });

  it("are listed with their state, what they are told, their last delivery, and what stands in the way", async () => {
    const ago = new Date(Date.now() - 5 * 60_000).toISOString();
    await openWebhooks([
      createWebhook("shop", {
        events: ["mail.held", "mask.made"],
        labels: ["shops", "work"],
        includesContent: true,
        lastDelivery: createDelivery("1", { created: ago }),
      }),
      createWebhook("slow", { failingSince: ago }),
      createWebhook("gone", { state: "paused", pausedBecause: "gone" }),
      createWebhook("late", { state: "paused", pausedBecause: "failing" }),
      createWebhook("idle", { state: "off", earlierSecretUntil: "2026-11-21T09:00:00.000Z" }),
    ]);
    const first = within(row(shop));
    first.getByText("Working");
    first.getByText("Mail: held. Masks: created · Only masks labeled shops or work · With subject and text");
    first.getByText("Last delivery: Mail received, 5 minutes ago. Answered 204 in 120 ms.");
    const slow = within(row("https://slow.example/hook"));
    slow.getByText("Failing");
    slow.getByText("Failing for 5 minutes. After 24 hours it is paused.");
    within(row("https://gone.example/hook")).getByText(/^The receiver answered that it is gone \(410\)/);
    within(row("https://late.example/hook")).getByText(/^Nothing could be delivered for 24 hours/);
    const idle = within(row("https://idle.example/hook"));
    idle.getByText("Off");
    idle.getByText(/^The earlier secret signs too until November 21, 2026/);
  });

  it("are added with what is chosen, and show their secret once", async () => {
    const page = await openWebhooks();
    await page.press("Add webhook");
    const form = await screen.findByRole("dialog", { name: "Add webhook" });
    await page.type("Address", shop);
    await page.user.click(within(form).getByRole("checkbox", { name: "Blocked" }));
    await page.user.click(within(form).getByRole("checkbox", { name: "Received" }));
    await page.type("Only masks with a label", "shops, work");
    await page.user.click(within(form).getByRole("checkbox", { name: "Send subject and text of mail" }));
    await page.user.click(within(form).getByRole("button", { name: /^Add webhook/ }));
    await page.act(() => {});
    expect(bodyOf(page, "POST /account/webhooks")).to.deep.equal({
      url: shop,
      events: ["mail.blocked"],
      labels: ["shops", "work"],
      includesContent: true,
    });
    await screen.findByRole("alertdialog", { name: "Your webhook secret" });
    await page.user.keyboard("{Escape}");
    screen.getByText("Close without the secret? It is never shown again.");
    await page.press("Keep it open");
    await page.press(`Copy ${madeSecret}`);
    expect(page.page.clipboard()).to.equal(madeSecret);
    await page.press("I have saved it");
    within(row(shop)).getByText("Working");
    expect(screen.queryByText(madeSecret)).to.equal(null);
  });

  it("say at the field what the server refuses", async () => {
    const message = "Enter a public address: this server sends nothing to private networks";
    const page = await openWebhooks([], ({ server }) =>
      server.on("POST", "/account/webhooks", {
        status: 400,
        json: { message, errors: [{ field: "url", message }] },
      }),
    );
    await page.press("Add webhook");
    await page.type("Address", "https://10.0.0.7/{Enter}");
    await page.act(() => {});
    screen.getByText(message);
    expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).to.equal("true");
    const events = "Choose at least one event, each once";
    page.server.on("POST", "/account/webhooks", {
      status: 400,
      json: { message: events, errors: [{ field: "events", message: events }] },
    });
    await page.type("Address", "x{Enter}");
    await page.act(() => {});
    screen.getByText(events);
    page.server.on("POST", "/account/webhooks", {
      status: 409,
      json: { message: "You have 20 webhooks. Delete one that you no longer use." },
    });
    await page.type("Address", "y{Enter}");
    await page.act(() => {});
    screen.getByText("You have 20 webhooks. Delete one that you no longer use.");
  });

  it("never send content while the account has a key, which the form says", async () => {
    const page = await openWebhooks([createWebhook("shop", { includesContent: true })], ({ product }) =>
      product.webhooks.setHasKey(true),
    );
    await choose(page, shop, "Edit");
    const form = await screen.findByRole("dialog", { name: "Edit webhook" });
    const content = within(form).getByRole<HTMLInputElement>("checkbox", {
      name: "Send subject and text of mail",
    });
    expect([content.disabled, content.checked]).to.deep.equal([true, false]);
    screen.getByText("Your mail is encrypted to your key, so webhooks never have its content.");
    await page.press("Save");
    expect(bodyOf(page, "PATCH /account/webhooks/shop")).to.have.property("includesContent", false);
  });

  it("are switched off and on and resumed, and a failure is said in the row", async () => {
    const page = await openWebhooks([createWebhook("shop", { state: "paused", pausedBecause: "gone" })]);
    await page.press(`Resume: ${shop}`);
    within(row(shop)).getByText("Working");
    await choose(page, shop, "Switch off");
    within(row(shop)).getByText("Off");
    screen.getByText("Webhook switched off");
    page.server.on("PATCH", "/account/webhooks/:id", { status: 400, json: { message: "Not now" } });
    await choose(page, shop, "Switch on");
    within(row(shop)).getByText("Not now");
  });

  it("show what came of a test, and send a message again", async () => {
    const page = await openWebhooks([createWebhook("shop")]);
    page.product.webhooks.setDeliveries([
      createDelivery("7", {
        state: "failed",
        status: 500,
        attempts: 12,
        problem: "Answered 500, which is not a success.",
        answer: "The queue is full",
      }),
    ]);
    await choose(page, shop, "Send a test");
    const dialog = await screen.findByRole("dialog", { name: "Deliveries to shop.example" });
    await page.act(() => {});
    within(dialog).getByText("No answer yet.");
    within(dialog).getByText("Answer: The queue is full");
    within(dialog).getByText(/· 12 attempts$/);
    const [, old] = page.product.webhooks.deliveries();
    const done = createDelivery("test 1", { event: "webhook.test", status: 200 });
    page.product.webhooks.setDeliveries(old ? [done, old] : [done]);
    await page.advance(1_000);
    within(dialog).getByText("The test arrived. Answered 200 in 120 ms.");
    await page.user.click(within(dialog).getByRole("button", { name: /^Send again: Mail received/ }));
    await page.act(() => {});
    expect(page.server.requestsTo("POST /account/webhooks/shop/deliveries/7")).to.have.length(1);
    page.product.webhooks.setDeliveries([
      createDelivery("7", {
        state: "waiting",
        status: 500,
        problem: "Answered 500, which is not a success.",
        nextAttempt: "2026-11-20T10:00:00.000Z",
      }),
    ]);
    await page.advance(1_000);
    within(dialog).getByText("The message failed. Answered 500, which is not a success.");
  });

  it("say when nothing was sent yet", async () => {
    const page = await openWebhooks([createWebhook("shop")]);
    await page.press(`Deliveries: ${shop}`);
    await screen.findByText("Nothing was sent yet");
    screen.getByText(/The last 100 messages are listed here/);
  });

  it("get a new secret after a question", async () => {
    const page = await openWebhooks([createWebhook("shop")]);
    await choose(page, shop, "New secret");
    await screen.findByRole("alertdialog", { name: "Create a new secret for shop.example?" });
    await page.press("Create secret");
    await screen.findByRole("alertdialog", { name: "Your webhook secret" });
    screen.getByText(madeSecret);
  });

  it("are deleted after a question", async () => {
    const page = await openWebhooks([createWebhook("shop")]);
    await choose(page, shop, "Delete");
    const question = await screen.findByRole("alertdialog", {
      name: "Delete the webhook to shop.example?",
    });
    await page.user.click(within(question).getByRole("button", { name: /^Delete/ }));
    await page.act(() => {});
    screen.getByText("Webhook deleted");
    screen.getByText("No webhooks yet");
  });

  it("can be loaded again after a failure", async () => {
    const page = await openWebhooks([], ({ server }) =>
      server.on("GET", "/account/webhooks", { status: 400, json: { message: "Not now" } }),
    );
    page.server.on("GET", "/account/webhooks", {
      json: { webhooks: [createWebhook("shop")], hasKey: false },
    });
    const banner = screen.getByText("Not now").parentElement?.parentElement;
    await page.user.click(within(banner ?? document.body).getByRole("button", { name: "Try Again" }));
    await page.act(() => {});
    row(shop);
  });
});
