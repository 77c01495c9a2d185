const nul = 0x00;
const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;

/** Whether each CR is followed by LF, each LF preceded by CR, and there is no NUL. */
const isWireForm = (content: Buffer): boolean => {
  if (content.includes(nul)) return false;
  let breaks = 0;
  for (let at = content.indexOf(lf); at !== -1; at = content.indexOf(lf, at + 1)) {
    if (content[at - 1] !== cr) return false;
    breaks += 1;
  }
  for (let at = content.indexOf(cr); at !== -1; at = content.indexOf(cr, at + 1)) breaks -= 1;
  return breaks === 0;
};

/**
 * Content as it may travel by SMTP (RFC 5321, 2.3.8): honest mail comes back as it is, the same buffer. In other mail
 * a line feed alone becomes CRLF, and a carriage return alone or a NUL becomes a space: no next hop, however it reads
 * them, can then take a part of the mail for the end of it (SMTP smuggling).
 */
export const inWireForm = (content: Buffer): Buffer => {
  if (isWireForm(content)) return content;
  const out = Buffer.allocUnsafe(content.length * 2);
  let length = 0;
  for (const [at, byte] of content.entries()) {
    const next = content[at + 1];
    if (byte === lf && out[length - 1] !== cr) out[length++] = cr;
    out[length++] = byte === nul || (byte === cr && next !== lf) ? space : byte;
  }
  return out.subarray(0, length);
};
