/** An object to store. */
export interface NewObject {
  /** Bytes. */
  readonly size: number;
  /** Returns all bytes in order; called once for the checksum and once for each attempt. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** A stored object as it is listed. */
export interface ListedObject {
  readonly name: string;
  /** Since it was written, by the clock of the store. */
  readonly ageMs: number;
}

/** Objects in the order of their names. */
export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  /** The name to list on after; null at the end. */
  readonly next: string | null;
}

/** Stores objects under names that are letters, digits, "-" and "_". All functions reject with an `ObjectError`. */
export interface ObjectStore {
  /** Resolves when the store has answered that it keeps the object. */
  readonly put: (name: string, object: NewObject) => Promise<void>;
  /** Returns the bytes of an object of at most `maxBytes`. */
  readonly get: (name: string, maxBytes: number) => AsyncIterable<Buffer>;
  /** Removes an object; also resolves when there is none. */
  readonly remove: (name: string) => Promise<void>;
  readonly list: (after: string | null) => Promise<ObjectPage>;
  /** Closes idle connections. */
  readonly close: () => void;
}

/** The reason for which an object store failed: out of reach or slow, without the object, full, or refusing the request. */
export type ObjectProblem = "unreachable" | "missing" | "full" | "refused";

/** Thrown for what an object store did not do; the message names no object. */
export class ObjectError extends Error {
  readonly problem: ObjectProblem;
  /** As files say it, so that it counts as a storage that will work again. */
  readonly code: "ENOSPC" | "EIO";

  constructor(problem: ObjectProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
    this.code = problem === "full" ? "ENOSPC" : "EIO";
  }
}
