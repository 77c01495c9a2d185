import { expect } from "chai";
import { until } from "../server/support/until.ts";
import {
  isSignedWith,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../server/support/webhookReceiver.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { loadAt } from "./support/visitor.ts";

describe("A webhook, in a real browser", () => {
  const { visitAs, server } = useProduct(() => ({ WEBHOOK_NETWORKS: "loopback" }));
  let receiver: WebhookReceiver;

  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver?.close());

  it("is added, tested, told of a mask, given a new secret, switched off and deleted, by keyboard", async () => {
    const { page } = await visitAs("hooks@example.org");
    await loadAt(page, `${server.url}/#settings/programs`);
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("button", { name: "Add webhook" }).press("Enter");
    const form = page.getByRole("dialog", { name: "Add webhook" });
    const address = form.getByRole("textbox", { name: "Address" });
    await address.fill("https://10.0.0.7/hook");
    await address.press("Enter");
    await form.getByText("Enter a public address: this server sends nothing to private networks").waitFor();
    await expectAccessible(page, "a refused webhook");
    await address.fill(receiver.url);
    await form.getByRole("checkbox", { name: "Created" }).press("Space");
    await address.press("Enter");

    const copySecret = async (): Promise<string> => {
      const shown = page.getByRole("alertdialog", { name: "Your webhook secret" });
      await shown.getByRole("button", { name: /^Copy whsec_/ }).press("Enter");
      const secret = await page.evaluate(() => navigator.clipboard.readText());
      await expectAccessible(page, "a webhook's secret");
      await shown.getByRole("button", { name: "I have saved it" }).press("Enter");
      await shown.waitFor({ state: "hidden" });
      return secret;
    };
    const secret = await copySecret();
    const list = page.getByRole("list", { name: "Webhooks" });
    await list.getByText("Working").waitFor();
    await list.getByText("Nothing was sent yet.").waitFor();
    await expectAccessible(page, "the webhooks");

    const menu = page.getByRole("button", { name: `Actions for ${receiver.url}` });
    const choose = async (name: string): Promise<void> => {
      await menu.press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
    };
    await choose("Send a test");
    const deliveries = page.getByRole("dialog", { name: /^Deliveries to 127\.0\.0\.1:/ });
    await deliveries.getByText(/^The test arrived\. Answered 204 in \d+ ms\.$/).waitFor();
    expect(receiver.messages.map(({ json }) => json.type)).to.deep.equal(["webhook.test"]);
    for (const message of receiver.messages) expect(isSignedWith(secret, message)).to.equal(true);
    await deliveries.getByRole("button", { name: /^Send again: Test/ }).press("Enter");
    await deliveries.getByText(/· 2 attempts$/).waitFor();
    const ids = receiver.messages.map(({ headers }) => headers["webhook-id"]);
    expect(ids).to.deep.equal([ids[0], ids[0]]);
    await expectAccessible(page, "the deliveries of a webhook");
    await page.keyboard.press("Escape");
    await deliveries.waitFor({ state: "hidden" });
    await until("the focus is back", () => menu.evaluate((button) => button === document.activeElement));
    await list.getByText(/^Last delivery: Test, just now\. Answered 204 in/).waitFor();

    await choose("New secret");
    const question = page.getByRole("alertdialog", { name: /^Create a new secret for/ });
    await question.getByRole("button", { name: "Create secret" }).press("Enter");
    const newSecret = await copySecret();
    expect(newSecret).not.to.equal(secret);
    await list.getByText(/^The earlier secret signs too until/).waitFor();

    await page.goto(`${server.url}/#masks`);
    await page.getByRole("button", { name: "Create mask" }).first().press("Enter");
    const description = page.getByRole("dialog").getByRole("textbox", { name: "Description" });
    await description.fill("Told of");
    await description.press("Enter");
    await until("the mask is told", async () => receiver.messages.length === 3);
    const [, , made] = receiver.messages;
    expect(made?.json.type).to.equal("mask.made");
    expect(made && [secret, newSecret].map((one) => isSignedWith(one, made))).to.deep.equal([true, true]);

    await page.getByRole("button", { name: /^Notifications/ }).press("Enter");
    await page.getByRole("link", { name: "Show webhooks" }).press("Enter");
    const title = page.getByRole("heading", { name: "Webhooks" });
    const isFocused = (): Promise<boolean> => title.evaluate((heading) => heading === document.activeElement);
    await until("the card has the focus", isFocused);
    await choose("Switch off");
    await list.getByText("Off", { exact: true }).waitFor();
    await choose("Delete");
    const sure = page.getByRole("alertdialog", { name: /^Delete the webhook to/ });
    await sure.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("No webhooks yet").waitFor();
    await until("the focus is in the card", isFocused);
  });
});
