/** An event of the browser that an extension listens to. */
export interface ExtensionEvent<Listener> {
  readonly addListener: (listener: Listener) => void;
  readonly removeListener: (listener: Listener) => void;
}

/** A storage of an extension; `get(null)` returns all of it. */
export interface StorageArea {
  readonly get: (keys: string | null) => Promise<Readonly<Record<string, unknown>>>;
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /** Reports every change, also those of this context. */
  readonly onChanged: ExtensionEvent<
    (changes: Readonly<Record<string, { readonly newValue?: unknown }>>) => void
  >;
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
  };
  readonly scripting: { readonly executeScript: (script: InjectedScript) => Promise<unknown> };
  readonly storage: { readonly local: StorageArea };
  readonly tabs: {
    readonly query: (filter: {
      readonly active: boolean;
      readonly currentWindow: boolean;
    }) => Promise<readonly BrowserTab[]>;
    readonly sendMessage: (tabId: number, message: unknown) => Promise<unknown>;
  };
  readonly permissions: {
    readonly getAll: () => Promise<SitePermissions>;
    /** Asks the user; only in answer to a press. */
    readonly request: (sites: { readonly origins: readonly string[] }) => Promise<boolean>;
    readonly remove: (sites: { readonly origins: readonly string[] }) => Promise<boolean>;
    readonly onAdded: ExtensionEvent<() => void>;
    readonly onRemoved: ExtensionEvent<() => void>;
  };
}

/** Returns the browser as it shows itself to an extension. */
export const extensionApi = (): ExtensionApi => {
  const { browser, chrome } = globalThis as {
    readonly browser?: ExtensionApi;
    readonly chrome?: ExtensionApi;
  };
  const api = browser ?? chrome;
  if (api === undefined) throw new Error("this script runs in an extension only");
  return api;
};
