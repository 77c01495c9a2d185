import "../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import { giveFocus, useFocusTarget } from "../../../web/navigation/focus.ts";
import { focusOnMasks, goTo, openPage } from "../../../web/navigation/goTo.ts";
import { layersIn } from "../../../web/ui/overlay/useBackToClose.ts";
import { useDom } from "../../support/jsdom.ts";

const Plan = () => (
  <h2 ref={useFocusTarget("plan")} tabIndex={-1}>
    Plan
  </h2>
);

const hasFocus = (): boolean => document.activeElement === screen.getByRole("heading");

describe("A part of the page that is asked to take the focus", () => {
  useDom();

  let clock: SinonFakeTimers;
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    window.history.replaceState(null, "", "#insights");
  });
  afterEach(() => {
    clock.runAll();
    clock.restore();
  });

  it("takes it at once where it is shown", () => {
    render(<Plan />);
    expect(hasFocus()).to.equal(false);
    giveFocus("plan");
    expect(hasFocus()).to.equal(true);
  });

  it("takes it as soon as it is shown, once", () => {
    goTo("#account", "plan");
    expect(window.location.hash).to.equal("#account");
    const { unmount } = render(<Plan />);
    expect(hasFocus()).to.equal(true);
    unmount();
    render(<Plan />);
    expect(hasFocus()).to.equal(false);
  });

  it("leaves it where something else is gone to or asked for before, or after a while", () => {
    for (const end of [
      () => goTo("#rules"),
      () => giveFocus("archive"),
      () => layersIn(window).rename("#insights?mask=a"),
      () => clock.tick(60_000),
    ]) {
      giveFocus("plan");
      end();
      const { unmount } = render(<Plan />);
      expect(hasFocus()).to.equal(false);
      unmount();
    }
  });

  it("is gone to where it belongs to the masks and another tab is shown", () => {
    focusOnMasks("search");
    expect(window.location.hash).to.equal("#masks");
    window.history.replaceState(null, "", "#masks?filter=active");
    focusOnMasks("search");
    expect(window.location.hash, "the masks are shown").to.equal("#masks?filter=active");
  });

  it("keeps the tab under a page, from one page to the next", () => {
    openPage("#held");
    expect(window.history.state).to.deep.equal({ tab: "insights" });
    openPage("#log");
    expect(window.history.state).to.deep.equal({ tab: "insights" });
  });
});
