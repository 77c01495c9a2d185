import type { ExtensionApi } from "../extensionApi.ts";

const id = "fields";

/** Has the button stand in the fields of the sites that the user has allowed, and of no other. */
export const registerContentScripts = async ({
  permissions,
  scripting,
}: Pick<ExtensionApi, "permissions" | "scripting">): Promise<void> => {
  const { origins = [] } = await permissions.getAll();
  const registered = await scripting.getRegisteredContentScripts({ ids: [id] });
  if (registered.length > 0) await scripting.unregisterContentScripts({ ids: [id] });
  if (origins.length === 0) return;
  await scripting.registerContentScripts([
    {
      id,
      matches: origins,
      js: ["content.js"],
      allFrames: true,
      matchOriginAsFallback: true,
      runAt: "document_idle",
    },
  ]);
};

/** Fills in a mask where the user types, in a page or a frame of it, after the user has asked for it. */
export const fillInTab = async (
  { scripting, tabs }: ExtensionApi,
  tabId: number,
  frameId?: number,
): Promise<void> => {
  const frames = frameId === undefined ? { allFrames: true } : { frameIds: [frameId] };
  await scripting.executeScript({ target: { tabId, ...frames }, files: ["content.js"] });
  await tabs.sendMessage(tabId, { kind: "fill" }, frameId === undefined ? {} : { frameId });
};
