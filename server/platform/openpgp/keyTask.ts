import { examineFoundKeys, type FoundKey, type FoundKeyRefusal } from "./foundKey.ts";

/** The bytes that were found for an address, to be examined at a moment. */
export interface KeyTask {
  readonly bytes: Uint8Array;
  readonly address: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Runs one task. Never rejects. */
export const runKeyTask = ({ bytes, address, now }: KeyTask): Promise<FoundKey | FoundKeyRefusal> =>
  examineFoundKeys(bytes, address, new Date(now));
