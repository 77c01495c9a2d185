import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, Worker } from "node:worker_threads";

/** A copy, because a view would be sent with all that its buffer holds: of a small one that is 64 kB of other mails. */
const copyBytes = (value: unknown): unknown => (value instanceof Uint8Array ? new Uint8Array(value) : value);

/** Copies the bytes in a message, so that they can be handed over: a message that is bytes, or has fields that are. */
const withOwnBytes = (message: unknown): readonly [message: unknown, handedOver: ArrayBuffer[]] => {
  const isRecord = typeof message === "object" && message !== null && !ArrayBuffer.isView(message);
  const isPlain = isRecord && Object.getPrototypeOf(message) === Object.prototype;
  const own = isPlain
    ? Object.fromEntries(Object.entries(message).map(([name, value]) => [name, copyBytes(value)]))
    : copyBytes(message);
  const parts: readonly unknown[] = isPlain ? Object.values(own as object) : [own];
  return [own, parts.flatMap((part) => (part instanceof Uint8Array ? [part.buffer as ArrayBuffer] : []))];
};

type TaskResult<Result> = { readonly result: Result } | { readonly failure: string };

/** A worker thread that runs one task at a time. */
export interface WorkerThread<Task, Result> {
  /** Runs a task and calls back once: with the result, or with null when the thread has ended. */
  readonly run: (task: Task, onResult: (answer: TaskResult<Result> | null) => void) => void;
  readonly end: () => Promise<unknown>;
}

/** Starts a worker thread; an idle one does not keep the process alive. */
export const startThread = <Task, Result>(module: URL, memoryLimitMb: number): WorkerThread<Task, Result> => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    stdout: true,
    stderr: true,
  });
  let listener: ((answer: TaskResult<Result> | null) => void) | null = null;
  const finish = (answer: TaskResult<Result> | null): void => {
    const current = listener;
    listener = null;
    worker.unref();
    current?.(answer);
  };
  worker.unref();
  worker.on("message", (answer: TaskResult<Result>) => finish(answer));
  worker.on("error", () => finish(null));
  worker.on("exit", () => finish(null));
  return {
    run: (task, onResult) => {
      listener = onResult;
      worker.ref();
      worker.postMessage(...withOwnBytes(task));
    },
    end: () => {
      listener = null;
      return worker.terminate();
    },
  };
};

/** Priority below that of the threads that answer clients. */
const niceness = 5;

/** An idle thread frees the buffers of its last tasks after this time, and once more what that has made free. */
const collectAfterMs = 2_000;
const collections = 2;

/** Returns the function that frees memory when no task follows soon; a thread without tasks never does it by itself. */
const createIdleCollection = (afterMs: number): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let left = 0;
  let timer: NodeJS.Timeout | null = null;
  const next = (): void => {
    left -= 1;
    collect();
    timer = left > 0 ? setTimeout(next, afterMs).unref() : null;
  };
  return () => {
    left = collections;
    if (timer) timer.refresh();
    else timer = setTimeout(next, afterMs).unref();
  };
};

/**
 * Handles the tasks of a worker thread with `work`; on Linux, where threads have priorities, it lowers its own. Memory
 * is freed when `idleMs` have passed without a task.
 */
export const handleTasks = <Task, Result>(
  work: (task: Task) => Promise<Result>,
  idleMs = collectAfterMs,
): void => {
  if (process.platform === "linux") setPriority(0, niceness);
  const post = (answer: TaskResult<Result>): void => {
    const [result, handedOver] = withOwnBytes("result" in answer ? answer.result : null);
    parentPort?.postMessage("result" in answer ? { result } : answer, handedOver);
  };
  const onIdle = createIdleCollection(idleMs);
  parentPort?.on("message", (task: Task) => {
    work(task)
      .then(
        (result) => post({ result }),
        (error: unknown) => post({ failure: error instanceof Error ? error.message : "failed" }),
      )
      .finally(onIdle);
  });
};
