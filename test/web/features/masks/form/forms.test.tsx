import "../../../../support/dom.ts";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import type { Mask } from "../../../../../core/masks/mask.ts";
import { createMask, createUser } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";
import { shownTab } from "../../../support/tabLink.ts";

type Options = Parameters<typeof openMasks>[0];

const premium = createUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } });

const field = (label: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(label);

const described = (label: string): string => {
  const ids = field(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
};

const openCreate = async (options: Options = {}): Promise<OpenPage> => {
  const page = await openMasks(options);
  await page.user.click(screen.getAllByRole("button", { name: "Create Mask" })[0] as HTMLElement);
  await screen.findByRole("dialog", { name: "Create Mask" });
  return page;
};

const submitCreate = async (page: OpenPage): Promise<void> => {
  await page.press("Create Mask");
};

describe("Creating a mask", () => {
  useDom();
  afterEach(closePages);

  it("begins with the focus on the description and forwards to the account's address (MA5)", async () => {
    await openCreate();
    expect(document.activeElement).to.equal(field("Description"));
    expect(field("Forward to").value).to.equal("ada@example.org");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Spam filter" }).checked).to.equal(false);
  });

  it("leaves the format of the address to the account, or sends the chosen one", async () => {
    const page = await openCreate();
    await page.type("Description", "Bookshop");
    await page.user.click(screen.getByText("More settings"));
    const format = await screen.findByRole("button", { name: /Its address/ });
    expect(format.textContent).to.contain("As in Settings");
    expect(screen.queryByRole("button", { name: /Number of/ })).to.equal(null);
    await page.user.click(format);
    await page.user.click(await screen.findByRole("option", { name: /Words/ }));
    await page.user.click(screen.getByRole("button", { name: /Number of words/ }));
    await page.user.click(await screen.findByRole("option", { name: "5" }));
    await submitCreate(page);
    expect(page.server.requestsTo("POST /masks")[0]?.body).to.deep.include({
      format: { kind: "words", length: 5 },
    });
  });

  it("says that a site has a mask already, and makes another one all the same", async () => {
    const page = await openCreate({ masks: [createMask("a", { madeFor: "shop.example" })] });
    await page.type("Description", "shop.exampl");
    expect(screen.queryByText(/You already have a mask for this site/)).to.equal(null);
    await page.type("Description", "shop.example");
    await screen.findByText(/You already have a mask for this site: a@masks.example/);
    await page.user.click(screen.getByText("More settings"));
    await page.type("Made for", "https://www.shop.example/cart");
    await page.user.tab();
    expect(field("Made for").value).to.equal("www.shop.example");
    await submitCreate(page);
    expect(page.server.requestsTo("POST /masks")[0]?.body).to.deep.include({ madeFor: "www.shop.example" });
  });

  it("puts the new mask on top, copies its address and confirms it (MA8)", async () => {
    const page = await openCreate({ masks: [createMask("a")] });
    await page.type("Description", "Bookshop");
    await submitCreate(page);
    const [first] = screen.getAllByRole("listitem", { hidden: true });
    within(first as HTMLElement).getByText("Bookshop");
    expect(first?.className).to.include("highlighted");
    expect(page.page.clipboard()).to.equal("new1@masks.example");
    screen.getByText("Mask created successfully");
    expect(screen.queryByRole("dialog")).to.equal(null);
    expect(page.server.requestsTo("POST /masks").map(({ body }) => body)).to.deep.equal([
      {
        description: "Bookshop",
        forwardTo: "ada@example.org",
        labels: [],
        note: "",
        settings: { spamFilter: false },
      },
    ]);
  });

  it("shows each missing value beside its field, focuses the first and keeps the rest (MA5, MA6)", async () => {
    const page = await openCreate();
    await page.type("Forward to", "nowhere");
    await submitCreate(page);
    expect(described("Description")).to.equal("Description is required");
    expect(described("Forward to")).to.include("Please enter a valid email address");
    expect(document.activeElement).to.equal(field("Description"));
    expect(field("Forward to").value).to.equal("nowhere");
    expect(page.server.requestsTo("POST /masks")).to.have.length(0);
  });

  it("keeps the input when the server refuses, with its reason in the form", async () => {
    const page = await openCreate();
    page.server.on("POST", "/masks", { status: 403, json: { message: "The Free plan has 2 masks" } });
    await page.type("Description", "Third");
    await submitCreate(page);
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText("The Free plan has 2 masks");
    expect(field("Description").value).to.equal("Third");
  });

  it("shows the prefix to all users with its PRO badge, editable for pro_premium only (MA5, AC5)", async () => {
    await openCreate();
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText("PRO");
    expect(field("Custom prefix").disabled).to.equal(true);
    expect(described("Custom prefix")).to.include("With the Premium plan you choose how the address begins");
  });

  it("does not suggest an upgrade for a prefix to Business, which has none", async () => {
    const business = createUser("ada@example.org", { subscription: { tier: "business", status: "active" } });
    await openCreate({ user: business });
    expect(field("Custom prefix").disabled).to.equal(true);
    expect(described("Custom prefix")).to.equal("Masks of the Business plan begin at random.");
  });

  it("is replaced by the limit and what to do when the plan allows no more masks", async () => {
    const page = await openCreate({ masks: [createMask("a"), createMask("b", { active: false })] });
    screen.getByText("2 of 2 masks");
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText(/^Your masks: 2 of 2\. The Free plan has no more/);
    expect(screen.queryByLabelText("Description")).to.equal(null);
    await page.follow("See your plan");
    expect(screen.queryByRole("dialog")).to.equal(null);
    expect(shownTab()).to.equal("Account");
  });

  it("previews the beginning of the address: the prefix, a dot and the rest", async () => {
    const page = await openCreate({ user: premium });
    await page.type("Custom prefix", "Shop");
    expect(described("Custom prefix")).to.include("shop.…@masks.example");
  });

  it("accepts a prefix of at most 10 characters from pro_premium (MA5, D16)", async () => {
    const page = await openCreate({ user: premium });
    expect(field("Custom prefix").disabled).to.equal(false);
    await page.type("Custom prefix", "abcdefghijklm");
    expect(field("Custom prefix").value).to.equal("abcdefghij");
  });

  it("shows which characters a prefix can have (MA6)", async () => {
    const page = await openCreate({ user: premium });
    await page.type("Description", "Bookshop");
    await page.type("Custom prefix", "a b!");
    await submitCreate(page);
    expect(described("Custom prefix")).to.include(
      "Custom prefix can only contain letters, numbers, underscores, periods, and hyphens.",
    );
    expect(document.activeElement).to.equal(field("Custom prefix"));
  });

  it("closes at once while the form is empty, and asks before it discards input", async () => {
    const page = await openCreate();
    await page.type("Description", "Half a thou");
    await page.user.keyboard("{Escape}");
    screen.getByText("Discard what you typed?");
    await page.press("Keep editing");
    expect(field("Description").value).to.equal("Half a thou");
    await page.press("Cancel");
    await page.press("Discard");
    expect(screen.queryByRole("dialog")).to.equal(null);
    await page.user.click(screen.getAllByRole("button", { name: "Create Mask" })[0] as HTMLElement);
    await screen.findByRole("dialog");
    expect(field("Description").value).to.equal("");
    await page.user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).to.equal(null);
  });
});

describe("Editing a mask", () => {
  useDom();
  let timers: SinonFakeTimers | undefined;
  afterEach(() => {
    timers?.restore();
    timers = undefined;
    closePages();
  });

  const shop = createMask("a", { description: "Bookshop", customPrefix: null });

  const openEdit = async (options: Options = {}): Promise<OpenPage> => {
    const page = await openMasks({ masks: [shop], ...options });
    await page.user.click(screen.getByRole("button", { name: "Options for Bookshop" }));
    await page.user.click(await screen.findByRole("menuitem", { name: "Edit mask" }));
    await screen.findByRole("dialog", { name: "Edit Mask" });
    return page;
  };

  it("shows the address read-only and the mask's own values (MA5)", async () => {
    await openEdit();
    expect(field("Mask email").readOnly).to.equal(true);
    expect(field("Mask email").value).to.equal("a@masks.example");
    expect(field("Description").value).to.equal("Bookshop");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Spam filter" }).checked).to.equal(true);
  });

  it("has groups of fields, which tell what they say while they are closed", async () => {
    const page = await openEdit({
      masks: [createMask("a", { description: "Bookshop", customPrefix: null, labels: ["books"] })],
    });
    const groups = () => [...screen.getByRole("dialog").querySelectorAll("summary")];
    expect(groups().map(({ textContent }) => textContent?.trim())).to.deep.equal([
      "Delivery",
      "Who may write Everybody",
      "Lifetime Does not expire",
      "Appearance books",
    ]);
    field("Forward to");
    expect(screen.queryByLabelText("Note")).to.equal(null);
    await page.user.click(groups()[3] as HTMLElement);
    await page.type("Note", "For novels");
    await page.press("Save Changes");
    expect(page.product.masks().map(({ note }: Mask) => note)).to.deep.equal(["For novels"]);
  });

  it("opens the group of a wrong field, which gets the focus", async () => {
    const page = await openEdit();
    page.server.on("PUT", "/masks/:id", {
      status: 400,
      json: { message: "Wrong", errors: [{ field: "senders.block.0", message: "This is no address" }] },
    });
    await page.type("Description", "Library");
    await page.press("Save Changes");
    const wrong = await screen.findByLabelText("Blocked senders");
    await waitFor(() => expect(document.activeElement).to.equal(wrong));
    await page.user.click(screen.getByText("Delivery"));
    expect(screen.queryByLabelText("Forward to")).to.equal(null);
    screen.getByLabelText("Blocked senders");
  });

  it("leaves the mask as it is with Cancel, which stands beside Save Changes and asks about changes", async () => {
    const page = await openEdit();
    const buttons = () =>
      within(screen.getByRole("dialog"))
        .getAllByRole("button")
        .map(({ textContent }) => textContent)
        .slice(-3);
    expect(buttons()[0]).to.equal("Delete");
    expect(buttons()[1]).to.equal("Cancel");
    await page.type("Description", "Library");
    await page.press("Cancel");
    await page.press("Discard");
    expect(screen.queryByRole("dialog")).to.equal(null);
    expect(page.server.requestsTo("PUT /masks/:id")).to.have.length(0);
  });

  it("saves the changes, confirms them and closes (MA8)", async () => {
    const page = await openEdit();
    await page.type("Description", "Library");
    await page.press("Save Changes");
    screen.getByText("Mask updated successfully");
    expect(screen.queryByRole("dialog")).to.equal(null);
    screen.getByRole("listitem", { name: "Library" });
    expect(page.product.masks().map(({ description }: Mask) => description)).to.deep.equal(["Library"]);
  });

  it("stays open with the reason and the input when saving fails (MA8, MA9)", async () => {
    const page = await openEdit();
    page.server.on("PUT", "/masks/:id", { status: 400 });
    await page.type("Description", "Library");
    await page.press("Save Changes");
    within(screen.getByRole("dialog")).getByText("Failed to update email mask");
    expect(field("Description").value).to.equal("Library");
  });

  it("accepts a prefix of up to 16 characters (MA5, D16)", async () => {
    const page = await openEdit({ user: premium });
    await page.type("Custom prefix", "abcdefghijklmnopqrs");
    expect(field("Custom prefix").value).to.equal("abcdefghijklmnop");
  });

  it('deletes in two steps: "Confirm Delete" waits 3 s for the second press (MA5)', async () => {
    const page = await openEdit();
    timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    const button = (name: string) => screen.queryByRole("button", { name });
    const press = (name: string) => page.act(() => fireEvent.click(button(name) as HTMLElement));
    await press("Delete");
    await page.act(() => timers?.tick(2_999));
    expect(button("Confirm Delete")).to.not.equal(null);
    await page.act(() => timers?.tick(1));
    expect(button("Confirm Delete")).to.equal(null);
    expect(page.product.masks()).to.have.length(1);
    await press("Delete");
    await page.act(() => timers?.tick(500));
    await press("Confirm Delete");
    expect(page.product.masks()).to.have.length(0);
    screen.getByText("Mask deleted successfully");
  });

  it('shows "Confirm Delete" as disabled for 500 ms', async () => {
    const page = await openEdit();
    timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    const button = () => screen.getByRole("button", { name: beginning(/Delete$/) });
    const isGuarded = (): boolean => button().className.includes("guarded");
    expect(isGuarded()).to.equal(false);
    await page.act(() => fireEvent.click(button()));
    expect(isGuarded()).to.equal(true);
    await page.act(() => timers?.tick(499));
    expect(isGuarded()).to.equal(true);
    await page.act(() => timers?.tick(1));
    expect(isGuarded()).to.equal(false);
  });

  it("does not count a double click or a held key as the second press", async () => {
    const page = await openEdit();
    timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    const press = () => fireEvent.click(screen.getByRole("button", { name: beginning(/Delete$/) }));
    await page.act(() => {
      press();
    });
    for (let times = 0; times < 4; times++) {
      await page.act(() => timers?.tick(499));
      await page.act(press);
    }
    expect(page.server.requestsTo("DELETE /masks/a")).to.have.length(0);
    screen.getByRole("button", { name: "Confirm Delete" });
  });

  it("explains that a new prefix means a new address, and that the old one keeps working (D16)", async () => {
    await openEdit({ user: premium });
    expect(described("Custom prefix")).to.include(
      "A prefix adds a second address, which is then shown. The old one keeps working.",
    );
  });

  it("warns that mail will wait when the new destination is not confirmed (D33)", async () => {
    const known = createMask("b", { forwardTo: "known@example.net", destinationStatus: "confirmed" });
    const mask = createMask("c", {
      forwardTo: "asked@example.net",
      destinationStatus: "awaiting-confirmation",
    });
    const page = await openEdit({ masks: [{ ...shop, forwardTo: "now@example.net" }, known, mask] });
    const warning = () => screen.queryByText(/A confirmation link is sent to the new address/);
    const shown: Record<string, boolean> = {};
    for (const address of [
      "now@example.net",
      "Now@example.net",
      "new@",
      "known@example.net",
      "ada@example.org",
      "asked@example.net",
      "new@example.net",
    ]) {
      await page.type("Forward to", address);
      shown[address] = warning() !== null;
    }
    expect(shown).to.deep.equal({
      "now@example.net": false,
      "Now@example.net": false,
      "new@": false,
      "known@example.net": false,
      "ada@example.org": false,
      "asked@example.net": true,
      "new@example.net": true,
    });
  });

  for (const name of ["Save Changes", "Delete"])
    it(`closes with one message when the mask was deleted elsewhere, on "${name}"`, async () => {
      const page = await openEdit();
      page.product.setMasks([]);
      page.server.on("PUT", "/masks/:id", { status: 404, json: { message: "Mask not found" } });
      page.server.on("DELETE", "/masks/:id", { status: 404, json: { message: "Mask not found" } });
      timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
      const press = (button: string) =>
        page.act(() => fireEvent.click(screen.getByRole("button", { name: beginning(button) })));
      await press(name);
      if (name === "Delete") {
        await page.act(() => timers?.tick(500));
        await press("Confirm Delete");
      }
      expect(screen.getAllByText("Mask not found")).to.have.length(1);
      expect(screen.queryByRole("dialog")).to.equal(null);
      expect(screen.queryByText("Bookshop")).to.equal(null);
    });
});
