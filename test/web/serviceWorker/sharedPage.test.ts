import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { sharedPlace, sharePath } from "../../../web/serviceWorker/sharedPage.ts";

const share = (fields: Readonly<Record<string, string>>): Promise<string> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return sharedPlace({ formData: async () => form });
};

describe("A page that is shared with the app", () => {
  it("opens the form of a mask with its site, of whichever field has the address, and with nothing else of it", async () => {
    for (const fields of [
      { url: "https://www.shop.example/account?user=ada#orders" },
      { title: "A shop", text: "Look at https://www.shop.example/shoes, now" },
      { title: "https://www.shop.example/", text: "no address" },
    ])
      expect(await share(fields)).to.equal("./#masks/new?name=shop.example&site=www.shop.example");
  });

  it("opens an empty form where it names no site, or nothing can be read", async () => {
    for (const fields of [{}, { text: "just words" }, { url: "mailto:ada@home.example" }])
      expect(await share(fields)).to.equal("./#masks/new");
    expect(await sharedPlace({ formData: () => Promise.reject(new TypeError("no form")) })).to.equal(
      "./#masks/new",
    );
  });

  it("is posted where the manifest says, so that no server reads it from an address", () => {
    const file = join(import.meta.dirname, "../../../web/public/manifest.webmanifest");
    const { share_target: target } = JSON.parse(readFileSync(file, "utf8"));
    expect(target).to.include({ action: sharePath, method: "POST" });
  });
});
