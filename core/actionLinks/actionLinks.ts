import { accountSetting } from "../account/accountSetting.ts";
import { ActionLinkPlace } from "../mail/actionLinkPlace.ts";

/**
 * The place where mail that is forwarded from now on has links that act on its mask. A place that only newer versions know is
 * read as none.
 */
export const createActionLinks = accountSetting<ActionLinkPlace>({
  read: ({ settings }) => (ActionLinkPlace.is(settings?.actionLinks) ? settings.actionLinks : "off"),
  toUpdate: (actionLinks) => ({ actionLinks }),
  failed: "Failed to change the links in forwarded email",
});
