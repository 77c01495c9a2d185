import type { Locator, Page } from "playwright-core";

/** The link of the main navigation to one of the five tabs. */
export const tabLink = (page: Page, name: string): Locator =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
