// Fetched while the address is typed: here it comes without time passing.
import "../../../web/signIn/CodeSteps.tsx";
import { screen } from "@testing-library/react";
import { type OpenPage, openPage } from "./openPage.tsx";

/** Who signs in. */
export const email = "ada@example.org";

type Options = Parameters<typeof openPage>[0];

/** The page of somebody who is not signed in. */
export const visit = (options: Options = {}): Promise<OpenPage> =>
  openPage({ path: "/login", isSignedIn: false, ...options });

/** The same, with the code under way and the form free again. */
export const atTheCode = async (options: Options = {}): Promise<OpenPage> => {
  const page = await visit(options);
  await page.type("Email address", email);
  await page.press("Log in");
  await page.advance(500);
  return page;
};

export const enter = async (page: OpenPage, label: string, digits: string): Promise<void> => {
  await page.user.type(screen.getByLabelText(label), digits);
  await page.act(() => {});
};

/** What a screen reader says about a field beside its name. */
export const described = (label: string): string => {
  const ids = screen.getByLabelText(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
};
