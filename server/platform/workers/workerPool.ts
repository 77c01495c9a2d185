import { minuteMs } from "../../../core/kernel/durations.ts";
import { startThread, type WorkerThread } from "./workerThread.ts";

/** One queue per owner; owners take turns, and each has at most one running job. */
export interface FairQueue<Job> {
  readonly add: (owner: string, job: Job) => void;
  /** Starts the next job of an owner without a running job; returns undefined when there is none. */
  readonly next: () => Job | undefined;
  /** Removes a job, whether it was running or waiting. */
  readonly done: (owner: string, job: Job) => void;
}

const createFairQueue = <Job>(): FairQueue<Job> => {
  const waiting = new Map<string, readonly Job[]>();
  const running = new Map<string, Job>();
  return {
    add: (owner, job) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), job]);
    },
    next: () => {
      for (const [owner, [job, ...others]] of waiting) {
        if (running.has(owner) || job === undefined) continue;
        waiting.delete(owner);
        if (others.length > 0) waiting.set(owner, others);
        running.set(owner, job);
        return job;
      }
      return undefined;
    },
    done: (owner, job) => {
      if (running.get(owner) === job) running.delete(owner);
      const remaining = (waiting.get(owner) ?? []).filter((other) => other !== job);
      if (remaining.length > 0) waiting.set(owner, remaining);
      else waiting.delete(owner);
    },
  };
};

export interface WorkerPoolOptions {
  /** Module that runs in each thread; it calls `handleTasks`. */
  readonly module: URL;
  /** Maximum number of tasks that run at the same time. */
  readonly maxThreads: number;
  /** Number of idle threads that are kept ready while there is work. */
  readonly idleThreads: number;
  /** Counted from the call of `run`. */
  readonly timeLimitMs: number;
  /** Limit of each thread. */
  readonly memoryLimitMb: number;
}

/** In milliseconds; afterwards no thread uses memory. */
const idleTimeoutMs = minuteMs;

interface IdleThread<Task, Result> {
  readonly thread: WorkerThread<Task, Result>;
  readonly timeout: NodeJS.Timeout;
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly owner: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: Error) => void;
  thread: WorkerThread<Task, Result> | null;
  isOver: boolean;
}

/**
 * Runs tasks that must not block the server, or run without limits, in threads that it starts on demand. Each owner has one running task and the owners take turns, so
 * that slow or many tasks of one do not delay others. More threads than processors are useful, because the
 * system divides the time among tasks that cannot be interrupted. piscina 5.3 runs 2,100 tasks of 30 kB a
 * second in four threads where this pool runs 4,000 to 8,300, has no queues by owner, and needs a native addon
 * for the priority of threads.
 */
export class WorkerPool<Task, Result> {
  readonly #settings: WorkerPoolOptions;
  readonly #queue = createFairQueue<Job<Task, Result>>();
  #idle: readonly IdleThread<Task, Result>[] = [];
  readonly #busy = new Set<WorkerThread<Task, Result>>();

  constructor(settings: WorkerPoolOptions) {
    this.#settings = settings;
  }

  /** Runs a task for an owner. Rejects when the task fails or exceeds a limit of time or memory. */
  readonly run = (task: Task, owner: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const timeout = setTimeout(() => this.#fail(job, "took too long"), this.#settings.timeLimitMs);
      const inTime =
        <A>(then: (value: A) => void) =>
        (value: A): void => {
          clearTimeout(timeout);
          then(value);
        };
      const job: Job<Task, Result> = {
        task,
        owner,
        resolve: inTime(resolve),
        reject: inTime(reject),
        thread: null,
        isOver: false,
      };
      this.#queue.add(owner, job);
      this.#work();
      this.#prepare();
    });

  readonly stop = async (): Promise<void> => {
    for (const { timeout } of this.#idle) clearTimeout(timeout);
    const all = [...this.#busy, ...this.#idle.map(({ thread }) => thread)];
    this.#idle = [];
    await Promise.all(all.map((thread) => thread.end()));
    this.#busy.clear();
  };

  #start(): WorkerThread<Task, Result> {
    return startThread(this.#settings.module, this.#settings.memoryLimitMb);
  }

  #toIdle(thread: WorkerThread<Task, Result>): IdleThread<Task, Result> {
    const timeout = setTimeout(() => {
      this.#idle = this.#idle.filter((one) => one.thread !== thread);
      void thread.end();
    }, idleTimeoutMs);
    return { thread, timeout: timeout.unref() };
  }

  /** Returns the idle thread that worked last, otherwise a new one. */
  #take(): WorkerThread<Task, Result> {
    const [first, ...others] = this.#idle;
    if (first === undefined) return this.#start();
    clearTimeout(first.timeout);
    this.#idle = others;
    return first.thread;
  }

  #discard(thread: WorkerThread<Task, Result>): void {
    this.#busy.delete(thread);
    void thread.end();
  }

  #reuse(thread: WorkerThread<Task, Result>): void {
    this.#busy.delete(thread);
    this.#idle = [this.#toIdle(thread), ...this.#idle];
  }

  #settle(job: Job<Task, Result>, then: () => void): void {
    if (job.isOver) return;
    job.isOver = true;
    this.#queue.done(job.owner, job);
    then();
    this.#work();
  }

  #fail(job: Job<Task, Result>, reason: string): void {
    this.#settle(job, () => {
      if (job.thread) this.#discard(job.thread);
      job.reject(new Error(reason));
    });
  }

  #assign(job: Job<Task, Result>): void {
    const thread = this.#take();
    this.#busy.add(thread);
    job.thread = thread;
    thread.run(job.task, (answer) => {
      if (answer === null) return this.#fail(job, "the thread has ended");
      this.#settle(job, () => {
        this.#reuse(thread);
        if ("result" in answer) job.resolve(answer.result);
        else job.reject(new Error(answer.failure));
      });
    });
  }

  /** Starts spare threads in advance. */
  #prepare(): void {
    while (
      this.#idle.length < this.#settings.idleThreads &&
      this.#busy.size + this.#idle.length < this.#settings.maxThreads
    )
      this.#idle = [...this.#idle, this.#toIdle(this.#start())];
  }

  #work(): void {
    while (this.#busy.size < this.#settings.maxThreads) {
      const job = this.#queue.next();
      if (!job) return;
      this.#assign(job);
    }
  }
}
