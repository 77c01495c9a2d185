import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { tokenEndOf } from "../../../../web/features/apiTokens/tokenEnd.ts";

describe("The end of a token", () => {
  const now = Date.UTC(2026, 10, 20, 12);

  for (const [days, text, mark] of [
    [-1, "Ended Nov 19, 2026", "danger: Ended"],
    [0, "Ended Nov 20, 2026", "danger: Ended"],
    [1, "Ends Nov 21, 2026", "warning: Ends within a day"],
    [1.5, "Ends Nov 22, 2026", "warning: Ends in 2 days"],
    [7, "Ends Nov 27, 2026", "warning: Ends in 7 days"],
    [8, "Ends Nov 28, 2026", null],
  ] as const)
    it(`in ${days} days is told as "${text}"${mark === null ? "" : `, and marked as "${mark}"`}`, () => {
      const end = tokenEndOf(new Date(now + days * dayMs).toISOString(), now);
      expect([end.text, end.mark && `${end.mark.kind}: ${end.mark.text}`]).to.deep.equal([text, mark]);
    });

  it("is none where it does not end", () => {
    expect(tokenEndOf(null, now)).to.deep.equal({ text: "Does not end", mark: null });
  });
});
