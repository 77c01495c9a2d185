type Piece = string | ArrayBuffer | Uint8Array;

const toBytes = (piece: Piece): Uint8Array => {
  if (typeof piece === "string") return Buffer.from(piece);
  return piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece;
};

/** The part of a Blob that PostalMime uses, which joins the lines of a mail with it. */
class JoinedBlob {
  readonly #pieces: readonly Piece[];
  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    const joined = Buffer.concat(this.#pieces.map(toBytes));
    return joined.buffer.slice(joined.byteOffset, joined.byteOffset + joined.length) as ArrayBuffer;
  }
}

/**
 * Replaces the Blob of this thread, which does nothing but parse mail. Node's own takes longer for a mail of 100 lines than
 * all the rest of parsing it: 0.9 ms together instead of 0.1.
 */
export const replaceBlob = (): void => {
  globalThis.Blob = JoinedBlob as unknown as typeof Blob;
};
