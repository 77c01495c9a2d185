import { accountSetting } from "./accountSetting.ts";

/** The switch for taking mail with a tag behind the name of a mask; null where the server does not say. */
export const createTagSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.maskTags ?? null,
  toUpdate: (maskTags) => ({ maskTags }),
  failed: "Failed to change whether tags are taken",
});
