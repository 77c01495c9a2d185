import { type Remote, wrap } from "comlink";
import { type Either, left } from "fp-ts/lib/Either.js";
import type { KeyringRefusal } from "../../core/ports/keyring.ts";
import { keyDatabaseName } from "./keyDatabase.ts";
import type { KeyTasks } from "./keyTasks.ts";

/** The address of the worker script, below that of the app; set by the build. */
declare const __KEY_WORKER__: string;

type Answer = Either<KeyringRefusal, unknown>;

/** The key worker, which starts with the first task and again after a crash. */
export interface KeyWorkerClient {
  readonly run: (name: keyof KeyTasks, args: readonly unknown[]) => Promise<Answer>;
  /** Ends the worker and its tasks with "not-loaded". */
  readonly stop: () => void;
}

/** Creates the client of the key worker; the name of its database ends with `path`, that of the app on its host. */
export const createKeyWorkerClient = ({ trustedTypes }: Window, path: string): KeyWorkerClient => {
  const script = path + __KEY_WORKER__;
  /** The address of the worker script, the only one that the policy allows. */
  const address =
    trustedTypes?.createPolicy("keyWorker", { createScriptURL: () => script }).createScriptURL("") ?? script;
  let worker: Worker | undefined;
  let tasks: Remote<KeyTasks> | undefined;
  const cancels = new Set<() => void>();

  const stop = (): void => {
    worker?.terminate();
    worker = tasks = undefined;
    for (const cancel of cancels) cancel();
  };
  const start = (): Remote<KeyTasks> => {
    worker = new Worker(address, { name: keyDatabaseName + path });
    worker.onerror = stop;
    return wrap<KeyTasks>(worker);
  };
  return {
    run: (name, args) => {
      tasks ??= start();
      const answer = (tasks[name] as (...all: readonly unknown[]) => Promise<Answer>)(...args);
      return new Promise<Answer>((resolve, reject) => {
        const cancel = (): void => resolve(left("not-loaded"));
        cancels.add(cancel);
        void answer.then(resolve, reject).finally(() => cancels.delete(cancel));
      });
    },
    stop,
  };
};
