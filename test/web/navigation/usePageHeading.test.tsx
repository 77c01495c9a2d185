import "../../support/dom.ts";
import { act, render, screen } from "@testing-library/react";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import { focusAgainMs, usePageHeading } from "../../../web/navigation/usePageHeading.ts";
import { useDom } from "../../support/jsdom.ts";

const Page = () => (
  <>
    <button type="button">Show held mail</button>
    <main>
      <h1 ref={usePageHeading(1)} tabIndex={-1}>
        Held mail
      </h1>
      <input aria-label="Search" />
    </main>
  </>
);

describe("The heading of a page that appears", () => {
  useDom();

  let clock: SinonFakeTimers;
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    render(<Page />);
  });
  afterEach(() => clock.restore());

  const heading = () => screen.getByRole("heading");
  const button = () => screen.getByRole("button");

  it("has the focus, also when the button that led here takes it back", () => {
    expect(document.activeElement).to.equal(heading());
    act(() => button().focus());
    act(() => {
      clock.tick(focusAgainMs);
    });
    expect(document.activeElement).to.equal(heading());
  });

  it("leaves the focus on something of the page that assistive technology has moved it to", () => {
    act(() => screen.getByRole("textbox").focus());
    act(() => {
      clock.tick(10 * focusAgainMs);
    });
    expect(document.activeElement).to.equal(screen.getByRole("textbox"));
  });

  it("leaves the focus to a user who has pressed a key by then", () => {
    act(() => button().focus());
    act(() => void button().dispatchEvent(new window.KeyboardEvent("keydown", { bubbles: true })));
    act(() => {
      clock.tick(10 * focusAgainMs);
    });
    expect(document.activeElement).to.equal(button());
  });
});
