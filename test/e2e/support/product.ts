import { useBrowser } from "../../support/browser.ts";
import { current } from "../../support/current.ts";
import { type RunningServer, startServer } from "./server.ts";
import { createAccount, type Visitor, type VisitorScreen, visit } from "./visitor.ts";

/** A running server and its browser visitors, for the tests of a `describe`. */
export interface Product {
  readonly server: RunningServer;
  /** Opens the app in a new browser context without stored data; it is closed at the end of the test. */
  readonly visit: (screen?: VisitorScreen) => Promise<Visitor>;
  /** Like `visit`, with the session of a new account, which is created over HTTP. */
  readonly visitAs: (email: string, screen?: VisitorScreen) => Promise<Visitor>;
}

const wide: VisitorScreen = { theme: "light", width: 1280 };

/** Writes where a visitor of a failed test was, and what the page showed. */
const tellScreen = async ({ page, complaints }: Visitor): Promise<void> => {
  const shown = await page
    .locator("body")
    .innerText({ timeout: 2_000 })
    .catch((error: unknown) => String(error));
  console.error([`A visitor was at ${page.url()} and saw:`, shown, ...complaints].join("\n"));
};

/** Starts a server with an empty data folder for the tests of a `describe`; the result follows a restart. */
export const useServer = (environment: () => NodeJS.ProcessEnv = () => ({})): RunningServer => {
  let running: RunningServer | undefined;
  const followed = (process: RunningServer): RunningServer => ({
    ...process,
    restart: async () => {
      running = followed(await process.restart());
      return running;
    },
  });
  const begin = async (): Promise<void> => {
    running = followed(await startServer(environment()));
  };
  const end = async (): Promise<void> => {
    await running?.stop();
    await running?.removeData();
  };
  before(begin);
  after(end);
  return current(() => running);
};

/** Starts a server as `useServer` does, and a browser. */
export const useProduct = (environment?: () => NodeJS.ProcessEnv): Product => {
  const server = useServer(environment);
  const browser = useBrowser();
  let visitors: readonly Visitor[] = [];
  beforeEach(() => {
    visitors = [];
  });
  afterEach(async function () {
    for (const visitor of visitors) {
      if (this.currentTest?.isFailed()) await tellScreen(visitor);
      await visitor.leave();
    }
  });
  const open = async (...[screen, kept]: [VisitorScreen, Parameters<typeof visit>[3]?]): Promise<Visitor> => {
    const visitor = await visit(browser(), server, screen, kept);
    visitors = [...visitors, visitor];
    return visitor;
  };
  return {
    server,
    visit: (screen = wide) => open(screen),
    visitAs: async (email, screen = wide) => {
      const visitor = await open(screen, await createAccount(server, email));
      await visitor.page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      return visitor;
    },
  };
};
