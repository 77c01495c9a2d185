import { expect } from "chai";
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
});
