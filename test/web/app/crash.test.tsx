import "../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { StartFailure } from "../../../web/app/ErrorBoundary.tsx";
import { Shell } from "../../../web/app/Shell.tsx";
import { startApp } from "../../fakes/appOnFakes.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openPage } from "../support/openPage.tsx";

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

  it("of a tab leaves the rest of the page, offers a refresh and is reported (SH4)", async () => {
    const fakes = await startApp();
    crashingIn(fakes.signedIn(), "masks");
    render(<Shell app={fakes.app} reporter={fakes.reporter} />, silent);
    await screen.findByText("Something went wrong.");
    screen.getByRole("button", { name: "Refresh the page" });
    expect(fakes.reporter.reports.map(({ context }) => context)).to.deep.equal([{ part: "masks" }]);
    await userEvent.click(screen.getByRole("tab", { name: "Settings" }));
    await screen.findByRole("heading", { name: "Settings" });
    closePages();
    fakes.stop();
  });

  it("of the page itself is shown and reported too (SH4)", async () => {
    const fakes = await startApp();
    render(<Shell app={crashingIn({ ...fakes.app }, "toasts")} reporter={fakes.reporter} />, silent);
    await screen.findByText("Something went wrong.");
    expect(fakes.reporter.reports.map(({ context }) => context)).to.deep.equal([{ part: "page" }]);
    closePages();
    fakes.stop();
  });

  it("before the start says what the catalogue says, with a refresh (SE10)", () => {
    render(<StartFailure />);
    screen.getByText("Failed to initialize application. Please refresh the page.");
    screen.getByRole("button", { name: "Refresh the page" });
  });

  it("while starting says the same above the page (SE10)", async () => {
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
