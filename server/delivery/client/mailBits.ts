import { isAscii, isUtf8 } from "node:buffer";
import type { OutgoingMail } from "./commands.ts";

/** The bytes above 127 of a mail. */
export interface MailBits {
  /**
   * `utf8` fields need SMTPUTF8 (RFC 6531). Other bytes are allowed in no header; servers with SMTPUTF8 get them all the
   * same, as they came and undeclared, because those handle 8 bits there.
   */
  readonly header: "ascii" | "utf8" | "other";
  /** True if the body needs 8BITMIME (RFC 6152); null where that was not asked. */
  readonly hasEightBitBody: boolean | null;
}

const emptyLine = Buffer.from("\r\n\r\n");

/** Reads the header, and the body where that is asked. */
class BitsReader {
  readonly #readsBody: boolean;
  #head: Buffer = Buffer.alloc(0);
  #bits: MailBits | null = null;

  constructor(readsBody: boolean) {
    this.#readsBody = readsBody;
  }

  /** Returns whether more has to be read. */
  add(chunk: Buffer): boolean {
    if (this.#bits) return this.#addBody(chunk);
    const all = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = all.indexOf(emptyLine);
    this.#head = end === -1 ? all : all.subarray(0, end);
    if (end === -1) return true;
    this.#bits = { header: this.#headerBits(), hasEightBitBody: this.#readsBody ? false : null };
    return this.#addBody(all.subarray(end));
  }

  #headerBits(): MailBits["header"] {
    if (isAscii(this.#head)) return "ascii";
    return isUtf8(this.#head) ? "utf8" : "other";
  }

  #addBody(chunk: Buffer): boolean {
    if (!this.#readsBody || !this.#bits) return false;
    if (isAscii(chunk)) return true;
    this.#bits = { ...this.#bits, hasEightBitBody: true };
    return false;
  }

  end(): MailBits {
    return this.#bits ?? { header: this.#headerBits(), hasEightBitBody: this.#readsBody ? false : null };
  }
}

const readAsync = async (chunks: AsyncIterable<Buffer>, reader: BitsReader): Promise<MailBits> => {
  for await (const chunk of chunks) if (!reader.add(chunk)) break;
  return reader.end();
};

/** Reads which bytes above 127 a mail has; at once where it is in memory. */
export const readMailBits = (
  chunks: ReturnType<OutgoingMail["chunks"]>,
  readsBody: boolean,
): MailBits | Promise<MailBits> => {
  const reader = new BitsReader(readsBody);
  if (Symbol.asyncIterator in chunks) return readAsync(chunks, reader);
  for (const chunk of chunks) if (!reader.add(chunk)) break;
  return reader.end();
};
