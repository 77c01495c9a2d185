import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "../core/ports/random.ts";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Text that the store keeps and only this installation can read (AES-256-GCM). */
export interface Seal {
  /** `about` names what it is and whose: sealed text opens only where the same is said again. */
  readonly seal: (text: string, about: string) => string;
  /** Throws when the text was sealed by another key, about something else, or damaged. */
  readonly open: (sealed: string, about: string) => string;
}

export const makeSeal = (key: Uint8Array, random: Random): Seal => ({
  seal: (text, about) => {
    const nonce = random.bytes(nonceBytes);
    const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
    const body = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString("base64url");
  },
  open: (sealed, about) => {
    const bytes = Buffer.from(sealed, "base64url");
    const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(about))
      .setAuthTag(tag);
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString(
      "utf8",
    );
  },
});
