/** What a content script uses of the browser; it imports nothing else, so that it weighs nothing in a page. */
interface ContentRuntime {
  readonly id?: string;
  readonly sendMessage: (message: unknown) => Promise<unknown>;
  readonly onMessage: {
    readonly addListener: (listener: (message: unknown, sender: { readonly id?: string }) => void) => void;
  };
}

/** The messages between a content script and the extension's own parts. */
export interface ContentApi {
  readonly sendMessage: (message: unknown) => Promise<unknown>;
  /** Listens to messages of the extension; those of others are ignored. */
  readonly onMessage: (listener: (message: unknown) => void) => void;
}

interface ContentWorld {
  readonly browser?: { readonly runtime: ContentRuntime };
  readonly chrome: { readonly runtime: ContentRuntime };
}

/**
 * Returns the browser as a content script sees it. An element of the page with the id "browser" is found by that name too, yet is
 * no property of the world's own.
 */
export const contentApi = (): ContentApi => {
  const world = globalThis as unknown as ContentWorld;
  const { runtime } = (Object.hasOwn(world, "browser") ? world.browser : undefined) ?? world.chrome;
  return {
    // After an update of the extension the browser throws in place of sending.
    sendMessage: async (message) => runtime.sendMessage(message),
    onMessage: (listener) =>
      runtime.onMessage.addListener((message, { id }) => {
        if (id === runtime.id) listener(message);
      }),
  };
};
