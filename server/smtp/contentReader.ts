/** The result of reading pushed bytes. */
export interface ContentPart {
  /** Content without dot stuffing, in order; no piece ends between CR and LF. */
  readonly pieces: readonly Buffer[];
  /** Index in the pushed buffer after the end of the content; -1 when it continues. */
  readonly end: number;
}

/** Finds content and its end in the input of a socket. */
export interface ContentReader {
  readonly push: (buffer: Buffer, start: number) => ContentPart;
}

const dot = 0x2e;
const lf = 0x0a;
const cr = 0x0d;
const dotLine = Buffer.from("\n.");
const nothing = Buffer.alloc(0);

/** Before a dot: the start, a CRLF, or a single LF, which ends no line of SMTP. */
type LineStart = "line" | "single-lf" | "none";

/**
 * Creates the reader of DATA. Only CRLF.CRLF ends it. The first dot of a line is removed (RFC 5321, 4.5.2);
 * after a single LF only the first of two, which programs send that take it for a line end.
 */
export const createDataReader = (): ContentReader => {
  let pending = nothing;
  let lineStart: LineStart = "line";

  const startAfter = (bytes: Buffer, at: number): LineStart => {
    if (at === 0) return lineStart;
    if (bytes[at - 1] !== lf) return "none";
    return bytes[at - 2] === cr ? "line" : "single-lf";
  };

  /** True if more bytes are needed to interpret the dot at `at`. */
  const isUndecided = (bytes: Buffer, at: number): boolean =>
    at + 1 === bytes.length || (bytes[at + 1] === cr && at + 2 === bytes.length);

  const isEnd = (bytes: Buffer, at: number, start: LineStart): boolean =>
    start === "line" && bytes[at + 1] === cr && bytes[at + 2] === lf;

  /** -1 when there is none. */
  const findDot = (bytes: Buffer, from: number, begin: number): number => {
    if (from === begin && bytes[from] === dot && lineStart !== "none") return from;
    const found = bytes.indexOf(dotLine, from === begin ? from : from - 1);
    return found < 0 ? -1 : found + 1;
  };

  const hold = (bytes: Buffer, from: number): void => {
    pending = from < bytes.length ? Buffer.from(bytes.subarray(from)) : nothing;
  };

  const scan = (bytes: Buffer): ContentPart => {
    const pieces: Buffer[] = [];
    let from = 0;
    const take = (to: number): void => {
      if (to > from) pieces.push(bytes.subarray(from, to));
    };
    for (let at = findDot(bytes, 0, 0); at >= 0; at = findDot(bytes, at + 1, 0)) {
      const start = startAfter(bytes, at);
      if (isUndecided(bytes, at)) {
        take(at);
        hold(bytes, at);
        lineStart = start;
        return { pieces, end: -1 };
      }
      if (isEnd(bytes, at, start)) {
        take(at);
        return { pieces, end: at + 3 };
      }
      if (start === "line" || bytes[at + 1] === dot) {
        take(at);
        from = at + 1;
      }
    }
    const to = bytes[bytes.length - 1] === cr ? bytes.length - 1 : bytes.length;
    take(to);
    hold(bytes, to);
    lineStart = startAfter(bytes, to);
    return { pieces, end: -1 };
  };

  return {
    push: (buffer, start) => {
      const fresh = start === 0 ? buffer : buffer.subarray(start);
      if (fresh.length === 0) return { pieces: [], end: -1 };
      if (pending.length === 0) {
        const { pieces, end } = scan(fresh);
        return { pieces, end: end < 0 ? -1 : start + end };
      }
      const before = pending.length;
      const joined = Buffer.concat([pending, fresh]);
      pending = nothing;
      const { pieces, end } = scan(joined);
      return { pieces, end: end < 0 ? -1 : start + end - before };
    },
  };
};

/** Creates the reader of a BDAT chunk, which has `size` bytes (RFC 3030). */
export const createChunkReader = (size: number): ContentReader => {
  let left = size;
  return {
    push: (buffer, start) => {
      const end = Math.min(buffer.length, start + left);
      left -= end - start;
      const pieces = end > start ? [buffer.subarray(start, end)] : [];
      return { pieces, end: left === 0 ? end : -1 };
    },
  };
};
