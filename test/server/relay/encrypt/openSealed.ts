const mark = ';\r\n protected-headers="v1"';
const added = `Content-Type: text/plain; charset=us-ascii${mark}\r\n`;

/** Removes the marker that a mail got so that its header could be encrypted with it (docs/forwarding.md). */
export const withoutProtection = (opened: Buffer): Buffer => {
  const text = opened.toString("latin1");
  return Buffer.from(text.startsWith(added) ? text.slice(added.length) : text.replace(mark, ""), "latin1");
};
