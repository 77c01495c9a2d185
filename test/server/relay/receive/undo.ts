const ours = /^Received: [\s\S]*?\r\nX-Bauta-Mask: [\s\S]*?\r\nFrom: [^\r\n]*(?:\r\n [^\r\n]+)*\r\n/;
const noHeader = /(?<=^|\r\n)X-Bauta-Original-Header: none\r\n$/;

/** Returns the end of the header: the offset of the first empty line, or the length of the mail. */
const endOfHeader = (text: string): number => {
  if (text.startsWith("\r\n")) return 0;
  const at = text.indexOf("\r\n\r\n");
  return at === -1 ? text.length : at + 2;
};

/**
 * Undoes the changes that forwarding makes to a mail (docs/forwarding.md): removes the added fields above From, renames
 * the renamed fields back, and removes what was added around lines that are not header fields.
 */
export const undoForwarding = (forwarded: Buffer): Buffer => {
  const text = forwarded.toString("latin1");
  const own = ours.exec(text)?.[0];
  if (own === undefined) throw new Error("this is no forwarded mail");
  const rest = text.slice(own.length);
  const end = endOfHeader(rest);
  const header = rest.slice(0, end);
  const body = rest.slice(end);
  const given = noHeader.test(header)
    ? header.replace(noHeader, "") + body.slice(2)
    : header.replace(/^X-Bauta-Original-/gim, "") + body;
  const unnamed = /^X-Mailbox-Line: (?=>?From )/.test(header)
    ? given.slice("X-Mailbox-Line: ".length)
    : given;
  return Buffer.from(unnamed, "latin1");
};
