import { randomBytes } from "node:crypto";
import { ObjectError, type ObjectStore } from "./objectStore.ts";

const testBytes = 1024;

const readAll = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

/** Writes, reads, lists and deletes; rejects with an `ObjectError` where one of them fails. */
export const checkObjectStore = async (objects: ObjectStore): Promise<void> => {
  const name = `check-${randomBytes(12).toString("base64url")}`;
  const content = randomBytes(testBytes);
  await objects.put(name, { size: testBytes, chunks: () => [content] });
  const read = await readAll(objects.get(name, testBytes));
  if (!read.equals(content))
    throw new ObjectError("refused", "The object store returns other bytes than were stored.");
  await objects.list(null);
  await objects.remove(name);
};
