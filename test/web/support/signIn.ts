// Loaded by the app while the user types the address; imported here so that loading it takes no time in the test.
import "../../../web/features/session/signIn/CodeSteps.tsx";
import { screen } from "@testing-library/react";
import { type OpenPage, openPage } from "./openPage.tsx";

/** The address of the user who signs in. */
export const email = "ada@example.org";

type Options = Parameters<typeof openPage>[0];

/** Opens the page of a user who is not signed in. */
export const visit = (options: Options = {}): Promise<OpenPage> =>
  openPage({ path: "/login", isSignedIn: false, ...options });

/** Opens the code step: a code was requested, and the form accepts input again. */
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

/** Returns the description that a screen reader announces for a field besides its name. */
export const described = (label: string): string => {
  const ids = screen.getByLabelText(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
};
