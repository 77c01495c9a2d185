import type { HeaderBlock } from "../mime/headerBlock.ts";

/** Field that names the mask a mail was sent to. */
export const maskField = "X-Bauta-Mask";

/** Prefix of fields that are renamed because they must not apply to the forwarded mail. */
export const originalPrefix = "X-Bauta-Original-";

/** The name of the field that names the mask, however often the mail was forwarded since. */
const passedMask = /^(?:x-bauta-original-)*x-bauta-mask$/;

/** True if a field, by its name in lower case, says that the mail has passed a mask. */
export const isMaskField = (name: string): boolean => passedMask.test(name);

/** Returns how many masks a mail has passed here; a mail of collected mails has passed as many as one of them. */
export const countMaskPasses = ({ fields }: Pick<HeaderBlock, "fields">): number =>
  fields.filter(({ name }) => isMaskField(name)).length;
