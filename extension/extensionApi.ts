/** An event of the browser that an extension listens to. */
export interface ExtensionEvent<Listener> {
  readonly addListener: (listener: Listener) => void;
  readonly removeListener: (listener: Listener) => void;
}

/** A tab; its address is known where the extension may see the site, or the user has just called the extension there. */
export interface BrowserTab {
  readonly id?: number;
  readonly url?: string;
}

/** Sites, as patterns such as "https://shop.example/*". */
export interface SitePermissions {
  readonly origins?: readonly string[];
}

/** Where a message comes from, as the browser tells it. */
export interface MessageSender {
  /** The extension that has sent it. */
  readonly id?: string;
  readonly tab?: BrowserTab;
  /** 0 for the page itself, not a frame in it. */
  readonly frameId?: number;
  /** The address of the page or the frame. */
  readonly url?: string;
  /** Its origin, also of a frame without an address of its own; Firefox does not tell it. */
  readonly origin?: string;
}

/** A script of the extension's own files that runs in a page. */
export interface InjectedScript {
  readonly target: {
    readonly tabId: number;
    readonly allFrames?: boolean;
    readonly frameIds?: readonly number[];
  };
  readonly files: readonly string[];
}

/** A script that runs in the pages of some sites when they load. */
export interface RegisteredScript {
  readonly id: string;
  readonly matches: readonly string[];
  readonly js: readonly string[];
  readonly allFrames: boolean;
  /** Also in frames that have no address of their own, such as "about:srcdoc". */
  readonly matchOriginAsFallback: boolean;
  readonly runAt: "document_idle";
}

interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly contexts: readonly "editable"[];
}

/** What the extension uses of the browser, as Chromium and Firefox have it in common. */
export interface ExtensionApi {
  readonly runtime: {
    readonly id: string;
    readonly openOptionsPage: () => Promise<void>;
    readonly sendMessage: (message: unknown) => Promise<unknown>;
    /** A listener that returns true responds later. */
    readonly onMessage: ExtensionEvent<
      (message: unknown, sender: MessageSender, respond: (answer: unknown) => void) => boolean
    >;
    readonly onInstalled: ExtensionEvent<() => void>;
    readonly onStartup: ExtensionEvent<() => void>;
  };
  readonly scripting: {
    readonly executeScript: (script: InjectedScript) => Promise<unknown>;
    readonly registerContentScripts: (scripts: readonly RegisteredScript[]) => Promise<void>;
    readonly updateContentScripts: (scripts: readonly RegisteredScript[]) => Promise<void>;
    readonly unregisterContentScripts: (filter: { readonly ids: readonly string[] }) => Promise<void>;
    readonly getRegisteredContentScripts: (filter: {
      readonly ids: readonly string[];
    }) => Promise<readonly object[]>;
  };
  readonly contextMenus: {
    readonly create: (item: MenuItem) => unknown;
    readonly removeAll: () => Promise<void>;
    readonly onClicked: ExtensionEvent<
      (info: { readonly frameId?: number }, tab: BrowserTab | undefined) => void
    >;
  };
  readonly commands: {
    readonly onCommand: ExtensionEvent<(command: string, tab: BrowserTab | undefined) => void>;
  };
  readonly tabs: {
    readonly query: (filter: {
      readonly active: boolean;
      readonly currentWindow: boolean;
    }) => Promise<readonly BrowserTab[]>;
    readonly sendMessage: (
      tabId: number,
      message: unknown,
      to?: { readonly frameId?: number },
    ) => Promise<unknown>;
  };
  readonly permissions: {
    readonly getAll: () => Promise<SitePermissions>;
    readonly contains: (sites: { readonly origins: readonly string[] }) => Promise<boolean>;
    /** Asks the user; only in answer to a press. */
    readonly request: (sites: { readonly origins: readonly string[] }) => Promise<boolean>;
    readonly remove: (sites: { readonly origins: readonly string[] }) => Promise<boolean>;
    readonly onAdded: ExtensionEvent<() => void>;
    readonly onRemoved: ExtensionEvent<() => void>;
  };
}
