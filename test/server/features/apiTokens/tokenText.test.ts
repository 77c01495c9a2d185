import { expect } from "chai";
import { toAddySpelling } from "../../../../core/apiTokens/apiTokenEndpoints.ts";
import { newTokenText, readTokenText } from "../../../../server/features/apiTokens/tokenText.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";

describe("The text of an API token", () => {
  it("is read in both spellings as the one that it was made in", () => {
    const token = newTokenText(createSeededRandom());
    expect(readTokenText(token)).to.equal(token);
    expect(readTokenText(toAddySpelling(token))).to.equal(token);
  });

  it("may be that of an earlier version, which is shorter", () => {
    const earlier = "bauta_earlierversionshad32characters23ggy3gqa";
    expect(readTokenText(earlier)).to.equal(earlier);
  });

  it("is not read without its beginning, with a wrong character, or cut off", () => {
    const token = newTokenText(createSeededRandom());
    for (const text of [
      token.slice(6),
      `${token}a`,
      token.slice(0, -1),
      token.replace("bauta_", "addy_io"),
      "",
    ])
      expect(readTokenText(text), text).to.equal(null);
  });
});
