import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const firstEmail = "ada@example.org";
const home = "home@second.example";

const openSettings = async (before: (page: OpenPage) => void = () => {}): Promise<OpenPage> => {
  const page = await openPage();
  before(page);
  await openSection(page, "Mail");
  await screen.findByRole("heading", { name: "Addresses" });
  await page.act(() => {});
  return page;
};

const rowOf = (email: string): HTMLElement => {
  const row = within(screen.getByRole("list", { name: "Addresses" }))
    .getAllByRole("listitem")
    .find((item) => item.textContent?.includes(email));
  if (!row) throw new Error(`${email} is not in the list`);
  return row;
};

const add = async (page: OpenPage, email: string): Promise<void> => {
  await page.press("Add address");
  await screen.findByRole("dialog", { name: "Add address" });
  await page.type("Address", email);
  await page.user.click(
    within(screen.getByRole("dialog", { name: "Add address" })).getByRole("button", { name: /^Add address/ }),
  );
  await page.act(() => {});
};

describe("The addresses that mail is forwarded to", () => {
  useDom();
  afterEach(closePages);

  it("show the default, and the one of the account without removal", async () => {
    await openSettings();
    const row = within(rowOf(firstEmail));
    row.getByText("Default");
    row.getByText(/Address of your account/);
    expect(row.queryByRole("button", { name: /^Remove/ })).to.equal(null);
  });

  it("are added, asked again and removed", async () => {
    const page = await openSettings();
    await add(page, home);
    screen.getByText(`Confirmation email sent to ${home}`);
    within(rowOf(home)).getByText("Awaiting confirmation");
    await page.press(`Send again: ${home}`);
    expect(page.server.requestsTo("POST /destinations")).to.have.length(2);
    await page.press(`Remove: ${home}`);
    const question = await screen.findByRole("alertdialog", { name: `Remove ${home}?` });
    await page.user.click(within(question).getByRole("button", { name: /^Remove/ }));
    await page.act(() => {});
    screen.getByText(`${home} removed`);
    expect(screen.queryByRole("button", { name: `Edit: ${home}` })).to.equal(null);
  });

  it("get a name and a key, and say what is wrong with one", async () => {
    const page = await openSettings();
    await page.press(`Edit: ${firstEmail}`);
    await screen.findByRole("dialog", { name: firstEmail });
    await page.type("Name", "Home");
    await page.type("Public key", "nonsense");
    await page.press("Save");
    screen.getByText("This is not a public key.");
    await page.user.clear(screen.getByLabelText("Public key"));
    await page.type("Public key", "a key");
    await page.press("Save");
    const row = within(rowOf(firstEmail));
    row.getByText("Home");
    row.getByText("Key 01234567");
    const [, saved] = page.server.requestsTo(`PATCH /destinations/${encodeURIComponent(firstEmail)}`);
    expect(saved?.body).to.deep.equal({ name: "Home", addKeys: ["a key"] });
  });

  it("look for a key at their domain, and use what is found only when asked to", async () => {
    const page = await openSettings();
    await page.press(`Edit: ${firstEmail}`);
    await screen.findByRole("dialog", { name: firstEmail });
    await page.press("Look for a key");
    screen.getByText("No key is published for this address.");
    const found = {
      fingerprint: "89ABCDEF0123456789ABCDEF0123456789ABCDEF",
      publicKey: "the found key",
      userIds: [`Ada <${firstEmail}>`],
      algorithm: "X25519",
      created: "2026-01-05T00:00:00.000Z",
      expires: "2028-01-05T00:00:00.000Z",
    };
    page.server.on("POST", "/destinations/:id/keys/search", { json: { found, refusal: null } });
    await page.press("Look for a key");
    screen.getByText("89AB CDEF 0123 4567 89AB CDEF 0123 4567 89AB CDEF");
    screen.getByText(`Ada <${firstEmail}>`);
    screen.getByText("X25519");
    const path = `PATCH /destinations/${encodeURIComponent(firstEmail)}`;
    expect(page.server.requestsTo(path)).to.have.length(0);
    await page.press("Use this key");
    expect(page.server.requestsTo(path)[0]?.body).to.deep.equal({ addKeys: ["the found key"] });
    expect(screen.queryByRole("button", { name: "Use this key" })).to.equal(null);
    await page.user.click(screen.getByRole("checkbox", { name: /^Remove key 0123 4567/ }));
    await page.press("Save");
    expect(page.server.requestsTo(path)[1]?.body).to.deep.equal({
      removeKeys: ["0123456789ABCDEF0123456789ABCDEF01234567"],
    });
    expect(within(rowOf(firstEmail)).queryByText(/^Key /)).to.equal(null);
  });

  it("offer the key that came with a mail of theirs", async () => {
    const page = await openSettings(({ server }) =>
      server.on("GET", "/destinations/:id/keys", {
        json: {
          keys: [],
          offered: {
            fingerprint: "F".repeat(40),
            publicKey: "the key of the mail",
            userIds: [firstEmail],
            algorithm: "RSA 3072",
            created: "2026-01-05T00:00:00.000Z",
            expires: null,
          },
        },
      }),
    );
    await page.press(`Edit: ${firstEmail}`);
    await screen.findByText("This key came with an email that you wrote from this address.");
    screen.getByText("RSA 3072");
    await page.press("Use this key");
    const [used] = page.server.requestsTo(`PATCH /destinations/${encodeURIComponent(firstEmail)}`);
    expect(used?.body).to.deep.equal({ addKeys: ["the key of the mail"] });
  });

  it("ask in an open question about masks as soon as one forwards there", async () => {
    const page = await openSettings();
    await add(page, home);
    await page.act(page.sockets.latest().accept);
    await page.press(`Remove: ${home}`);
    const question = within(await screen.findByRole("alertdialog", { name: `Remove ${home}?` }));
    expect(question.queryByText(/there\.$/)).to.equal(null);
    page.product.setMasks([createMask("one", { forwardTo: home })]);
    await page.act(() =>
      page.sockets.latest().push({ type: "data_update", data: { resource: "masks", action: "updated" } }),
    );
    question.getByText("1 mask forwards there.");
  });

  it("leave their masks to another address, or switched off, as chosen", async () => {
    const page = await openSettings(({ product }) =>
      product.setMasks(["one", "two"].map((id) => createMask(id, { forwardTo: home }))),
    );
    const count = page.product.masks().length;
    within(rowOf(home)).getByRole("link", { name: `Used by ${count} masks` });
    await page.press(`Remove: ${home}`);
    const question = within(await screen.findByRole("alertdialog", { name: `Remove ${home}?` }));
    question.getByText(`${count} masks forward there.`);
    await page.user.click(question.getByRole("button", { name: /From now on they/ }));
    await page.user.click(screen.getByRole("option", { name: /Switch off/ }));
    await page.user.click(question.getByRole("button", { name: /^Remove/ }));
    await page.act(() => {});
    const [removed] = page.server.requestsTo(`DELETE /destinations/${encodeURIComponent(home)}`);
    expect(removed?.body).to.deep.equal({ masks: { kind: "switchOff" } });
    expect(page.product.masks().every(({ active }) => active === false)).to.equal(true);
  });

  it("can be loaded again after a failure", async () => {
    const page = await openSettings(({ server }) =>
      server.on("GET", "/destinations", { status: 400, json: { message: "Not now" } }),
    );
    const banner = screen.getByText("Not now").parentElement?.parentElement;
    page.server.on("GET", "/destinations", { json: { destinations: [] } });
    await page.user.click(within(banner ?? document.body).getByRole("button", { name: "Try Again" }));
    await page.act(() => {});
    screen.getByRole("button", { name: "Add address" });
  });

  it("stay listed without a connection, as of the last answer, with what needs one disabled", async () => {
    const page = await openSettings();
    const add = screen.getByRole<HTMLButtonElement>("button", { name: "Add address" });
    expect(add.disabled).to.equal(false);
    await page.act(() => {
      page.server.cutOff(true);
      page.online$.set(false);
    });
    expect(screen.getAllByText(/^As of .*\. Changes need a connection\.$/)).not.to.have.length(0);
    expect(add.disabled).to.equal(true);
    for (const button of within(rowOf(firstEmail)).getAllByRole<HTMLButtonElement>("button"))
      expect(button.disabled).to.equal(true);
    await page.act(() => {
      page.server.cutOff(false);
      page.online$.set(true);
    });
    expect(add.disabled).to.equal(false);
    expect(screen.queryByText(/Changes need a connection/)).to.equal(null);
  });
});
