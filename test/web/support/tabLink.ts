import { screen, within } from "@testing-library/react";

/** The link of the main navigation to one of the five tabs. */
export const tabLink = (name: string): HTMLElement =>
  within(screen.getByRole("navigation", { name: "Main" })).getByRole("link", { name });

/** The name of the tab that is shown, or that lies below the page that is shown. */
export const shownTab = (): string | null | undefined =>
  screen.getByRole("navigation", { name: "Main" }).querySelector("[aria-current]")?.textContent;
