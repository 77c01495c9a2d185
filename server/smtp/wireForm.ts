const nul = 0x00;
const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;

/** Whether each CR is followed by LF, each LF preceded by CR, and there is no NUL. */
const isWireForm = (content: Buffer): boolean => {
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at];
    if (byte === cr && content[at + 1] === lf) at += 1;
    else if (byte === nul || byte === cr || byte === lf) return false;
  }
  return true;
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
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? nul;
    if (byte === lf && out[length - 1] !== cr) out[length++] = cr;
    out[length++] = byte === nul || (byte === cr && content[at + 1] !== lf) ? space : byte;
  }
  return out.subarray(0, length);
};
