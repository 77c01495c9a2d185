import { expect } from "chai";
import fc from "fast-check";
import { type Box, findToastPlace } from "../../../web/ui/toastPlace.ts";

const window = { width: 1_000, height: 700 };
const margins = { side: 16, bottom: 16 };
const toasts = { width: 400, height: 50 };

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const find = (controls: readonly Box[]) => findToastPlace({ window, margins, toasts, controls });

describe("The place of messages", () => {
  it("is the lower right corner of the window", () => {
    expect(find([])).to.deep.equal({ bottom: 16, side: "end" });
    expect(find([box(10, 10, 900, 40)])).to.deep.equal({ bottom: 16, side: "end" });
  });

  it("is the left corner when a control is in the right one (issue 11, 13)", () => {
    expect(find([box(900, 640, 60, 40)])).to.deep.equal({ bottom: 16, side: "start" });
  });

  it("is above the controls that fill the lower edge", () => {
    expect(find([box(0, 640, 1_000, 60)])).to.deep.equal({ bottom: 64, side: "end" });
  });

  it("covers no control as long as there is a place that covers none", () => {
    const control = fc
      .tuple(fc.nat(950), fc.nat(660), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 60 }))
      .map(([left, top, width, height]) => box(left, top, width, height));
    fc.assert(
      fc.property(fc.array(control, { maxLength: 12 }), (controls) => {
        const { bottom, side } = find(controls);
        const left = side === "start" ? 16 : window.width - 16 - toasts.width;
        const top = window.height - bottom - toasts.height;
        const covered = controls.some(
          (other) =>
            left < other.right &&
            other.left < left + toasts.width &&
            top < other.bottom &&
            other.top < top + toasts.height,
        );
        expect(
          covered && !(bottom === 16 && side === "end"),
          "covers a control away from the corner",
        ).to.equal(false);
        expect(bottom).to.be.within(16, window.height - toasts.height);
      }),
    );
  });
});
