import { expect } from "chai";
import { estimateFrameHeight } from "../../../../../web/features/encryption/mail/frameHeight.ts";

const wide = 640;

describe("The estimated height of a mail", () => {
  it("is small for one line", () => {
    expect(estimateFrameHeight("<body>See you at noon.</body>", false, wide)).to.be.lessThan(110);
  });

  it("grows with the number of lines, and more so at a smaller width", () => {
    const mail = `<body>${"<p>A paragraph that goes on for somewhat more than a line on a narrow screen.</p>".repeat(10)}</body>`;
    const height = estimateFrameHeight(mail, false, wide);
    expect(height).to.be.greaterThan(10 * 23);
    expect(estimateFrameHeight(mail, false, 300)).to.be.greaterThan(height);
  });

  it("includes images at the height they declare", () => {
    const empty = estimateFrameHeight("<body></body>", false, wide);
    expect(estimateFrameHeight('<body><img src="data:x" height="80"></body>', false, wide)).to.equal(
      empty + 80,
    );
    expect(estimateFrameHeight('<body><img src="data:x"></body>', false, wide)).to.be.greaterThan(
      empty + 100,
    );
  });
});
