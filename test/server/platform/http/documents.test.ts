import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { createOutbox } from "../../../../server/delivery/queue/outbox.ts";
import { createOutboxTransport } from "../../../../server/delivery/queue/outboxTransport.ts";
import { useBrowser } from "../../../support/browser.ts";
import { withContent } from "../../support/queue.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("The pages that the server renders, in a real browser", () => {
  let server: TestServer;
  const browser = useBrowser();
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bauta-outbox-"));
    server = await startServer({ outbox: createOutbox(folder) });
    const user = await server.signIn("newcomer@example.org");
    await user.call("POST", "/masks", { body: { description: "x", forwardTo: "elsewhere@example.net" } });
    const transport = createOutboxTransport(folder);
    for (const [index, mail] of (await server.mails()).entries())
      await transport.send(
        withContent({ ...mail, id: `mail${index}`, createdAt: Date.now() + index }, mail.content),
      );
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const link = async (): Promise<string> =>
    /\/confirm\?token=[\w-]+/.exec((await server.mails("elsewhere@example.net")).at(-1)?.text ?? "")?.[0] ??
    "";

  const visit = async (
    look: { readonly colorScheme: "light" | "dark"; readonly width: number },
    tour: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const { colorScheme, width } = look;
    const context = await browser().newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") refusals.push(message.text());
    });
    await tour(page);
    await context.close();
    expect(refusals).to.deep.equal([]);
  };

  const isFit = async (page: Page): Promise<void> => {
    const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).to.deep.equal([]);
    const wider = await page.evaluate(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    expect(wider, "nothing sticks out sideways").to.equal(false);
  };

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1_280])
      it(`pass the accessibility checks, ${colorScheme}, at ${width} px`, async () => {
        await visit({ colorScheme, width }, async (page) => {
          await page.goto(`${server.origin}/outbox`);
          await isFit(page);
          await page.getByRole("link", { name: /sign-in code/ }).click();
          await isFit(page);
          await page
            .frameLocator("iframe")
            .getByText(await server.code("newcomer@example.org"))
            .waitFor();
          await page.goto(`${server.origin}${await link()}`);
          await isFit(page);
        });
      });

  it("allow a user to confirm an address with one click on the button", async () => {
    await visit({ colorScheme: "light", width: 1_280 }, async (page) => {
      await page.goto(`${server.origin}${await link()}`);
      await page.getByRole("button", { name: "Yes, forward it here" }).click();
      await page.getByRole("heading", { name: "Confirmed" }).waitFor();
      await isFit(page);
    });
    const { confirmed_at } = await server.database.db
      .selectFrom("destinations")
      .select("confirmed_at")
      .where("email", "=", "elsewhere@example.net")
      .executeTakeFirstOrThrow();
    expect(confirmed_at).to.be.a("number");
  });
});
