import { expect } from "chai";
import { type ExtensionBrowser, manifestOf } from "../../extension/manifest.ts";

describe("The manifest of the extension", () => {
  for (const browser of ["chromium", "firefox"] as const satisfies readonly ExtensionBrowser[]) {
    const manifest: Readonly<Record<string, unknown>> = manifestOf(browser, "1.2.3");

    it(`asks ${browser} for four permissions, and for sites only when the user gives them`, () => {
      const asked = Object.keys(manifest).filter((key) => /permissions|content_scripts|externally/.test(key));
      expect(asked).to.have.members(["permissions", "optional_host_permissions"]);
      expect(manifest["permissions"]).to.have.members(["storage", "activeTab", "contextMenus", "scripting"]);
      expect(manifest["optional_host_permissions"]).to.have.members(["https://*/*", "http://*/*"]);
    });

    it(`has ${browser} run no script but its own, and build no script from text`, () => {
      const { extension_pages: policy } = manifest["content_security_policy"] as Record<string, string>;
      expect(policy?.split("; ")).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "require-trusted-types-for 'script'",
      ]);
      expect(policy).not.to.match(/unsafe|wasm|\bdata:|\bblob:/);
    });

    it(`offers no page of its own to sites in ${browser}`, () => {
      expect(manifest).not.to.have.property("web_accessible_resources");
    });
  }
});
