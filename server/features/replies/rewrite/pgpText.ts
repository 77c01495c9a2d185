const armorEnd = (kind: string): string => `-----END PGP ${kind}-----`;

/** A header of the armor, the radix-64 data, or its checksum (RFC 9580, 6.2). */
const armorLine = /^(?:[A-Za-z][\w-]{0,30}: .{0,200}|[A-Za-z0-9+/]{1,100}={0,2}|=[A-Za-z0-9+/]{4}|)$/;

const isArmor = (lines: readonly string[], kind: string): boolean =>
  lines[0] === `-----BEGIN PGP ${kind}-----` &&
  lines.at(-1) === armorEnd(kind) &&
  lines.slice(1, -1).every((line) => armorLine.test(line));

/**
 * True if a text, from its first line that is not blank to its last, is one encrypted message, or one text with its signature
 * (RFC 9580, 6.2 and 7). A text that merely contains such a message is not.
 */
export const isPgpText = (text: string): boolean => {
  const trimmed = text.trim();
  if (!trimmed.startsWith("-----BEGIN PGP ")) return false;
  const lines = trimmed.split(/\r?\n/).map((line) => line.trimEnd());
  if (lines[0] === "-----BEGIN PGP MESSAGE-----") return isArmor(lines, "MESSAGE");
  if (lines[0] !== "-----BEGIN PGP SIGNED MESSAGE-----") return false;
  // Every line of the text that begins with "-" has "- " before it.
  const signature = lines.findIndex((line, n) => n > 0 && /^-(?! )/.test(line));
  return signature !== -1 && isArmor(lines.slice(signature), "SIGNATURE");
};
