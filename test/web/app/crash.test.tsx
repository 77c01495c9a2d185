import "../../support/dom.ts";
import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../web/app/LaterParts.tsx";
import "../../../web/app/SignedInPage.tsx";
import "../../../web/features/masks/MasksTab.tsx";
import "../../../web/app/settings/SettingsTab.tsx";
import { StartFailure } from "../../../web/app/CrashPage.tsx";
import { Shell } from "../../../web/app/Shell.tsx";
import { GuardedDialog } from "../../../web/loading/Guarded.tsx";
import { AppContext } from "../../../web/react/useApp.ts";
import { startApp } from "../../fakes/appOnFakes.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openPage } from "../support/openPage.tsx";
import { tabLink } from "../support/tabLink.ts";

describe("A crash", () => {
  useDom();
  afterEach(closePages);

  const silent = { onCaughtError: () => {} };

  const crashingIn = <A extends object>(owner: A, part: keyof A & string): A =>
    Object.defineProperty(owner, part, {
      get: () => {
        throw new Error(`no ${part}`);
      },
    });

  it("of a tab leaves the rest of the page working, offers a refresh and is reported (SH4)", async () => {
    const fakes = await startApp();
    crashingIn(fakes.signedIn(), "masks");
    render(<Shell app={fakes.app} reporter={fakes.reporter} />, silent);
    await screen.findByText("Something went wrong.");
    screen.getByRole("button", { name: "Refresh the page" });
    expect(fakes.reporter.reports.map(({ context }) => context)).to.deep.include({ part: "masks" });
    await userEvent.click(tabLink("Settings"));
    await screen.findByRole("heading", { name: "Settings" });
    closePages();
    fakes.stop();
  });

  it("of a panel leaves the other panels of its tab working, and a button retries", async () => {
    const fakes = await startApp();
    const { shownFeature } = fakes.signedIn();
    let isBroken = true;
    Object.defineProperty(fakes.signedIn(), "shownFeature", {
      value: (create: { readonly name: string }) => {
        if (isBroken && create.name === "createTwoFactor") throw new Error("no two-factor");
        return shownFeature(create as never);
      },
    });
    render(<Shell app={fakes.app} reporter={fakes.reporter} />, silent);
    await screen.findByRole("navigation", { name: "Main" });
    await userEvent.click(tabLink("Settings"));
    await userEvent.click(await screen.findByRole("link", { name: "Security" }));
    await screen.findByText("Something went wrong.");
    screen.getByRole("heading", { name: "Email Encryption" });
    expect(fakes.reporter.reports.map(({ context }) => context)).to.deep.equal([{ part: "two-factor" }]);
    isBroken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { name: "Two-Factor Authentication" });
    closePages();
    fakes.stop();
  });

  it("of a dialog closes the dialog with a message, and leaves the page working", async () => {
    const Broken = () => {
      throw new Error("no dialog");
    };
    const fakes = await startApp();
    let closed = 0;
    const context = { app: fakes.app, reporter: fakes.reporter };
    render(
      <AppContext value={context}>
        <p>The page</p>
        <GuardedDialog part="mask dialog" onClose={() => (closed += 1)}>
          <Broken />
        </GuardedDialog>
      </AppContext>,
      silent,
    );
    screen.getByText("The page");
    expect(closed).to.equal(1);
    expect(fakes.reporter.reports.map(({ context: at }) => at)).to.deep.equal([{ part: "mask dialog" }]);
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.include(
      "This dialog could not be shown. Nothing was changed.",
    );
    fakes.stop();
  });

  it("of the page itself is shown and reported too (SH4)", async () => {
    const fakes = await startApp();
    render(<Shell app={crashingIn({ ...fakes.app }, "toasts")} reporter={fakes.reporter} />, silent);
    const main = within(await screen.findByRole("main"));
    main.getByRole("heading", { level: 1, name: "Something went wrong." });
    expect(fakes.reporter.reports.map(({ context }) => context)).to.deep.equal([{ part: "page" }]);
    closePages();
    fakes.stop();
  });

  it("before the app starts shows the message of the catalog with a refresh (SE10)", () => {
    render(<StartFailure />);
    screen.getByText("Failed to initialize application. Please refresh the page.");
    screen.getByRole("button", { name: "Refresh the page" });
  });

  it("while the app starts shows the same message above the page (SE10)", async () => {
    await openPage({
      isSignedIn: false,
      before: ({ storage }) => {
        const broken = () => {
          throw new Error("no storage");
        };
        Object.assign(storage.local, { read: broken });
      },
    });
    screen.getByText("Failed to initialize application. Please refresh the page.");
  });
});
