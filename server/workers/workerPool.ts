import { beginThread, type Thread } from "./thread.ts";
import { takeTurns } from "./turns.ts";

export type { Answer } from "./thread.ts";

/** Threads for work that must neither hold up the server nor run away. */
export interface WorkerPool<Task, Result> {
  /** Does a task for an owner. Rejects when it took too long or too much memory, or failed. */
  readonly run: (task: Task, owner: string) => Promise<Result>;
  readonly stop: () => Promise<void>;
}

export interface WorkerSettings {
  /** The module that runs in each thread; see `answerTasks`. */
  readonly module: URL;
  /** How many owners' tasks are done at the same time. */
  readonly mostThreads: number;
  /** How many threads without work are kept for what comes next. */
  readonly spareThreads: number;
  /** From when a task is handed in. */
  readonly timeLimitMs: number;
  /** For each thread. */
  readonly memoryLimitMb: number;
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly owner: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: Error) => void;
  thread: Thread<Task, Result> | null;
  over: boolean;
}

/**
 * Makes a pool whose threads begin when they are needed. Each owner has one task under way and the owners take turns,
 * so that nobody's slow or many tasks hold up somebody else's one; there are more threads than processors, because
 * the system lets threads take turns where tasks cannot be interrupted.
 */
export const makeWorkerPool = <Task, Result>(settings: WorkerSettings): WorkerPool<Task, Result> => {
  const { module, mostThreads, spareThreads, timeLimitMs, memoryLimitMb } = settings;
  const turns = takeTurns<Job<Task, Result>>();
  let idle: readonly Thread<Task, Result>[] = [];
  const busy = new Set<Thread<Task, Result>>();

  const begin = (): Thread<Task, Result> => beginThread(module, memoryLimitMb);
  const ended = (thread: Thread<Task, Result>): void => {
    busy.delete(thread);
    void thread.end();
  };
  const freed = (thread: Thread<Task, Result>): void => {
    busy.delete(thread);
    // Twice as many, so that those who take turns do not begin and end threads with each task.
    if (idle.length < 2 * spareThreads) idle = [thread, ...idle];
    else void thread.end();
  };

  const settle = (job: Job<Task, Result>, then: () => void): void => {
    if (job.over) return;
    job.over = true;
    turns.done(job.owner, job);
    then();
    work();
  };
  const fail = (job: Job<Task, Result>, reason: string): void =>
    settle(job, () => {
      if (job.thread) ended(job.thread);
      job.reject(new Error(reason));
    });

  const give = (job: Job<Task, Result>): void => {
    const [waiting, ...others] = idle;
    const thread = waiting ?? begin();
    idle = waiting ? others : idle;
    busy.add(thread);
    job.thread = thread;
    thread.give(job.task, (answer) => {
      if (answer === null) return fail(job, "the thread has ended");
      settle(job, () => {
        freed(thread);
        if ("result" in answer) job.resolve(answer.result);
        else job.reject(new Error(answer.failure));
      });
    });
  };

  /** Who comes next finds a thread that has begun already. */
  const prepare = (): void => {
    while (idle.length < spareThreads && busy.size + idle.length < mostThreads) idle = [...idle, begin()];
  };

  const work = (): void => {
    while (busy.size < mostThreads) {
      const job = turns.next();
      if (!job) return;
      give(job);
    }
  };

  return {
    run: (task, owner) =>
      new Promise((resolve, reject) => {
        const patience = setTimeout(() => fail(job, "took too long"), timeLimitMs);
        const inTime =
          <A>(then: (value: A) => void) =>
          (value: A): void => {
            clearTimeout(patience);
            then(value);
          };
        const job: Job<Task, Result> = {
          task,
          owner,
          resolve: inTime(resolve),
          reject: inTime(reject),
          thread: null,
          over: false,
        };
        turns.add(owner, job);
        work();
        prepare();
      }),
    stop: async () => {
      const all = [...busy, ...idle];
      idle = [];
      await Promise.all(all.map((thread) => thread.end()));
      busy.clear();
    },
  };
};
