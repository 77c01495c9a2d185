const dot = 0x2e;
const lf = 0x0a;
const cr = 0x0d;
const dotLine = Buffer.from("\n.");
const oneDot = Buffer.from(".");

/** Stuffs the dots of a mail for DATA (RFC 5321, 4.5.2), chunk by chunk and without copying. */
export class DotStuffing {
  #isLineStart = true;
  #lastByte = lf;
  #byteBefore = cr;

  push(chunk: Buffer, write: (piece: Buffer) => void): void {
    if (chunk.length === 0) return;
    if (this.#isLineStart && chunk[0] === dot) write(oneDot);
    let from = 0;
    for (let at = chunk.indexOf(dotLine); at >= 0; at = chunk.indexOf(dotLine, from)) {
      write(chunk.subarray(from, at + 1));
      write(oneDot);
      from = at + 1;
    }
    write(from === 0 ? chunk : chunk.subarray(from));
    this.#byteBefore = chunk.length > 1 ? (chunk[chunk.length - 2] ?? lf) : this.#lastByte;
    this.#lastByte = chunk[chunk.length - 1] ?? lf;
    this.#isLineStart = this.#lastByte === lf;
  }

  end(): string {
    return this.#lastByte === lf && this.#byteBefore === cr ? ".\r\n" : "\r\n.\r\n";
  }
}
