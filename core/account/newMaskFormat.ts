import { type MaskFormat, readMaskFormat, usualFormat } from "../masks/maskFormat.ts";
import { accountSetting } from "./accountSetting.ts";

/** The format of the addresses of the account's new masks, unless another one is chosen for one mask. */
export const createNewMaskFormat = accountSetting<MaskFormat>({
  read: ({ settings }) => readMaskFormat(settings?.maskFormat) ?? usualFormat,
  toUpdate: (maskFormat) => ({ maskFormat }),
  failed: "Failed to change the addresses of new masks",
});
