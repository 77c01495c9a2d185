import "../../support/dom.ts";
import { render } from "@testing-library/react";
import { expect } from "chai";
import { PageBoundary } from "../../../web/app/CrashPage.tsx";
import { useTheme } from "../../../web/react/ThemeProvider.tsx";
import { useApp } from "../../../web/react/useApp.ts";
import { createFakeReporter } from "../../fakes/fakeReporter.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks, openPage } from "../support/openPage.tsx";

describe("The theme", () => {
  useDom();
  afterEach(closePages);

  it("is the stored theme, else the system's, else light (SH5)", async () => {
    const stored = await openPage({ before: ({ storage }) => storage.local.write("theme", "dark") });
    expect(stored.page.shownTheme()).to.equal("dark");
    closePages();
    const system = await openPage({ before: ({ page }) => page.systemTheme$.set("dark") });
    expect(system.page.shownTheme()).to.equal("dark");
    closePages();
    const neither = await openPage();
    expect(neither.page.shownTheme()).to.equal("light");
  });

  it("toggles in the header, is applied to the document and stored (SH5)", async () => {
    const page = await openMasks();
    await page.press("Use dark theme");
    expect(page.page.shownTheme()).to.equal("dark");
    expect(page.storage.local.read("theme")).to.equal("dark");
    await page.press("Use light theme");
    expect(page.page.shownTheme()).to.equal("light");
  });

  it("toggles before the user has signed in", async () => {
    const page = await openPage({ isSignedIn: false });
    await page.press("Use dark theme");
    expect(page.page.shownTheme()).to.equal("dark");
  });

  it("throws when read outside of its provider (SH5)", () => {
    const received: unknown[] = [];
    const Outside = () => <p>{useTheme().theme}</p>;
    const reporter = { isReceived: true, report: (error: unknown) => void received.push(String(error)) };
    render(
      <PageBoundary reporter={reporter}>
        <Outside />
      </PageBoundary>,
      { onCaughtError: () => {} },
    );
    expect(received).to.deep.equal(["Error: useTheme must be used within a ThemeProvider"]);
  });

  it("is checked like the app, which throws when read outside of its provider", () => {
    const reporter = createFakeReporter();
    const Outside = () => <p>{useApp().configuration.brand}</p>;
    render(
      <PageBoundary reporter={reporter}>
        <Outside />
      </PageBoundary>,
      { onCaughtError: () => {} },
    );
    expect(String(reporter.reports[0]?.error)).to.equal("Error: useApp must be used within an AppContext");
  });
});
