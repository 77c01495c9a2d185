import { type Either, left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";
import type { KeyAnswer, KeyQuestion } from "./keyQuestion.ts";
import type { KeyTaskName } from "./keyTasks.ts";

/** What of a worker is used here. */
export type KeyWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** What a keyring can do in a worker, which can be stopped: what it was doing then ends "unavailable". */
export type WorkerKeyring = Omit<Keyring, "forgetAll"> & { readonly stop: () => void };

type Waiting = (answer: Either<KeyringRefusal, unknown>) => void;

/** A keyring in a worker, which is started when it is first asked something, and again after it has crashed. */
export const makeWorkerKeyring = (startWorker: () => KeyWorker): WorkerKeyring => {
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
    rename: task("rename"),
    examine: task("examine"),
    open: task("open"),
    stop,
  };
};
