import type { ExtensionApi, RegisteredScript } from "../extensionApi.ts";

const id = "fields";

/** Has the button stand in the fields of the sites that the user has allowed, and of no other. */
export const registerContentScripts = async ({
  permissions,
  scripting,
}: Pick<ExtensionApi, "permissions" | "scripting">): Promise<void> => {
  const { origins = [] } = await permissions.getAll();
  const isRegistered = (await scripting.getRegisteredContentScripts({ ids: [id] })).length > 0;
  const script: RegisteredScript = {
    id,
    matches: origins,
    js: ["content.js"],
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: "document_idle",
  };
  // One step each: the browser may end a background between two.
  if (origins.length > 0 && isRegistered) await scripting.updateContentScripts([script]);
  else if (origins.length > 0) await scripting.registerContentScripts([script]);
  else if (isRegistered) await scripting.unregisterContentScripts({ ids: [id] });
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
