import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createTransport } from "nodemailer";
import { sendMail } from "../e2e/support/mail.ts";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo, mailInOutbox, outboxOf } from "../e2e/support/server.ts";
import { until } from "../server/support/until.ts";
import type { BrowserKind } from "./support/driver.ts";
import type { Target } from "./support/inPage.ts";
import {
  button,
  byRole,
  byText,
  dialog,
  field,
  heading,
  keys,
  textbox,
  type UserPage,
} from "./support/page.ts";
import { usePage } from "./support/usePage.ts";

const passphrase = "seven quiet boats leave at noon";
const marker = "marker-5c1de0a7";

const card = (description: string): Target => byRole("listitem", undefined, { has: heading(description) });
const openTab = (page: UserPage, name: string): Promise<void> =>
  page.click(byRole("link", name, { within: byRole("navigation", "Main") }));

const openSecurity = async (page: UserPage): Promise<void> => {
  await openTab(page, "Settings");
  await page.click(byRole("link", "Security"));
  // What is loaded above moves what is pressed below it.
  await page.see(byText("No passkeys yet"));
};

/** Describes the main journeys in a browser, from an empty server on. */
export const describeJourneys = (kind: BrowserKind): void => {
  describe(`the main journeys in ${kind.name}`, () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "bauta-journeys-"));
    });
    after(() => rm(folder, { recursive: true, force: true }));
    const page = usePage(kind);
    const server = useServer();
    beforeEach(() => page.open(server.url));

    const enterCode = async (email: string, seen?: ReadonlySet<string>): Promise<void> => {
      await page.see(heading("Sign in to Bauta"));
      await page.type(textbox("Email address"), email);
      await page.press(keys.enter);
      await page.see(textbox("Verification code"));
      await page.type(textbox("Verification code"), await codeMailedTo(server, email, seen));
    };
    const signUp = async (email: string): Promise<void> => {
      await enterCode(email);
      await page.click(button(/^(?:Create account|Continue with Free)$/));
      await page.click(button("Not now"));
      await page.see(heading("Protect your account"));
      await page.click(button("Not now"));
      await page.see(heading("Your Email Masks"));
    };
    /** Creates a mask and returns its address. */
    const createMask = async (description: string): Promise<string> => {
      await page.click(button("Create Mask"));
      await page.type(textbox("Description", dialog("Create Mask")), description);
      await page.click(button("Create Mask", dialog("Create Mask")));
      await page.miss(dialog("Create Mask"));
      const copy = button(/^Copy /, card(description));
      await page.see(copy);
      // A narrow card cuts an address between its two parts, which stand apart.
      const [address = ""] = await page.texts(copy);
      return address.replace(/\s/g, "");
    };
    const saveAs = async (name: string, content: string): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, content, "latin1");
      return path;
    };
    const openMail = async (content: string): Promise<void> => {
      await page.click(button("Open an email", byRole("article", "Email Encryption")));
      await page.chooseFile(
        { selector: "input[type=file]", within: dialog("Open an email") },
        await saveAs("mail.eml", content),
      );
    };
    /** Returns the first mail that was forwarded encrypted. */
    const encrypted = async (): Promise<string> => {
      let found: string | undefined;
      await until("an encrypted mail is forwarded", async () => {
        found = (await outboxOf(server)).find((mail) => mail.includes("multipart/encrypted"));
        return found !== undefined;
      });
      return found ?? "";
    };

    it("a user signs up with a key, reads encrypted mail, logs out, and restores the key from its backup", async () => {
      const email = "private@example.org";
      await enterCode(email);
      await page.click(button(/^(?:Create account|Continue with Free)$/));
      await page.see(heading("Encrypt your mail"));
      await page.click(button("Generate Encryption Keys"));
      await page.type(field("Passphrase for the backup"), passphrase);
      await page.type(field("Passphrase again"), passphrase);
      await page.click(button("Show as text to print"));
      const sheet = byRole("region", "Backup of your private key");
      await page.see(sheet);
      const [backup = ""] = await page.texts(sheet);
      expect(backup).to.include("-----BEGIN PGP PRIVATE KEY BLOCK-----");
      await page.click(byRole("checkbox", /I have saved the backup/));
      await page.click(button("Switch on encryption"));
      await page.see(byText("Encryption keys set up successfully"));
      await page.see(heading("Protect your account"));
      await page.click(button("Not now"));
      await page.see(heading("Your Email Masks"));

      const mask = await createMask("Shop");
      const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
      await transport.sendMail({
        envelope: { from: "orders@shop.example.org", to: mask },
        from: "Corner Shop <orders@shop.example.org>",
        to: mask,
        subject: `Order ${marker}`,
        text: `Plain ${marker}\n`,
        html: `<h1>Rich ${marker}</h1><img src=x onerror="top.hacked = 1"><script>top.hacked = 1</script>`,
      });
      transport.close();
      const mail = await encrypted();
      expect(mail).not.to.include(marker);
      await openSecurity(page);
      const read = async (): Promise<void> => {
        await openMail(mail);
        await page.see(heading(`Order ${marker}`));
        await page.seeInFrame(`Rich ${marker}`);
        await page.click(button("Show plain text"));
        await page.see(byText(new RegExp(`Plain ${marker}`)));
        await page.click(button("Close", dialog()));
      };
      await read();
      expect(await page.run("return typeof window.hacked")).to.equal("undefined");

      await page.click(button("Log out"));
      await page.click(button("Log out", byRole("alertdialog")));
      await enterCode(email, new Set([await codeMailedTo(server, email)]));
      await page.see(heading("Your Email Masks"));
      await openSecurity(page);
      await page.see(byText(/The private key is on another device/));
      await page.click(button("Import a backup", byRole("article", "Email Encryption")));
      await page.chooseFile(
        { selector: "input[type=file]", within: dialog("Import a backup") },
        await saveAs("backup.asc", backup),
      );
      await page.type(field("Passphrase of the backup"), "not this one");
      await page.click(button("Import the key"));
      await page.see(byText(/This passphrase does not open the backup/));
      await page.type(field("Passphrase of the backup"), passphrase);
      await page.click(button("Import the key"));
      await page.see(byText("This device can open your mail now."));
      await page.click(button("Done"));
      await read();
    });

    it("masks are created, found, edited, switched off and deleted, and mail to them is counted", async () => {
      await signUp("masks@example.org");
      await page.see(byText("You don't have any email masks yet."));
      const address = await createMask("Corner Shop");
      expect(address).to.match(/^[a-z0-9]+@masks\.localhost$/);
      await createMask("Café Ołtarz");
      await sendMail(server, address);
      const received = byRole("definition", undefined, { within: card("Corner Shop") });
      await until("the mail is counted as received and forwarded", async () => {
        const [arrived, forwarded] = await page.texts(received);
        return arrived === "1" && forwarded === "1";
      });

      await page.type(byRole("searchbox", "Search masks"), "cafe");
      await page.miss(card("Corner Shop"));
      await page.see(card("Café Ołtarz"));
      await page.type(byRole("searchbox", "Search masks"), "shop");
      await page.see(card("Corner Shop"));

      await page.click(byRole("switch", "Corner Shop forwards mail"));
      await page.see(byText("Switched off: mail is refused"));
      await page.click(button("Options for Corner Shop"));
      await page.click(byRole("menuitem", "Edit mask"));
      await page.type(textbox("Description", dialog("Edit Mask")), "Bookshop");
      await page.click(button("Save Changes"));
      await page.miss(dialog("Edit Mask"));
      await page.see(card("Bookshop"));
      expect(await page.isFocused(button("Options for Bookshop"))).to.equal(true);

      await page.click(button("Options for Bookshop"));
      await page.click(byRole("menuitem", "Delete mask"));
      await page.click(button("Delete mask", byRole("alertdialog")));
      await page.miss(byRole("alertdialog"));
      await page.miss(card("Bookshop"));
      await page.click(button("Show all masks"));
      await page.reload();
      await page.see(card("Café Ołtarz"));
      await page.miss(card("Bookshop"));
    });

    it("a rule is tried on a mail, saved, and applied to the next one", async () => {
      await signUp("rules@example.org");
      const address = await createMask("Corner Shop");
      await openTab(page, "Rules");
      await page.click(button("Add First Rule"));
      const editor = dialog("Create New Rule");
      const choose = async (name: string, option: string): Promise<void> => {
        await page.click(button(new RegExp(`${name}$`), editor));
        await page.click(byRole("option", option));
      };
      await page.type(textbox("Rule Name", editor), "Orders");
      await choose("Rule Type", "Content filter");
      await choose("Condition 1: field", "Subject");
      await choose("Condition 1: operator", "contains");
      await page.type(textbox("Condition 1: value", editor), "order, invoice");
      await choose("Action 1: what happens", "Tag");
      await page.type(textbox("Tag", editor), "Shopping");
      await page.click(button("Test an email", editor));
      await page.type(textbox("Mail", editor), "From: a@shop.example.org\nSubject: Your order\n\nHello");
      await page.see(byText("It is tagged Shopping."));
      await page.click(button("Save Rule", editor));
      await page.see(byText("Rule created successfully"));
      await page.see(byText("Not applied yet"));
      await sendMail(server, address);
      await page.see(byText(/Applied once, last just now/));
      const mine = await mailInOutbox(server, `X-Bauta-Mask: ${address}`);
      expect(mine).to.include("Subject: [Shopping] Your order is on its way");
    });

    it("insights count the mail that has come, live", async () => {
      await signUp("insights@example.org");
      const address = await createMask("Corner Shop");
      await openTab(page, "Insights");
      await page.see(byText("No mail has come yet."));
      for (let count = 0; count < 3; count += 1) await sendMail(server, address);
      const totals = byRole("region", "This month and in total");
      await page.see(byRole("definition", undefined, { within: totals, has: byText("3") }));
      await page.see(byRole("img", "shop.example.org: 3"));
    });

    it("rules changed while the server is away survive a reload and are sent when it is back", async () => {
      await signUp("train@example.org");
      await createMask("Corner Shop");
      await openTab(page, "Rules");
      await page.see(button("Apply Travel"));
      await page.until(
        "the page's files to be cached",
        "await navigator.serviceWorker.ready; return navigator.serviceWorker.controller !== null",
      );
      await server.stop();
      await page.click(button("Apply Travel"));
      await page.see(byRole("listitem", "Tag travel plans"));
      await page.click(byRole("switch", undefined, { within: byRole("listitem", "Tag travel plans") }));
      await page.see(byText(/pending sync/));
      await page.reload();
      await openTab(page, "Rules");
      await page.see(byRole("listitem", "Tag travel plans"));
      await server.restart();
      await page.until("the changes to be sent", "return localStorage.getItem('pendingRulesSync') === null");
      await page.miss(byText("Local only"));
      const rules = await page.run(`
        const authorization = "Bearer " + localStorage.getItem("authToken");
        const answer = await fetch("/masks", { headers: { accept: "application/json", authorization } });
        const { masks } = await answer.json();
        return masks.map(({ settings }) => settings.rules.map(({ name, enabled }) => [name, enabled]))`);
      expect(rules).to.deep.equal([[["Tag travel plans", false]]]);
    });
  });
};
