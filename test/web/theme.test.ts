import { expect } from "chai";
import { createSandbox } from "sinon";
import { useDom } from "../support/jsdom.ts";

let runs = 0;

/** Runs the script as the page does, once, before the first paint; returns the applied theme. */
const runThemeScript = async (): Promise<string | undefined> => {
  runs += 1;
  await import(`../../web/theme.ts?run=${runs}`);
  return document.documentElement.dataset["theme"];
};

const sandbox = createSandbox();

const systemPrefersDark = (): void => {
  sandbox.replace(globalThis, "matchMedia", ((media: string) => ({
    media,
    matches: /dark/.test(media),
  })) as typeof matchMedia);
};

describe("The theme before the first paint", () => {
  useDom();
  afterEach(() => sandbox.restore());

  it("is the stored theme, whatever the system prefers (SH5)", async () => {
    systemPrefersDark();
    localStorage.setItem("theme", "light");
    expect(await runThemeScript()).to.equal("light");
    localStorage.setItem("theme", "dark");
    expect(await runThemeScript()).to.equal("dark");
  });

  it("is the system's theme when none, or an invalid one, is stored (SH5)", async () => {
    expect(await runThemeScript()).to.equal("light");
    systemPrefersDark();
    expect(await runThemeScript()).to.equal("dark");
    localStorage.setItem("theme", "<script>");
    expect(await runThemeScript()).to.equal("dark");
  });

  it("works without a storage", async () => {
    sandbox.replace(localStorage, "getItem", () => {
      throw new Error("SecurityError");
    });
    expect(await runThemeScript()).to.equal("light");
  });
});
