import { expect } from "chai";
import { pathOf } from "../../../core/api/endpoint.ts";

describe("A path with parameters", () => {
  it("has its path segments percent-encoded, and the other parameters in its query", () => {
    expect(pathOf("/masks/:id", { id: "a/b" })).to.equal("/masks/a%2Fb");
    expect(pathOf("/notifications", { limit: "50", after: "a&b", before: undefined })).to.equal(
      "/notifications?limit=50&after=a%26b",
    );
    expect(pathOf("/masks/:idle", { idle: "1", id: "2" })).to.equal("/masks/1?id=2");
  });
});
