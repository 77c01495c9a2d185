import { expect } from "chai";
import { codeTexts } from "../../extension/content/codeTexts.ts";

describe("A code that is offered in a field", () => {
  it("names its sender, or says that nothing proves it", () => {
    expect(codeTexts("482199", "shop.example")).to.deep.equal({
      name: "Fill in the code 482199 from shop.example (Alt+Shift+M)",
      text: "482199 · shop.example",
    });
    expect(codeTexts("482199", "")).to.deep.equal({
      name: "Fill in the code 482199 whose sender is not proven (Alt+Shift+M)",
      text: "482199 · sender not proven",
    });
  });
});
