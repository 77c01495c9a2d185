const mark = ';\r\n hp="cipher";\r\n protected-headers="v1"';
const added = `Content-Type: text/plain; charset=us-ascii${mark}\r\n`;

/** The fields of which an encrypted mail says that they stand outside; they are the first ones of its header. */
export const outerFieldsOf = (opened: Buffer): string =>
  /^(?:HP-Outer: [^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*)*/.exec(opened.toString("latin1"))?.[0] ?? "";

/** Removes what a mail got so that its header could be encrypted with it (docs/forwarding.md). */
export const withoutProtection = (opened: Buffer): Buffer => {
  const text = opened.toString("latin1").slice(outerFieldsOf(opened).length);
  return Buffer.from(text.startsWith(added) ? text.slice(added.length) : text.replace(mark, ""), "latin1");
};
