import { expect } from "chai";
import type { Mask } from "../../../../../core/masks/mask.ts";
import { describeCountChanges } from "../../../../../web/features/masks/list/MaskAnnouncer.tsx";
import { createMask } from "../../../../fakes/productServer.ts";

const counted = (id: string, totalReceived: number): Mask =>
  createMask(id, {
    statistics: { totalReceived, totalForwarded: totalReceived, spamBlocked: 0, totalSent: 0 },
  });

describe("The announcement of new mail", () => {
  it("is empty while no count changes, also when masks are added or deleted", () => {
    expect(describeCountChanges([counted("a", 1)], [counted("a", 1), counted("b", 0)])).to.equal("");
    expect(describeCountChanges([counted("a", 1), counted("b", 5)], [counted("a", 1)])).to.equal("");
  });

  it("names up to three masks with their counts", () => {
    expect(
      describeCountChanges([counted("a", 1), counted("b", 5)], [counted("a", 2), counted("b", 5)]),
    ).to.equal("Mask a: 2 received, 2 forwarded, 0 blocked.");
  });

  it("includes the first mail of a mask that was just created", () => {
    expect(describeCountChanges([], [counted("a", 1)])).to.equal(
      "Mask a: 1 received, 1 forwarded, 0 blocked.",
    );
  });

  it("gives the number of masks when there are more than three", () => {
    const ids = ["a", "b", "c", "d"];
    const at = (count: number) => ids.map((id) => counted(id, count));
    expect(describeCountChanges(at(1), at(2))).to.equal("4 masks have new mail.");
  });
});
