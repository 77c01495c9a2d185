const nul = 0x00;
const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;

/** True if the byte at `at` is a CR or LF outside a CRLF, or a NUL. */
const isIrregularAt = (content: Buffer, at: number): boolean => {
  const byte = content[at];
  if (byte === lf) return content[at - 1] !== cr;
  return byte === cr ? content[at + 1] !== lf : byte === nul;
};

const isIrregularBetween = (content: Buffer, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) if (isIrregularAt(content, at)) return true;
  return false;
};

const wordBytes = 4;

/** True if one of the four bytes of a word is below 0x0e, as CR, LF and NUL are. */
const hasControl = (word: number): boolean => ((word - 0x0e0e0e0e) & ~word & 0x80808080) !== 0;

/** True if all line endings are CRLF and there is no NUL; looks at four bytes at a time. */
export const isNormalized = (content: Buffer): boolean => {
  const unaligned = Math.min((wordBytes - (content.byteOffset % wordBytes)) % wordBytes, content.length);
  if (isIrregularBetween(content, 0, unaligned)) return false;
  const count = (content.length - unaligned) >> 2;
  const words = new Uint32Array(content.buffer, count > 0 ? content.byteOffset + unaligned : 0, count);
  for (let index = 0; index < count; index += 1) {
    if (!hasControl(words[index] ?? 0)) continue;
    const at = unaligned + index * wordBytes;
    if (isIrregularBetween(content, at, at + wordBytes)) return false;
  }
  return !isIrregularBetween(content, unaligned + count * wordBytes, content.length);
};

/** At most so many CR before an LF are one line ending, as programs write that translate line endings twice. */
export const maxLineEndCrs = 3;

/** True if nothing but more CR stand between the CR at `at` and an LF. */
const isInLineEnd = (content: Buffer, at: number): boolean => {
  let next = at + 1;
  while (next < at + maxLineEndCrs && content[next] === cr) next += 1;
  return content[next] === lf;
};

/**
 * Normalizes content for SMTP (RFC 5321, 2.3.8); regular mail is the same buffer. A single LF and CR CR LF become CRLF,
 * and any other CR or a NUL a space, so that no next hop can read part of the mail as its end (SMTP smuggling).
 * Pieces may be normalized separately when none ends between CR and LF.
 */
export const normalizeLineEndings = (content: Buffer): Buffer => {
  if (isNormalized(content)) return content;
  const out = Buffer.allocUnsafe(content.length * 2);
  let length = 0;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? nul;
    if (byte === cr && isInLineEnd(content, at)) continue;
    if (byte === lf) out[length++] = cr;
    out[length++] = byte === nul || byte === cr ? space : byte;
  }
  return out.subarray(0, length);
};
