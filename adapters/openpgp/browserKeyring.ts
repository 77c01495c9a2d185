import { type Either, left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";
import type { KeyRequest, KeyResponse, KeyTaskName } from "./keyTasks.ts";

/** The part of a worker that the keyring uses. */
export type KeyWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** A keyring in a worker; `stop` ends running tasks with "unavailable". */
type WorkerKeyring = Omit<Keyring, "forgetAll"> & { readonly stop: () => void };

type Resolve = (answer: Either<KeyringRefusal, unknown>) => void;

/** Creates a keyring in a worker, which starts with the first task and again after a crash. */
const createWorkerKeyring = (startWorker: () => KeyWorker): WorkerKeyring => {
  const pending = new Map<number, Resolve>();
  let worker: KeyWorker | undefined;
  let lastId = 0;

  const settle = (id: number, answer: Either<KeyringRefusal, unknown>): void => {
    pending.get(id)?.(answer);
    pending.delete(id);
  };
  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
    for (const id of [...pending.keys()]) settle(id, left("unavailable"));
  };
  const getWorker = (): KeyWorker => {
    if (worker === undefined) {
      worker = startWorker();
      worker.onmessage = ({ data }: MessageEvent<KeyResponse>) =>
        settle(data.id, "refusal" in data ? left(data.refusal) : right(data.result));
      worker.onerror = stop;
    }
    return worker;
  };
  const task =
    <Name extends KeyTaskName>(name: Name) =>
    (...args: Parameters<Keyring[Name]>): ReturnType<Keyring[Name]> => {
      const send: TaskEither<KeyringRefusal, unknown> = () =>
        new Promise((resolve) => {
          lastId += 1;
          pending.set(lastId, resolve);
          try {
            getWorker().postMessage({ id: lastId, task: name, args } satisfies KeyRequest);
          } catch {
            settle(lastId, left("unavailable"));
          }
        });
      return send as ReturnType<Keyring[Name]>;
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

/** The address of the worker script, set by the build. */
declare const __KEY_WORKER__: string;

/** The part of the Trusted Types API of the W3C that is used here. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (input: string) => string };
}

/** Creates the keyring of a browser, in a worker that starts with the first task. */
export const createBrowserKeyring = (window: Window): WorkerKeyring => {
  const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedTypes };
  let address: string | undefined;
  /** Returns the address of the worker script, the only one that the policy allows. */
  const workerAddress = (): string => {
    address ??=
      trustedTypes
        ?.createPolicy("keyWorker", { createScriptURL: () => __KEY_WORKER__ })
        .createScriptURL("") ?? __KEY_WORKER__;
    return address;
  };
  return createWorkerKeyring(() => new Worker(workerAddress()));
};
