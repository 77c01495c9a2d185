import { ClientError } from "./clientError.ts";

/** A reply of a mail server: its code, and its text with the code on one line. */
export interface Reply {
  readonly code: number;
  readonly text: string;
  /** The text of each line without the code. */
  readonly lines: readonly string[];
}

const maxLineLength = 4_096;
const maxLines = 200;
const replyLine = /^([2-5]\d\d)(?:([ -])(.*))?$/s;

const toText = (code: number, lines: readonly string[]): string => {
  const [first = "", ...others] = lines;
  const status = /^[245]\.\d{1,3}\.\d{1,3} /.exec(first)?.[0] ?? "";
  const rest = others.map((line) =>
    status !== "" && line.startsWith(status) ? line.slice(status.length) : line,
  );
  return [String(code), first, ...rest].join(" ").trim();
};

/** Parses the replies of a server; throws a `ClientError` for an invalid or endless reply. */
export class ReplyReader {
  #rest = "";
  #code = 0;
  #lines: string[] = [];

  /** True while a reply is incomplete. */
  get isWithin(): boolean {
    return this.#rest !== "" || this.#lines.length > 0;
  }

  /** Parses bytes; calls `onReply` with each complete reply until it returns false. */
  push(bytes: Buffer, onReply: (reply: Reply) => void): void {
    this.#rest += bytes.toString("utf8");
    for (let end = this.#rest.indexOf("\n"); end >= 0; end = this.#rest.indexOf("\n")) {
      const line = this.#rest.slice(0, this.#rest[end - 1] === "\r" ? end - 1 : end);
      this.#rest = this.#rest.slice(end + 1);
      const reply = this.#take(line);
      if (reply) onReply(reply);
    }
    if (this.#rest.length > maxLineLength)
      throw new ClientError("EPROTOCOL", "the server's reply has no end");
  }

  #take(line: string): Reply | null {
    const [, digits, separator, words = ""] = replyLine.exec(line) ?? [];
    const code = Number(digits ?? 0);
    if (digits === undefined || (this.#lines.length > 0 && code !== this.#code))
      throw new ClientError("EPROTOCOL", "the server does not reply as SMTP servers do");
    this.#code = code;
    this.#lines.push(words);
    if (this.#lines.length > maxLines) throw new ClientError("EPROTOCOL", "the server's reply has no end");
    if (separator === "-") return null;
    const lines = this.#lines;
    this.#lines = [];
    return { code, lines, text: toText(code, lines) };
  }
}
