import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { chunksOf } from "fp-ts/lib/ReadonlyArray.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { deferTask } from "../kernel/task.ts";
import type { Keyring } from "../ports/keyring.ts";
import { LogDetail, type LogEntry, StepDetail } from "./logEntry.ts";

/** Messages that the keyring decrypts in one task. */
const batchSize = 100;

const parse = (text: string | undefined): unknown => {
  const parsed = E.tryCatch(
    () => JSON.parse(text ?? "null") as unknown,
    () => null,
  );
  return E.isRight(parsed) ? parsed.right : null;
};

const orNull = <A>(is: (value: unknown) => value is A, value: unknown): A | null =>
  is(value) ? value : null;

const sealedIn = ({ sealed, steps }: LogEntry): readonly string[] =>
  [sealed, ...steps.map((step) => step.sealed)].filter((one) => one !== null);

/** Returns an entry with what is encrypted in it as far as its text is known. */
const unseal = (entry: LogEntry, texts: ReadonlyMap<string, string>): LogEntry => ({
  ...entry,
  detail: entry.sealed === null ? entry.detail : orNull(LogDetail.is, parse(texts.get(entry.sealed))),
  steps: entry.steps.map((step) =>
    step.sealed === null ? step : { ...step, detail: orNull(StepDetail.is, parse(texts.get(step.sealed))) },
  ),
});

/** True if an entry is encrypted and its key is not on this device. */
export const isUnread = ({ detail, sealed }: LogEntry): boolean => detail === null && sealed !== null;

/** Reads encrypted entries with the keys of this device. */
export interface Unsealing {
  /** Returns the entries with their details; those whose key is not on this device stay without. */
  readonly read: (entries: readonly LogEntry[]) => T.Task<readonly LogEntry[]>;
  /** Forgets what was read. */
  readonly forget: () => void;
}

/** Creates the reader, which decrypts in batches and remembers what it has read until `forget`. */
export const createUnsealing = (keyring: Pick<Keyring, "decrypt">, owner: () => string | null): Unsealing => {
  const known = new Map<string, string>();
  const decryptBatch = (email: string, batch: readonly string[]): T.Task<void> =>
    pipe(
      keyring.decrypt(email, batch),
      TE.match(
        () => undefined,
        (texts) => {
          for (const [n, message] of batch.entries()) {
            const text = texts[n] ?? null;
            if (text !== null && owner() === email) known.set(message, text);
          }
        },
      ),
    );
  return {
    read: (entries) =>
      deferTask(() => {
        const email = owner();
        const unknown = entries.flatMap(sealedIn).filter((message) => !known.has(message));
        const batches = email === null ? [] : chunksOf(batchSize)(unknown);
        return pipe(
          batches,
          T.traverseSeqArray((batch) => decryptBatch(email ?? "", batch)),
          T.map(() => entries.map((entry) => unseal(entry, known))),
        );
      }),
    forget: () => known.clear(),
  };
};
