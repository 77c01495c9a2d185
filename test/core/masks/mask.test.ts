import { expect } from "chai";
import { shownAddress } from "../../../core/masks/mask.ts";

const shown = (maskEmail: string, narrow: boolean): string => shownAddress({ maskEmail }, narrow);

describe("A mask's address on its card", () => {
  it("is shown in full where there is room", () => {
    expect(shown(`${"a".repeat(40)}@masks.example`, false)).to.equal(`${"a".repeat(40)}@masks.example`);
  });

  it("is shown in full on a narrow screen up to a local part of 20 characters", () => {
    expect(shown(`${"a".repeat(20)}@masks.example`, true)).to.equal(`${"a".repeat(20)}@masks.example`);
  });

  it("is cut to 16 characters and an ellipsis from 21 on", () => {
    expect(shown(`${"a".repeat(21)}@masks.example`, true)).to.equal(`${"a".repeat(16)}…@masks.example`);
  });

  it("is never cut inside a character", () => {
    expect(shown(`${"🎭".repeat(21)}@masks.example`, true)).to.equal(`${"🎭".repeat(16)}…@masks.example`);
  });
});
