import "../../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../../../web/features/rules/testPanel/TestPanel.tsx";
import { act, screen, waitFor } from "@testing-library/react";
import { expect } from "chai";
import PostalMime from "postal-mime";
import { createSandbox } from "sinon";
import type { Mask } from "../../../../../core/masks/mask.ts";
import { noStatistics } from "../../../../../core/masks/maskStatistics.ts";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { chooseFile, unreadableFile } from "../../../support/chooseFile.ts";
import { closePages } from "../../../support/openPage.tsx";
import { openTab } from "../../../support/openTab.ts";

const openTest = async (masks: readonly Mask[] = [createMask("shop")]) => {
  const page = await openTab("Rules", { masks });
  await page.press("Test an email");
  await screen.findByLabelText("Mail");
  return page;
};

const sandbox = createSandbox();

const tags = (word: string) => ({
  id: word,
  name: word,
  type: "content_filter",
  conditions: [{ field: "subject", operator: "contains", value: [word] }],
  actions: [{ type: "tag", params: { tag: word } }],
});

const mail = () => screen.getByLabelText<HTMLTextAreaElement>("Mail").value;

describe("The test panel with a mail from a file", () => {
  useDom();
  afterEach(() => {
    sandbox.restore();
    closePages();
  });

  it("loads the selected file, and another one that is selected after it", async () => {
    const page = await openTest();
    await chooseFile(page, "Choose an .eml file", new File(["Subject: One\n\nText"], "one.eml"));
    expect(mail()).to.equal("Subject: One\n\nText");
    await chooseFile(page, "Choose an .eml file", new File(["Subject: Two\n\nText"], "two.eml"));
    expect(mail()).to.equal("Subject: Two\n\nText");
  });

  it("tests the bytes of a file, in any character set", async () => {
    const rule = {
      id: "r1",
      name: "Greetings",
      type: "content_filter",
      conditions: [{ field: "body", operator: "contains", value: ["GRÜSSE"] }],
      actions: [{ type: "tag", params: { tag: "Greeting" } }],
    };
    const page = await openTest([createMask("shop", { settings: { rules: [rule] } })]);
    const text = "Subject: Hi\nContent-Type: text/plain; charset=iso-8859-1\n\nGrüße aus Zürich";
    await chooseFile(page, "Choose an .eml file", new File([Buffer.from(text, "latin1")], "hi.eml"));
    await screen.findByText("It is tagged Greeting.");
  });

  it("says what the checks of its sender found, where the mail states it", async () => {
    const page = await openTest();
    const results =
      "Authentication-Results: masks.example;\n spf=pass; dkim=pass; arc=fail; dmarc=fail (p=reject)";
    await chooseFile(page, "Choose an .eml file", new File([`${results}\nSubject: Hi\n\nText`], "hi.eml"));
    await screen.findByText("Checks of the sender: SPF pass, DKIM pass, DMARC fail, ARC fail.");
    await chooseFile(page, "Choose an .eml file", new File(["Subject: Hi\n\nText"], "plain.eml"));
    await waitFor(() => expect(screen.queryByText(/Checks of the sender/)).to.equal(null));
  });

  it("fills in the mask's count of the month, and discards a typed one when the mask changes", async () => {
    const month = new Date().toISOString().slice(0, 7);
    const rule = {
      id: "r1",
      name: "Many",
      type: "limit",
      conditions: [{ field: "emailCount", operator: "greater_than", value: 5 }],
      actions: [{ type: "block", params: { silentBlock: true } }],
    };
    const maskWith = (id: string, received: number) =>
      createMask(id, {
        settings: { rules: [rule] },
        statistics: { ...noStatistics, totalReceived: received, monthly: { month, received } },
      });
    const page = await openTest([maskWith("shop", 7), maskWith("news", 3)]);
    const count = () => screen.getByLabelText<HTMLInputElement>("Emails this month so far").value;
    expect(count()).to.equal("7");
    await page.type("Emails this month so far", "1");
    expect(count()).to.equal("1");
    await page.act(() => page.app.rules.select("news"));
    expect(count()).to.equal("3");
  });

  it("takes the focus as soon as it is opened, so that it scrolls into view", async () => {
    await openTest();
    expect(document.activeElement).to.equal(screen.getByRole("group", { name: "Test an email" }));
  });

  it("shows the result of the newest mail, though that of an older one comes later", async () => {
    const { promise: isLate, resolve: go } = Promise.withResolvers<void>();
    const parse = PostalMime.parse.bind(PostalMime);
    const parsing: ReturnType<typeof parse>[] = [];
    const parseLate: typeof parse = async (...args) => {
      await isLate;
      return parse(...args);
    };
    sandbox.replace(PostalMime, "parse", (...args) => {
      const parsed = parsing.length === 0 ? parseLate(...args) : parse(...args);
      parsing.push(parsed);
      return parsed;
    });
    const rules = [tags("Old"), tags("New")];
    const page = await openTest([createMask("shop", { settings: { rules } })]);
    await chooseFile(page, "Choose an .eml file", new File(["Subject: Old\n\nText"], "old.eml"));
    await waitFor(() => expect(parsing).to.have.length(1));
    await chooseFile(page, "Choose an .eml file", new File(["Subject: New\n\nText"], "new.eml"));
    await screen.findByText("It is tagged New.");
    await act(async () => {
      go();
      await parsing[0];
    });
    screen.getByText("It is tagged New.");
  });

  it("warns when a text has no header, and not when it has one", async () => {
    const page = await openTest([createMask("shop", { settings: { rules: [tags("Sale")] } })]);
    const hint = /No header was found in this text/;
    await page.type("Mail", "garbage");
    await screen.findByText(hint);
    await page.user.clear(screen.getByLabelText("Mail"));
    await page.type("Mail", "Subject: Sale");
    await screen.findByText("It is tagged Sale.");
    expect(screen.queryByText(hint)).to.equal(null);
  });

  it("shows that a file cannot be read, until another mail is entered", async () => {
    const sentence = "This file could not be read. Choose it again.";
    const page = await openTest();
    await chooseFile(page, "Choose an .eml file", unreadableFile("gone.eml"));
    screen.getByText(sentence);
    await page.type("Mail", "Subject: Typed");
    expect(screen.queryByText(sentence)).to.equal(null);
    await chooseFile(page, "Choose an .eml file", unreadableFile("gone.eml"));
    screen.getByText(sentence);
    await chooseFile(page, "Choose an .eml file", new File(["Subject: Here"], "here.eml"));
    expect(screen.queryByText(sentence)).to.equal(null);
    expect(mail()).to.equal("Subject: Here");
  });
});
