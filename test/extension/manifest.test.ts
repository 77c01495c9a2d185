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

    it(`names a ${browser} that has all that the extension calls`, () => {
      // URL.parse came with Chromium 126 and Firefox 126.
      const { minimum_chrome_version: chromium } = manifest as { readonly minimum_chrome_version?: string };
      const { browser_specific_settings: settings } = manifest as {
        readonly browser_specific_settings?: { readonly gecko: { readonly strict_min_version: string } };
      };
      const least = Number.parseFloat(chromium ?? settings?.gecko.strict_min_version ?? "0");
      expect(least).to.be.at.least(126);
    });

    it(`offers no page of its own to sites in ${browser}`, () => {
      expect(manifest).not.to.have.property("web_accessible_resources");
    });
  }
});
