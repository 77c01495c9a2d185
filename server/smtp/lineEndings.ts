const nul = 0x00;
const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;

/** Whether all line endings are CRLF and there is no NUL. */
const isNormalized = (content: Buffer): boolean => {
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === cr && content[at + 1] === lf) at += 1;
    else if (byte === nul || byte === cr || byte === lf) return false;
  }
  return true;
};

/**
 * Normalizes content for SMTP (RFC 5321, 2.3.8). Regular mail is returned as the same buffer. Otherwise a single LF
 * becomes CRLF, and a single CR or a NUL becomes a space, so that no next hop can read a part of the mail as its end
 * (SMTP smuggling).
 */
export const normalizeLineEndings = (content: Buffer): Buffer => {
  if (isNormalized(content)) return content;
  const out = Buffer.allocUnsafe(content.length * 2);
  let length = 0;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? nul;
    if (byte === lf && out[length - 1] !== cr) out[length++] = cr;
    out[length++] = byte === nul || (byte === cr && content[at + 1] !== lf) ? space : byte;
  }
  return out.subarray(0, length);
};
