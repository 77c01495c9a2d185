import { useBrowser } from "../../support/browser.ts";
import { current } from "../../support/current.ts";
import { type RunningServer, startServer } from "./server.ts";
import { createAccount, type Screen, type Visitor, visit } from "./visitor.ts";

/** The product and who comes to it, while the tests of a `describe` run. */
export interface Product {
  readonly server: RunningServer;
  /** Opens the app in a browser that knows nothing of it yet; who comes in a test leaves with it. */
  readonly visit: (screen?: Screen) => Promise<Visitor>;
  /** The same with the session of a new account, which is created over HTTP. */
  readonly visitAs: (email: string, screen?: Screen) => Promise<Visitor>;
}

const wide: Screen = { theme: "light", width: 1280 };

/** A server for the tests of a `describe`, over an empty data folder: whichever process runs after a restart. */
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

/** A server as `useServer` has it, and a browser. */
export const useProduct = (environment?: () => NodeJS.ProcessEnv): Product => {
  const server = useServer(environment);
  const browser = useBrowser();
  let visitors: readonly Visitor[] = [];
  beforeEach(() => {
    visitors = [];
  });
  afterEach(async () => {
    for (const visitor of visitors) await visitor.leave();
  });
  const open = async (...[screen, kept]: [Screen, Parameters<typeof visit>[3]?]): Promise<Visitor> => {
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
