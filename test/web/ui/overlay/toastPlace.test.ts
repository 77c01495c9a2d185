import { expect } from "chai";
import fc from "fast-check";
import { type Box, findToastPlace } from "../../../../web/ui/overlay/toastPlace.ts";

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

describe("The position of the toasts", () => {
  it("is the lower right corner of the window", () => {
    expect(find([])).to.deep.equal({ bottom: 16, side: "end", covered: 0 });
    expect(find([box(10, 10, 900, 40)])).to.deep.equal({ bottom: 16, side: "end", covered: 0 });
  });

  it("is the left corner when a control is in the right one", () => {
    expect(find([box(900, 640, 60, 40)])).to.deep.equal({ bottom: 16, side: "start", covered: 0 });
  });

  it("is above controls that fill the lower edge", () => {
    expect(find([box(0, 640, 1_000, 60)])).to.deep.equal({ bottom: 64, side: "end", covered: 0 });
  });

  it("is over the names of rows rather than over their switches where rows fill the window", () => {
    const rows = Array.from({ length: 11 }, (_, at) => [
      box(60, at * 64, 700, 64),
      box(850, at * 64 + 10, 44, 44),
      box(910, at * 64 + 10, 44, 44),
    ]).flat();
    const { side, covered } = find(rows);
    expect(side).to.equal("start");
    expect(covered).to.be.within(0.1, 1);
  });

  it("covers no control as long as a position exists that covers none", () => {
    const control = fc
      .tuple(fc.nat(950), fc.nat(660), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 60 }))
      .map(([left, top, width, height]) => box(left, top, width, height));
    fc.assert(
      fc.property(fc.array(control, { maxLength: 12 }), (controls) => {
        const place = find(controls);
        const left = place.side === "start" ? 16 : window.width - 16 - toasts.width;
        const top = window.height - place.bottom - toasts.height;
        const isCovered = controls.some(
          (other) =>
            left < other.right &&
            other.left < left + toasts.width &&
            top < other.bottom &&
            other.top < top + toasts.height,
        );
        expect(isCovered && place.covered === 0, "says that nothing is covered, and covers").to.equal(false);
        if (place.covered > 0)
          for (let bottom = 16; bottom < window.height - toasts.height; bottom += 1) {
            const free = !controls.some(
              (other) =>
                600 - 16 - 4 < other.right &&
                window.height - bottom - toasts.height - 4 < other.bottom &&
                other.top - 4 < window.height - bottom &&
                other.left - 4 < 984,
            );
            expect(free, `${bottom} px from the edge is free`).to.equal(false);
          }
        expect(place.bottom).to.be.within(16, window.height - toasts.height);
      }),
    );
  });
});
