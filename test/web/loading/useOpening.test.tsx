import "../../support/dom.ts";
import { act, renderHook } from "@testing-library/react";
import { expect } from "chai";
import { type SinonFakeTimers, spy, useFakeTimers } from "sinon";
import { useAfterClosing } from "../../../web/loading/useOpening.ts";
import { useDom } from "../../support/jsdom.ts";

describe("What follows a dialog once it has closed", () => {
  useDom();

  let clock: SinonFakeTimers;
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => clock.restore());

  const pass = (milliseconds: number): void => {
    act(() => {
      clock.tick(milliseconds);
    });
  };

  /** A dialog that asks, while it is open, for something after it has closed. */
  const closedDialog = () => {
    const run = spy();
    const { result, rerender } = renderHook(({ isOpen }) => useAfterClosing(isOpen, run), {
      initialProps: { isOpen: true },
    });
    act(() => result.current());
    rerender({ isOpen: false });
    return { run, rerender };
  };

  it("happens when the dialog has faded", () => {
    const { run } = closedDialog();
    pass(399);
    expect(run.callCount).to.equal(0);
    pass(1);
    expect(run.callCount).to.equal(1);
    pass(10_000);
    expect(run.callCount).to.equal(1);
  });

  it("does not happen when the user has pressed a key meanwhile, so that an open menu keeps the focus", () => {
    const { run } = closedDialog();
    pass(200);
    act(
      () => void window.document.body.dispatchEvent(new window.KeyboardEvent("keydown", { bubbles: true })),
    );
    pass(10_000);
    expect(run.callCount).to.equal(0);
  });

  it("does not happen after another dialog that was opened at once", () => {
    const { run, rerender } = closedDialog();
    pass(200);
    rerender({ isOpen: true });
    pass(10_000);
    rerender({ isOpen: false });
    pass(10_000);
    expect(run.callCount).to.equal(0);
  });
});
