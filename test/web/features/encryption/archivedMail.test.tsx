import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/encryption/mail/MailReader.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createFakeKeyring, fakeSeal } from "../../../fakes/fakeKeyring.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";

const mail = "From: a@shop.example\r\nSubject: Kept for you\r\n\r\nUntil Tuesday";

const openArchive = async (content: Uint8Array, keys = createFakeKeyring()) =>
  openTab("Rules", {
    masks: [createMask("shop")],
    keys,
    before: ({ server }) => {
      server.on("GET", "/archive", {
        json: {
          mails: [
            { id: "m1", maskId: "shop", size: 2_000, read: false, archived: "2026-11-20T08:00:00.000Z" },
          ],
          more: false,
          storage: { used: 2_000, limit: 1_000_000 },
        },
      });
      server.on("GET", "/archive/:id/copy", { json: { content: Buffer.from(content).toString("base64") } });
    },
  });

describe("An archived mail", () => {
  useDom();
  afterEach(closePages);

  it("is decrypted with the key of this device", async () => {
    const keys = createFakeKeyring();
    const created = await keys.keyring.create("ada@example.org")();
    const sealed = await fakeSeal(mail, created._tag === "Right" ? created.right.publicKey : "");
    const page = await openArchive(sealed, keys);
    await page.press(/^Open the email of/);
    const window = within(await screen.findByRole("dialog", { name: "Archived mail" }));
    await page.act(() => {});
    window.getByRole("heading", { name: "Kept for you" });
    window.getByText("Was encrypted");
    window.getByText("Until Tuesday");
    expect(screen.queryByText(/unread/), "it is listed as read").to.equal(null);
    await page.press("Close");
    expect(screen.queryByRole("dialog")).to.equal(null);
  });

  it("is also shown when it is not encrypted", async () => {
    const page = await openArchive(Buffer.from(mail));
    await page.press(/^Open the email of/);
    await page.act(() => {});
    screen.getByText("Was not encrypted");
  });

  it("explains what to do when this device does not have its key", async () => {
    const other = createFakeKeyring();
    const created = await other.keyring.create("ada@example.org")();
    const sealed = await fakeSeal(mail, created._tag === "Right" ? created.right.publicKey : "");
    const page = await openArchive(sealed);
    await page.press(/^Open the email of/);
    await page.act(() => {});
    screen.getByText(/This device does not hold the key that this email is encrypted to/);
  });
});
