import { randomBytes } from "node:crypto";
import type { Clock } from "../../../core/ports/clock.ts";
import { type NewObject, ObjectError, type ObjectStore } from "../../platform/objects/objectStore.ts";
import { DamagedObject, openObject, sealedSize, sealObject } from "../../platform/objects/sealedObject.ts";
import { errorTrace, type Log } from "../../platform/ops/log.ts";
import type { Database } from "../../platform/store/database.ts";
import { skipBytes } from "../outgoingCopy.ts";
import { type BodyRow, outsideRow } from "./bodyRows.ts";
import { type BodyReader, type BodyStore, BodyUnavailable, type NewContent } from "./bodyStore.ts";
import { createObjectSweep } from "./objectSweep.ts";
import { rowOfPieces } from "./rowBodies.ts";

/** Content up to this size is a row: a request takes longer than to write so little twice. */
const maxRowBytes = 32 * 1024;
/** Bytes of an object at most: more than the largest mail, encrypted. */
const maxObjectBytes = 64 * 1024 * 1024;
const keyBytes = 32;
/** Rows that are stored later are refused. An object is swept after an hour. */
const storedWithinMs = 10 * 60_000;
const removedTogether = 8;
/** Bodies that wait to be removed; the sweep removes the others. */
const maxRemovals = 10_000;

export interface ObjectBodiesDeps {
  readonly objects: ObjectStore;
  /** Called when content is not what was stored, or no longer there. */
  readonly onDamaged: () => void;
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** Bodies that are objects, which must be closed. */
export interface ObjectBodies extends BodyStore {
  /** Waits for what is being removed, and closes the connections. */
  readonly close: () => Promise<void>;
}

const sizeOf = (content: NewContent): number =>
  "pieces" in content
    ? content.pieces.reduce((sum, { length }) => sum + length, 0)
    : content.spooled.content.size - content.spooled.skip;

const toObject = (content: NewContent, key: Buffer): NewObject => ({
  size: sealedSize(sizeOf(content)),
  chunks: () =>
    sealObject(
      key,
      "pieces" in content
        ? content.pieces
        : skipBytes(content.spooled.content.chunks(), content.spooled.skip),
    ),
});

const toUnavailable = (error: unknown): unknown => {
  if (error instanceof DamagedObject)
    return new BodyUnavailable("The stored content of a mail is damaged.", { isDamaged: true, cause: error });
  if (!(error instanceof ObjectError)) return error;
  const isDamaged = error.problem === "missing";
  return new BodyUnavailable(error.message, { isDamaged, cause: error });
};

/** Creates the function that removes objects a few at a time, and what waits until all are removed. */
const createRemovals = ({ objects, log }: Pick<ObjectBodiesDeps, "objects" | "log">) => {
  const waiting: string[] = [];
  const working = new Set<Promise<void>>();
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      await objects.remove(name).catch((error: unknown) => {
        log.debug({ error: errorTrace(error) }, "removing the content of a mail is left to the sweep");
      });
  };
  return {
    add: (names: readonly string[]): void => {
      waiting.push(...names.slice(0, Math.max(0, maxRemovals - waiting.length)));
      while (working.size < Math.min(removedTogether, working.size + waiting.length)) {
        const one: Promise<void> = work().finally(() => working.delete(one));
        working.add(one);
      }
    },
    settled: async (): Promise<void> => {
      waiting.length = 0;
      await Promise.all(working);
    },
  };
};

/** Creates what reads bodies that are objects. */
export const createObjectReader = ({
  objects,
  onDamaged,
}: Pick<ObjectBodiesDeps, "objects" | "onDamaged">): BodyReader => ({
  read: async function* (id, { file_key }) {
    try {
      yield* openObject(Buffer.from(file_key ?? "", "hex"), objects.get(id, maxObjectBytes));
    } catch (error) {
      const unavailable = toUnavailable(error);
      if (unavailable instanceof BodyUnavailable && unavailable.isDamaged) onDamaged();
      throw unavailable;
    }
  },
});

/**
 * Creates bodies that are objects of a store beside PostgreSQL, encrypted with keys in their rows; small ones are rows.
 * An object is written before its row is, removed after its row is, and named by its body alone.
 */
export const createObjectBodies = (deps: ObjectBodiesDeps): ObjectBodies => {
  const { objects, clock } = deps;
  const removals = createRemovals(deps);
  const sweep = createObjectSweep(deps);

  const writeOne = async (content: NewContent): Promise<BodyRow> => {
    if ("pieces" in content && sizeOf(content) <= maxRowBytes) return rowOfPieces(content.id, content.pieces);
    const key = randomBytes(keyBytes);
    await objects.put(content.id, toObject(content, key));
    return outsideRow(content.id, key.toString("hex"), 0);
  };

  return {
    keepsSpoolFiles: false,
    // A slow store must not keep the commits of other mails waiting.
    sharesWrite: () => false,
    write: async (contents) => {
      const before = clock.now();
      const rows = await Promise.all(contents.map(writeOne));
      return {
        rows,
        assertInTime: () => {
          const elapsed = clock.now() - before;
          if (elapsed < 0 || elapsed > storedWithinMs) throw new Error("a body was written too long ago");
        },
        discard: () => removals.add(contents.map(({ id }) => id)),
        release: () => {},
      };
    },
    ...createObjectReader(deps),
    remove: async (ids) => removals.add(ids),
    sweep,
    close: async () => {
      await removals.settled();
      objects.close();
    },
  };
};
