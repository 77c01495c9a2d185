import "../../support/dom.ts";
import { render } from "@testing-library/react";
import { expect } from "chai";
import { stub } from "sinon";
import { KeyHint } from "../../../web/ui/Keycaps.tsx";
import { useDom } from "../../support/jsdom.ts";

describe("The keys beside an action", () => {
  useDom();

  it("are shown where there is a keyboard, and not on a phone", () => {
    const { container, rerender } = render(<KeyHint keys="Ctrl K" />);
    expect(container.textContent).to.equal("CtrlK");
    const media = stub(globalThis, "matchMedia").returns({ matches: true } as MediaQueryList);
    rerender(<KeyHint keys="?" />);
    media.restore();
    expect(container.textContent).to.equal("");
  });
});
