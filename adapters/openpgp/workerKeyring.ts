import { type Either, left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";
import { keyDatabase } from "./keyDatabase.ts";
import type { KeyAnswer, KeyQuestion } from "./keyQuestion.ts";
import type { KeyTaskName } from "./keyTasks.ts";

/** What of a worker is used here. */
export type KeyWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

interface Surroundings {
  /** Starts the worker; asked when the first key is wanted, and again after one has crashed. */
  readonly startWorker: () => KeyWorker;
  /** Where the worker's records rest. */
  readonly databases: () => Pick<IDBFactory, "deleteDatabase">;
}

type Waiting = (answer: Either<KeyringRefusal, unknown>) => void;

const deleted = (databases: Pick<IDBFactory, "deleteDatabase">): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = databases.deleteDatabase(keyDatabase);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/** A keyring in a worker, which is started when it is first asked something. */
export const makeWorkerKeyring = ({ startWorker, databases }: Surroundings): Keyring => {
  const waiting = new Map<number, Waiting>();
  let worker: KeyWorker | undefined;
  let asked = 0;

  const settle = (id: number, answer: Either<KeyringRefusal, unknown>): void => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
    for (const id of [...waiting.keys()]) settle(id, left("unavailable"));
  };
  const started = (): KeyWorker => {
    if (worker === undefined) {
      worker = startWorker();
      worker.onmessage = ({ data }: MessageEvent<KeyAnswer>) =>
        settle(data.id, "refusal" in data ? left(data.refusal) : right(data.result));
      worker.onerror = stop;
    }
    return worker;
  };
  const task =
    <Name extends KeyTaskName>(name: Name) =>
    (...args: Parameters<Keyring[Name]>): ReturnType<Keyring[Name]> => {
      const ask: TaskEither<KeyringRefusal, unknown> = () =>
        new Promise((resolve) => {
          asked += 1;
          waiting.set(asked, resolve);
          try {
            started().postMessage({ id: asked, task: name, args } satisfies KeyQuestion);
          } catch {
            settle(asked, left("unavailable"));
          }
        });
      return ask as ReturnType<Keyring[Name]>;
    };
  return {
    list: task("list"),
    create: task("create"),
    protect: task("protect"),
    markBackedUp: task("markBackedUp"),
    import: task("import"),
    remove: task("remove"),
    examine: task("examine"),
    open: task("open"),
    forgetAll: () => () => {
      stop();
      return Promise.resolve()
        .then(() => deleted(databases()))
        .then(
          () => right(undefined),
          () => left("unavailable"),
        );
    },
  };
};
