import { openBackground } from "../ports.ts";
import { fillInTab, registerContentScripts } from "./contentScripts.ts";
import { answerMessage } from "./messages.ts";
import { sendWaiting } from "./sendWaiting.ts";
import { createSiteCodes } from "./siteCodes.ts";

const { api, ports } = openBackground();
const codes = createSiteCodes();

const menuItem = "fill-mask";

/** The browser's own pages let no extension in; there is nothing to fill in there. */
const ignore = (): void => {};

const fill = (tabId: number | undefined, frameId?: number): void => {
  if (tabId !== undefined) fillInTab(api, tabId, frameId).catch(ignore);
};

let registering: Promise<void> = Promise.resolve();
const register = (): void => {
  registering = registering.then(() => registerContentScripts(api)).catch(ignore);
};

api.runtime.onMessage.addListener((message, sender, respond) => {
  const deps = { ownId: api.runtime.id, ports, codes, permissions: api.permissions };
  const answer = answerMessage(deps, message, sender);
  if (answer === undefined) return false;
  answer.then(respond, () => respond(undefined));
  return true;
});
api.runtime.onInstalled.addListener(() => {
  register();
  void api.contextMenus
    .removeAll()
    .then(() => api.contextMenus.create({ id: menuItem, title: "Fill in a mask", contexts: ["editable"] }));
});
api.permissions.onAdded.addListener(register);
api.permissions.onRemoved.addListener(register);
api.contextMenus.onClicked.addListener(({ frameId }, tab) => fill(tab?.id, frameId));
api.commands.onCommand.addListener((_command, tab) => fill(tab?.id));
// The browser wakes the background as it starts, and for each change of what is stored.
api.runtime.onStartup.addListener(ignore);
ports().then((loaded) => sendWaiting(loaded).subscribe(), ignore);
