/** A pointer or keyboard with its moves in order, as both WebDriver protocols take them. */
export interface InputSource {
  readonly type: "key" | "pointer";
  readonly id: string;
  readonly parameters?: { readonly pointerType: "mouse" };
  readonly actions: readonly object[];
}

/** A page in a browser without stored data, as little as all browsers offer alike. */
export interface BrowserPage {
  /** Loads an address and waits for its document. */
  readonly open: (url: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Runs the body of a function in the page with `args`, which are JSON; returns its result, which is JSON too. */
  readonly run: (body: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** Runs an expression in the first frame of the page, which scripts of the page cannot look into. */
  readonly runInFrame: (expression: string) => Promise<unknown>;
  readonly perform: (sources: readonly InputSource[]) => Promise<void>;
  /** Chooses a file in the input that the body of a function returns. */
  readonly chooseFile: (body: string, args: readonly unknown[], path: string) => Promise<void>;
}

/** A browser that tests control. */
export interface Driver {
  /** Opens a page without cookies and storage of earlier ones, which are closed. */
  readonly newPage: () => Promise<BrowserPage>;
  readonly stop: () => Promise<void>;
}

/** The time in which a browser answers a command, in milliseconds; later it has failed. */
export const commandLimitMs = 60_000;

/** How a browser is started, and what this machine lacks for it: Debian's names of the packages. */
export interface BrowserKind {
  readonly name: string;
  readonly missing: () => readonly string[];
  readonly start: () => Promise<Driver>;
}
