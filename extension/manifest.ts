/** The browsers that the extension is built for: those on Chromium, and Firefox. */
export type ExtensionBrowser = "chromium" | "firefox";

/** The permissions that the extension has from its installation. */
export const permissions = ["storage", "activeTab", "contextMenus", "scripting"] as const;

/** The sites to which the user can give it access, one by one or all; it has none until then. */
export const sitePatterns = ["https://*/*", "http://*/*"] as const;

const icons = { 16: "icon-16.png", 32: "icon-32.png", 48: "icon-48.png", 128: "icon-128.png" };

/** The hosts of servers that are spoken to by plain http: a policy names no other address of the same machine. */
export const plainServers = ["localhost", "*.localhost", "127.0.0.1"] as const;

/**
 * Pages of the extension run its own scripts alone. They speak to the server that the user has connected, whose address is
 * not known before; plain http is for a server on the same machine.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  `connect-src https: ${plainServers.map((host) => `http://${host}:*`).join(" ")}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const background = "background.js";

const ofBrowser = {
  chromium: {
    background: { service_worker: background },
    // The first with URL.parse.
    minimum_chrome_version: "126",
  },
  firefox: {
    background: { scripts: [background] },
    browser_specific_settings: {
      gecko: {
        id: "extension@bauta.email",
        // The first with `data_collection_permissions`, and an extended support release.
        strict_min_version: "140.0",
        // The name of the site that a mask is made for, which goes to the user's own server.
        data_collection_permissions: { required: ["browsingActivity"] },
      },
    },
  },
} as const satisfies Readonly<Record<ExtensionBrowser, object>>;

/** Returns the manifest (version 3) of the extension for a browser. */
export const manifestOf = (browser: ExtensionBrowser, version: string) => ({
  manifest_version: 3,
  name: "Bauta",
  version,
  description: "An email address of its own for each site, from your Bauta server.",
  icons,
  action: { default_popup: "popup.html", default_icon: icons },
  options_ui: { page: "options.html", open_in_tab: true },
  commands: {
    "fill-mask": {
      suggested_key: { default: "Alt+Shift+M" },
      description: "Fill in the mask of this site where you type",
    },
  },
  permissions,
  optional_host_permissions: sitePatterns,
  content_security_policy: { extension_pages: contentSecurityPolicy },
  ...ofBrowser[browser],
});
