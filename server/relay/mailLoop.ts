import { maskField } from "./forwardedMail.ts";
import type { HeaderBlock } from "./headerBlock.ts";

const mostHops = 30;
const mostMasks = 2;

/** Whether a mail goes round: more than 30 trace lines (RFC 5321, 6.3), or through masks of ours twice before. */
export const isLooping = (header: HeaderBlock): boolean => {
  const count = (field: string): number => header.fields.filter(({ name }) => name === field).length;
  return count("received") > mostHops || count(maskField.toLowerCase()) >= mostMasks;
};
