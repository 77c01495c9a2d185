import "../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { loadSignedIn } from "../../../core/app/signedInLoader.ts";
import { Shell } from "../../../web/app/Shell.tsx";
import { startApp } from "../../fakes/appOnFakes.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages } from "../support/openPage.tsx";

describe("The signed-in page whose code could not be loaded", () => {
  useDom();
  afterEach(closePages);

  it("says so, and loads when the user tries again (SH6)", async () => {
    let isReachable = false;
    const { app, reporter, stop } = await startApp({
      settings: {
        loadSignedIn: () => (isReachable ? loadSignedIn() : Promise.reject(new Error("not loaded"))),
      },
    });
    render(<Shell app={app} reporter={reporter} />);
    await screen.findByText("This part of the page could not be loaded.");
    isReachable = true;
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { name: "Your Email Masks" });
    stop();
  });
});
