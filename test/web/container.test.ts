import { join } from "node:path";
import { expect } from "chai";
import { build, type Plugin } from "esbuild";
import { createContainer } from "../../web/container.ts";
import { useDom } from "../support/jsdom.ts";

describe("The browser app's container", () => {
  useDom();

  it("creates the app from the given configuration without starting anything", () => {
    const { compose } = createContainer(window, "");
    const { app, reporter } = compose({ brand: "Larva", maskDomain: "m.example" });
    expect(app.configuration.brand).to.equal("Larva");
    expect(app.session.state$.value.kind).to.equal("starting");
    expect(() => reporter.report(new Error("nobody is told"), {})).to.not.throw();
  });

  it("reads the data that this browser has stored", () => {
    localStorage.setItem("authToken", "a.b.c");
    expect(createContainer(window, "").ports.storage.local.read("authToken")).to.equal("a.b.c");
  });

  it("applies the stored theme to the document on start", () => {
    localStorage.setItem("theme", "dark");
    const { app } = createContainer(window, "").compose({ brand: "Larva", maskDomain: "m.example" });
    const stop = app.start();
    expect(document.documentElement.dataset["theme"]).to.equal("dark");
    expect(app.session.state$.value.kind).to.equal("signed-out");
    stop();
  });

  it("is created by what the build leaves of its library", async () => {
    const libraries = join(import.meta.dirname, "../../scripts/build/libraries.mjs");
    const { slimLibraries } = (await import(libraries)) as { readonly slimLibraries: Plugin };
    const { outputFiles } = await build({
      stdin: {
        contents: 'export { createContainer } from "./container.ts";',
        resolveDir: join(import.meta.dirname, "../../web"),
      },
      bundle: true,
      write: false,
      format: "esm",
      conditions: ["es2015", "module", "browser"],
      loader: { ".module.css": "empty" },
      define: { __KEY_WORKER__: '""' },
      plugins: [slimLibraries],
    });
    const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? "").toString("base64")}`;
    const built = (await import(url)) as { readonly createContainer: typeof createContainer };
    const { ports, compose } = built.createContainer(window, "");
    expect(ports.storage.local.read("authToken")).to.equal(null);
    const { app } = compose({ brand: "Larva", maskDomain: "m.example" });
    expect(app.session.state$.value.kind).to.equal("starting");
    const stop = app.start();
    expect(app.session.state$.value.kind).to.equal("signed-out");
    stop();
  });
});
