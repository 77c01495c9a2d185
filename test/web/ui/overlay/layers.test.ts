import "../../../support/dom.ts";
import { waitFor } from "@testing-library/react";
import { expect } from "chai";
import { stub } from "sinon";
import { createLayers } from "../../../../web/ui/overlay/layers.ts";
import { nextTask, useDom } from "../../../support/jsdom.ts";

/** The next event by which the browser tells that the entry of the history is another. */
const arrival = (): Promise<void> =>
  new Promise((resolve) => window.addEventListener("popstate", () => resolve(), { once: true }));

/** Closes a dialog, and acts once the step back from its entry has begun, which takes the browser a moment. */
const whileLeaving = (close: () => void, act: () => void): Promise<void> =>
  new Promise((resolve) => {
    const { history } = window;
    const back = history.back.bind(history);
    const step = stub(history, "back").callsFake(() => {
      step.restore();
      back();
      act();
      resolve();
    });
    close();
  });

describe("A dialog's entry in the history", () => {
  useDom();

  beforeEach(() => window.history.pushState(null, "", "#masks"));

  it("is left when the dialog closes, and what listens learns the address below", async () => {
    const layers = createLayers(window);
    const addresses: string[] = [];
    layers.onMove(() => addresses.push(window.location.hash));
    const closed = layers.open(() => {}, "#masks/create");
    expect(window.location.hash).to.equal("#masks/create");
    closed();
    await waitFor(() => expect(addresses).to.deep.equal(["#masks"]));
  });

  it("closes the dialog when the back button leaves it", async () => {
    const layers = createLayers(window);
    let isOpen = true;
    const closed = layers.open(() => {
      isOpen = false;
      closed();
    }, "#masks/create");
    window.history.back();
    await waitFor(() => expect(isOpen).to.equal(false));
    expect(window.location.hash).to.equal("#masks");
  });

  it("is used again by a place that is gone to from the dialog, so that one step back leads out of it", async () => {
    const layers = createLayers(window);
    const entries = window.history.length;
    const closed = layers.open(() => {});
    layers.goTo("#held", { tab: "masks" });
    closed();
    await nextTask();
    expect(window.history.length).to.equal(entries + 1);
    expect(window.location.hash).to.equal("#held");
  });

  it("takes no place back that is gone to while the entry is being left", async () => {
    const layers = createLayers(window);
    const addresses: string[] = [];
    layers.onMove(() => addresses.push(window.location.hash));
    const closed = layers.open(() => {}, "#masks/create");
    const left = arrival();
    await whileLeaving(closed, () => layers.goTo("#held", { tab: "masks" }));
    expect(window.location.hash).to.equal("#held");
    await left;
    expect(window.location.hash).to.equal("#held");
    expect(window.history.state).to.deep.equal({ tab: "masks" });
    expect(addresses, "once, and not for the step back").to.deep.equal(["#held"]);
    const returned = arrival();
    window.history.back();
    await returned;
    expect(window.location.hash).to.equal("#masks");
  });

  it("takes no dialog back that opens while the entry is being left", async () => {
    const layers = createLayers(window);
    const closed = layers.open(() => {}, "#masks/create");
    const left = arrival();
    let labelsClosed = (): void => {};
    await whileLeaving(closed, () => {
      labelsClosed = layers.open(() => {}, "#masks/labels");
    });
    await left;
    expect(window.location.hash).to.equal("#masks/labels");
    expect(layers.isShown()).to.equal(true);
    const returned = arrival();
    labelsClosed();
    await returned;
    expect(window.location.hash).to.equal("#masks");
  });
});
