import "../../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../../web/features/rules/form/RuleDialog.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { Rule } from "../../../../../core/rules/model/rule.ts";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages } from "../../../support/openPage.tsx";
import { openTab } from "../../../support/openTab.ts";

const sale: Rule = {
  id: "rule_1",
  name: "Sales",
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "tag", params: { tag: "Sale" } }],
  updatedAt: "2026-11-01T10:00:00.000Z",
};

const withRules = (...rules: readonly Rule[]) => createMask("shop", { settings: { rules: [...rules] } });

const openEdit = async (rule: Rule = sale) => {
  const page = await openTab("Rules", { masks: [withRules(rule)] });
  await page.press(`Edit ${rule.name}`);
  const dialog = within(await screen.findByRole("dialog", { name: "Edit Rule" }));
  /** Simulates that another device saves the rules. */
  const saveElsewhere = (...rules: readonly Rule[]) =>
    page.act(() => {
      page.product.setMasks([withRules(...rules)]);
      void page.app.masks.refresh()();
    });
  return { ...page, dialog, saveElsewhere };
};

const rulesOnServer = (page: Awaited<ReturnType<typeof openEdit>>): readonly Rule[] =>
  (page.product.masks()[0]?.settings?.rules ?? []) as readonly Rule[];

describe("The rule dialog", () => {
  useDom();
  afterEach(closePages);

  it("moves the focus to a new condition and a new action", async () => {
    const page = await openEdit();
    await page.press("Add Condition");
    expect(document.activeElement?.textContent).to.contain("Field…");
    await page.press("Add Action");
    expect(document.activeElement?.textContent).to.contain("Action…");
  });

  it("moves the focus to the first error of a failed save", async () => {
    const page = await openEdit();
    await page.type(/^Rule Name/, "");
    await page.press("Save Rule");
    expect(document.activeElement).to.equal(screen.getByLabelText(/^Rule Name/));
    await page.type(/^Rule Name/, "Sales");
    await page.press("Remove condition 1");
    await page.press("Save Rule");
    expect(document.activeElement?.textContent).to.equal("At least one valid condition is required");
  });

  it("says first that an untouched rule has no name, and then the rest in its order (RU6)", async () => {
    const page = await openTab("Rules", { masks: [withRules(sale)] });
    await page.press("Create Rule");
    await screen.findByRole("dialog", { name: "Create New Rule" });
    await page.press("Save Rule");
    const name = screen.getByLabelText(/^Rule Name/);
    expect(document.activeElement).to.equal(name);
    for (const sentence of [
      "Rule name is required",
      "Rule type is required",
      "At least one valid condition is required",
    ])
      screen.getByText(sentence);
    await page.type("Condition 1: value", "sale");
    expect(name).to.have.property("value", "Block if subject contains sale");
  });

  it("shows a field of a stored rule under its own name, though the choice has another one for it", async () => {
    const page = await openEdit({
      ...sale,
      conditions: [{ field: "percentage", operator: "less_than", value: 20 }],
    });
    expect(page.dialog.getByRole("button", { name: /Condition 1: field/ }).textContent).to.contain(
      "Percentage forwarded",
    );
    await page.press("Save Rule");
    expect(rulesOnServer(page)[0]?.conditions).to.have.deep.nested.property("[0].field", "percentage");
  });

  it("saves a rule that was deleted elsewhere as a new one", async () => {
    const page = await openEdit();
    await page.type(/^Rule Name/, "My sales");
    await page.saveElsewhere();
    page.dialog.getByText(/This rule was deleted on another device/);
    await page.press("Save Rule");
    page.dialog.getByText("Rule not found");
    await page.press("Save as a new rule");
    expect(rulesOnServer(page).map(({ name }) => name)).to.deep.equal(["My sales"]);
  });

  for (const [button, kept] of [
    ["Keep mine", "discount"],
    ["Use the other version", "offer"],
  ] as const)
    it(`shows what another device has changed meanwhile, and saves what the user chooses: ${button}`, async () => {
      const page = await openEdit();
      await page.type("Condition 1: value", "discount");
      await page.saveElsewhere({
        ...sale,
        conditions: [{ field: "subject", operator: "contains", value: ["offer"] }],
        updatedAt: "2026-11-02T10:00:00.000Z",
      });
      await page.press("Save Rule");
      page.dialog.getByText(/Another device has changed the conditions of this rule.*offer/);
      await page.press(button);
      if (button !== "Keep mine") await page.press("Save Rule");
      expect(rulesOnServer(page)[0]?.conditions[0]).to.have.deep.property("value", [kept]);
    });

  it("suggests time zones by a part of their name, and rejects unknown ones", async () => {
    const page = await openEdit({
      ...sale,
      conditions: [
        {
          field: "time",
          operator: "during",
          value: { startTime: "09:00", endTime: "17:00", timeZone: "Europe/Paris" },
        },
      ],
    });
    const zone = () => screen.getByLabelText<HTMLInputElement>("Condition 1: time zone");
    const offered = [...(zone().list?.options ?? [])].map(({ value }) => value);
    expect(offered).to.include.members(["UTC", "Europe/Paris", "Asia/Tokyo"]);
    await page.type("Condition 1: time zone", "Mars/Olympus");
    await page.press("Save Rule");
    page.dialog.getByText("Choose a time zone from the list, such as Europe/Paris");
    expect(document.activeElement).to.equal(zone());
  });

  it("shows whether a destination is confirmed, as does the card", async () => {
    const forwarding: Rule = {
      ...sale,
      actions: [{ type: "forward", params: { email: "new@example.net", immediate: true, daily: false } }],
    };
    const page = await openEdit(forwarding);
    await page.act(() => {});
    page.dialog.getByText(/This address is new\. When the rule is saved, it gets an email with a link/);
    await page.type("To", "ada@example.org");
    page.dialog.getByText("Mail is forwarded only to confirmed addresses.");
    await page.press("Cancel");
    await page.press("Discard");
    screen.getByText(/Until the link in the confirmation email to new@example.net is opened/);
    screen.getByRole("button", { name: /^Send again/ });
  });

  it("says how much of a body is examined, and what that means for “does not contain”", async () => {
    const page = await openEdit({
      ...sale,
      conditions: [{ field: "body", operator: "not_contains", value: ["sale"] }],
    });
    page.dialog.getByText(
      /The first 65,536 characters of a text are looked at\. A longer text does not meet/,
    );
  });
});
