import "../../support/dom.ts";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";

const state = (): string => within(screen.getByRole("banner")).getByRole("status").textContent ?? "";
const button = (name: string): HTMLElement | null => screen.queryByRole("button", { name: beginning(name) });

/** Opens a page whose connection has just been lost. */
const offline = async (): Promise<OpenPage> => {
  const page = await openMasks();
  await page.act(page.sockets.latest().accept);
  await page.act(() => page.sockets.latest().drop(1012));
  return page;
};

describe("The page while it is offline", () => {
  useDom();
  afterEach(closePages);

  it("shows Connected or Offline, and stays Offline during all reconnection attempts (SH2)", async () => {
    const page = await openMasks();
    expect(state()).to.equal("Connecting");
    await page.act(page.sockets.latest().accept);
    expect(state()).to.equal("Connected");
    await page.act(() => page.sockets.latest().drop(1012));
    expect(state()).to.equal("Offline");
    await page.advance(2_400);
    expect(page.app.realtime.state$.value).to.equal("connecting");
    expect(state()).to.equal("Offline");
    await page.act(page.sockets.latest().accept);
    expect(state()).to.equal("Connected");
  });

  it("offers Reconnect and Diagnose after 3 s, and removes them when it is connected", async () => {
    const page = await offline();
    await page.advance(2_999);
    expect([button("Reconnect"), button("Diagnose")]).to.deep.equal([null, null]);
    await page.advance(1);
    screen.getByText("You are offline. What you see may be out of date.");
    expect([button("Reconnect"), button("Diagnose")]).not.to.include(null);
    await page.act(page.sockets.latest().accept);
    expect([button("Reconnect"), button("Diagnose")]).to.deep.equal([null, null]);
  });

  it("reconnects at once by its button, which shows the attempt and keeps the focus", async () => {
    const page = await offline();
    await page.advance(3_000);
    await page.act(() => page.sockets.latest().drop(1006));
    const tries = page.sockets.connections.length;
    await page.press("Reconnect");
    expect(page.sockets.connections).to.have.length(tries + 1);
    expect(button("Reconnect")?.getAttribute("aria-busy")).to.equal("true");
    expect(document.activeElement).to.equal(button("Reconnect"));
    await page.act(page.sockets.latest().accept);
    expect(document.activeElement).not.to.equal(document.body);
  });

  it('shows "Connection to server lost. Please refresh the page to reconnect." after the last attempt', async () => {
    const page = await offline();
    const lost = "Connection to server lost. Please refresh the page to reconnect.";
    for (let tries = 0; tries < 5; tries += 1) {
      expect(screen.queryByText(lost)).to.equal(null);
      await page.advance(13_000);
      await page.act(() => page.sockets.latest().drop(1006));
    }
    within(screen.getByRole("alert")).getByText(lost);
    await page.press("Reconnect");
    await page.act(page.sockets.latest().accept);
    expect(screen.queryByText(lost)).to.equal(null);
    expect(state()).to.equal("Connected");
  });

  it("keeps the connection while the user is active, and restores it when the user returns", async () => {
    const page = await openMasks();
    await page.act(page.sockets.latest().accept);
    const pass = async (minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes * 6; passed += 1) {
        await page.act(() => page.sockets.latest().push({ type: "heartbeat_ack" }));
        await page.advance(10_000);
      }
    };
    await pass(9);
    fireEvent.pointerDown(document.body);
    await pass(9);
    expect(state()).to.equal("Connected");
    await pass(2);
    expect(state()).to.equal("Paused");
    fireEvent.keyDown(document.body, { key: "a" });
    await page.act(page.sockets.latest().accept);
    expect(state()).to.equal("Connected");
  });

  for (const [what, wake] of [
    ["a key", () => fireEvent.keyDown(document.body, { key: "a" })],
    ["a tap", () => fireEvent.pointerDown(document.body)],
    ["a focus", () => fireEvent.focus(document.body)],
  ] as const)
    it(`shows Paused after 10 minutes without activity, which is not an error, and reconnects on ${what}`, async () => {
      const page = await openMasks();
      await page.act(page.sockets.latest().accept);
      for (let minutes = 0; minutes < 20; minutes += 1) {
        await page.act(() => page.sockets.latest().push({ type: "heartbeat_ack" }));
        await page.advance(30_000);
      }
      expect(state()).to.equal("Paused");
      await page.advance(60_000);
      expect(button("Reconnect")).to.equal(null);
      await page.act(wake);
      expect(state()).to.equal("Connecting");
      await page.act(page.sockets.latest().accept);
      expect(state()).to.equal("Connected");
      expect(page.sockets.connections).to.have.length(2);
    });
});

describe("The connection diagnosis", () => {
  useDom();
  afterEach(closePages);

  const diagnosing = async (): Promise<HTMLElement> => screen.findByRole("region", { name: "Diagnosis" });
  const finding = (name: string): string | null | undefined =>
    screen.getByText(name).nextElementSibling?.textContent;

  it("shows the time, the error and the latest events in plain words, and can be closed (SH2)", async () => {
    const page = await offline();
    page.server.on("GET", "/healthz", { status: 503 });
    await page.advance(3_000);
    await page.press("Diagnose");
    const panel = await diagnosing();
    await page.act(() => {});
    expect(button("Diagnose")?.getAttribute("aria-expanded")).to.equal("true");
    expect(finding("Checked at")).to.match(/^\d{1,2}:\d{2}:\d{2}\s[AP]M$/);
    expect(finding("Server")).to.equal("No answer");
    expect(finding("Error")).to.equal("The server answered with status 503.");
    expect(finding("Last closed")).to.equal("The server restarted (code 1012)");
    const events = within(panel).getAllByRole("listitem");
    expect(events.at(-2)?.textContent).to.match(/[AP]MConnected$/);
    expect(events[0]?.textContent).to.match(/Connecting again, attempt 1 of 5$/);
    await page.press("Diagnose");
    expect(screen.queryByRole("region", { name: "Diagnosis" })).to.equal(null);
  });

  it("runs again by its button", async () => {
    const page = await offline();
    page.server.on("GET", "/healthz", { status: 503 });
    await page.advance(3_000);
    await page.press("Diagnose");
    await diagnosing();
    await page.act(() => {});
    page.server.on("GET", "/healthz", { json: {}, afterMs: 12 });
    await page.press("Check again");
    expect(button("Check again")?.getAttribute("aria-busy")).to.equal("true");
    await page.advance(12);
    expect(finding("Server")).to.equal("Answered in 12 ms");
  });

  it("does not call the device offline while the server answers it", async () => {
    const page = await offline();
    await page.advance(3_000);
    screen.getByText("You are offline. What you see may be out of date.");
    page.server.on("GET", "/healthz", { json: {}, afterMs: 23 });
    await page.press("Diagnose");
    await diagnosing();
    await page.advance(23);
    expect(finding("Server")).to.equal("Answered in 23 ms");
    expect(screen.queryByText(/You are offline/)).to.equal(null);
    screen.getByText("There is no live connection to the server. What you see may be out of date.");
    page.server.on("GET", "/healthz", { status: 503 });
    await page.press("Check again");
    expect(finding("Server")).to.equal("No answer");
    screen.getByText("You are offline. What you see may be out of date.");
  });
});
