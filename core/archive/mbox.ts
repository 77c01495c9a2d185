/** A mail for an mbox: when it came (ISO 8601), and its bytes (RFC 5322). */
export interface MboxMail {
  readonly archived: string;
  readonly content: Uint8Array;
}

const lineFeed = 10;
const carriageReturn = 13;
const quote = 62;
const from = [70, 114, 111, 109, 32];

/** True if a line begins with "From ", after any number of ">" (mboxrd). */
const beginsWithFrom = (content: Uint8Array, start: number): boolean => {
  let at = start;
  while (content[at] === quote) at += 1;
  return from.every((byte, n) => content[at + n] === byte);
};

/** "Fri Nov 20 10:00:00 2026", as the lines between the mails have it (RFC 4155). */
const dateLine = (archived: string): string => {
  const [day = "", date = "", month = "", year = "", time = ""] = new Date(archived)
    .toUTCString()
    .replace(",", "")
    .split(" ");
  return `From MAILER-DAEMON ${day} ${month} ${date} ${time} ${year}\n`;
};

/** Bytes besides those of a mail: its first line, and the end. */
const addedBytes = 128;

const writeMail = ({ archived, content }: MboxMail): Uint8Array => {
  // At most every second byte begins a line that is quoted.
  const bytes = new Uint8Array(addedBytes + content.length * 2);
  let length = 0;
  const add = (byte: number): void => {
    bytes[length] = byte;
    length += 1;
  };
  for (const letter of dateLine(archived)) add(letter.charCodeAt(0));
  let isStart = true;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? 0;
    if (isStart && beginsWithFrom(content, at)) add(quote);
    isStart = byte === lineFeed;
    if (byte !== carriageReturn || content[at + 1] !== lineFeed) add(byte);
  }
  if (!isStart) add(lineFeed);
  add(lineFeed);
  return bytes.subarray(0, length);
};

/** Returns mails as one mbox in the form "mboxrd", with lines that end in LF. */
export const toMbox = (mails: readonly MboxMail[]): Uint8Array<ArrayBuffer> => {
  const written = mails.map(writeMail);
  const all = new Uint8Array(written.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const mail of written) {
    all.set(mail, at);
    at += mail.length;
  }
  return all;
};
