import { readLine } from "../commandLine.ts";
import type { ContentPart, ContentReader } from "../contentReader.ts";
import { maxCommandBytes } from "../smtpLimits.ts";

const lf = 0x0a;
const cr = 0x0d;
const nothing = Buffer.alloc(0);

/** Received bytes that are not handled yet. */
export class InputBuffer {
  #bytes: Buffer = nothing;
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === this.#bytes.length;
  }

  append(bytes: Buffer): void {
    this.#bytes = this.isEmpty ? bytes : Buffer.concat([this.#bytes.subarray(this.#at), bytes]);
    this.#at = 0;
  }

  clear(): void {
    this.#bytes = nothing;
    this.#at = 0;
  }

  /** Takes the next command line without its end, also after a single LF; null when it is incomplete. */
  takeLine(): string | "too-long" | null {
    const end = this.#bytes.indexOf(lf, this.#at);
    const length = (end < 0 ? this.#bytes.length : end) - this.#at;
    if (length > maxCommandBytes) return "too-long";
    if (end < 0) return null;
    const isCrlf = length > 0 && this.#bytes[end - 1] === cr;
    const line = readLine(this.#bytes, this.#at, isCrlf ? end - 1 : end);
    this.#at = end + 1;
    return line;
  }

  takeContent(reader: ContentReader): ContentPart {
    const part = reader.push(this.#bytes, this.#at);
    this.#at = part.end < 0 ? this.#bytes.length : part.end;
    return part;
  }
}
