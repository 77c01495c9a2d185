import { act, cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Shell } from "../../../web/app/Shell.tsx";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { settled } from "../../fakes/virtualClock.ts";

export interface OpenPage extends AppOnFakes {
  readonly user: ReturnType<typeof userEvent.setup>;
  /** Advances the app's clock, and lets React render. */
  readonly advance: (ms: number) => Promise<void>;
  /** Runs something other than a click, such as a message of the server or a narrower window, in React's `act`. */
  readonly act: (what: () => void) => Promise<void>;
  readonly press: (name: string | RegExp) => Promise<void>;
  /** Presses a link. */
  readonly follow: (name: string) => Promise<void>;
  readonly type: (label: string | RegExp, text: string) => Promise<void>;
}

/**
 * Matches a button's name by its beginning: a button that can be pending also contains its pending label, which the
 * stylesheet hides.
 */
export const beginning =
  (name: string | RegExp) =>
  (accessible: string): boolean =>
    typeof name === "string" ? accessible.startsWith(name) : name.test(accessible);

const running: (() => void)[] = [];

/** Closes all pages that a test has opened. */
export const closePages = (): void => {
  cleanup();
  for (const stop of running.splice(0)) stop();
  window.history.replaceState(null, "", "/");
};

/** Opens the whole app over fakes in jsdom. */
export const openPage = async (options: AppOnFakesOptions = {}): Promise<OpenPage> => {
  const fakes = await startApp(options);
  running.push(fakes.stop);
  render(<Shell app={fakes.app} reporter={fakes.reporter} />);
  const user = userEvent.setup({ delay: null });
  const happen = (what: () => void): Promise<void> =>
    act(async () => {
      what();
      await settled();
    });
  await happen(() => {});
  const isSignedIn = fakes.app.session.state$.value.kind === "signed-in";
  const isAtStep = fakes.app.signIn.isKeySetup$.value || fakes.app.signIn.isTwoFactorSetup$.value;
  if (isSignedIn && !isAtStep) await screen.findByRole("navigation", { name: "Main", hidden: true });
  return {
    ...fakes,
    user,
    act: happen,
    advance: (ms) => act(() => fakes.clock.advance(ms)),
    press: async (name) => {
      await user.click(screen.getByRole("button", { name: beginning(name) }));
      await happen(() => {});
    },
    follow: async (name) => {
      await user.click(screen.getByRole("link", { name }));
      await happen(() => {});
    },
    type: async (label, text) => {
      const field = screen.getByLabelText(label);
      await user.clear(field);
      if (text !== "") await user.type(field, text);
      await happen(() => {});
    },
  };
};

/** Opens the app with the masks tab loaded. */
export const openMasks = async (options: AppOnFakesOptions = {}): Promise<OpenPage> => {
  const page = await openPage(options);
  // A dialog that the address names covers the page.
  await screen.findByRole("heading", { name: "Your Email Masks", hidden: true });
  await page.act(() => {});
  return page;
};
