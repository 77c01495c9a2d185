import "../../support/dom.ts";
import { act, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import { type Chunk, createChunk } from "../../../web/loading/chunk.ts";
import { Lazy } from "../../../web/loading/Lazy.tsx";
import { useDom } from "../../support/jsdom.ts";

describe("A lazily loaded component", () => {
  useDom();

  const Part = () => <p>Here I am</p>;
  const skeleton = <p>Loading</p>;

  it("shows a placeholder, then itself once loaded, and renders at once the second time (SH6)", async () => {
    let arrive = (_: typeof Part): void => {};
    const chunk = createChunk(
      () => new Promise<typeof Part>((resolve) => (arrive = resolve)),
      (part) => part,
    );
    const { unmount } = render(
      <Lazy chunk={chunk} skeleton={skeleton}>
        {(Screen) => <Screen />}
      </Lazy>,
    );
    screen.getByText("Loading");
    await act(async () => arrive(Part));
    screen.getByText("Here I am");
    unmount();
    render(
      <Lazy chunk={chunk} skeleton={skeleton}>
        {(Screen) => <Screen />}
      </Lazy>,
    );
    screen.getByText("Here I am");
  });

  it("loads by itself when the network returns", async () => {
    let isOnline = false;
    const chunk = createChunk(
      () => (isOnline ? Promise.resolve(Part) : Promise.reject(new Error("offline"))),
      (part) => part,
    );
    chunk.prefetch();
    render(
      <Lazy chunk={chunk} skeleton={skeleton}>
        {(Screen) => <Screen />}
      </Lazy>,
    );
    await screen.findByRole("alert");
    isOnline = true;
    await act(async () => window.dispatchEvent(new window.Event("online")));
    await screen.findByText("Here I am");
  });

  it("hears of a network that returns at the moment when the failure is shown", async () => {
    let isOnline = false;
    const chunk = createChunk(
      () => (isOnline ? Promise.resolve(Part) : Promise.reject(new Error("offline"))),
      (part) => part,
    );
    const shown = new MutationObserver(() => {
      if (screen.queryByRole("alert") === null) return;
      shown.disconnect();
      isOnline = true;
      window.dispatchEvent(new window.Event("online"));
    });
    shown.observe(document.body, { childList: true, subtree: true });
    render(
      <Lazy chunk={chunk} skeleton={skeleton}>
        {(Screen) => <Screen />}
      </Lazy>,
    );
    await screen.findByText("Here I am");
  });

  it("offers to try again after a failure, and then loads (SH6)", async () => {
    let tries = 0;
    const chunk = createChunk(
      () => {
        tries += 1;
        return tries < 3 ? Promise.reject(new Error("offline")) : Promise.resolve(Part);
      },
      (part) => part,
    );
    render(
      <Lazy chunk={chunk} skeleton={skeleton}>
        {(Screen) => <Screen />}
      </Lazy>,
    );
    within(await screen.findByRole("alert")).getByText("This part of the page could not be loaded.");
    expect(screen.queryByRole("button", { name: "Refresh the page" })).to.equal(null);
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("button", { name: "Refresh the page" });
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("Here I am");
  });

  describe("after the timeout", () => {
    let clock: SinonFakeTimers;
    beforeEach(() => {
      clock = useFakeTimers({ shouldClearNativeTimers: true });
    });
    afterEach(() => clock.restore());

    it("fails at 120 s (SH6)", async () => {
      const chunk: Chunk<unknown> = createChunk(
        () => new Promise(() => {}),
        (part) => part,
      );
      const failures: string[] = [];
      chunk.load().catch((error) => failures.push(String(error)));
      await clock.tickAsync(119_999);
      expect(failures).to.have.length(0);
      await clock.tickAsync(1);
      expect(failures).to.deep.equal(["Error: Not loaded within 120000 ms"]);
    });
  });
});
