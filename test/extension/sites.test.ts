import { expect } from "chai";
import { patternsOfSite, siteOfPage, sitesOfPatterns } from "../../extension/sites.ts";

describe("The sites of the extension", () => {
  it("are those of pages of the web", () => {
    expect(siteOfPage("https://www.shop.example:8443/a?b#c")).to.equal("www.shop.example");
    for (const other of [
      undefined,
      "",
      "about:blank",
      "chrome://settings",
      "file:///home/a",
      "data:text/html,a",
    ])
      expect(siteOfPage(other)).to.equal(null);
  });

  it("are asked for with their parts, and an address of a machine alone", () => {
    expect(patternsOfSite("127.0.0.1")).to.deep.equal(["https://127.0.0.1/*", "http://127.0.0.1/*"]);
    expect(sitesOfPatterns(patternsOfSite("www.shop.example"))).to.deep.equal(["shop.example"]);
  });

  it("are listed once each, or as all", () => {
    const patterns = [...patternsOfSite("shop.example"), ...patternsOfSite("bank.example")];
    expect(sitesOfPatterns(patterns)).to.deep.equal(["bank.example", "shop.example"]);
    expect(sitesOfPatterns([])).to.deep.equal([]);
    for (const all of ["https://*/*", "<all_urls>", "*://*/*"])
      expect(sitesOfPatterns([...patterns, all])).to.equal("all");
  });
});
