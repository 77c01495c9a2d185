import { Worker } from "node:worker_threads";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { MailLookup } from "../../platform/dns/dnsCache.ts";
import { DnsError } from "../../platform/dns/dnsClient.ts";
import type { DmarcPolicy, Evidence } from "../evidence.ts";
import type { JudgeOptions } from "../judgeSender.ts";
import type {
  DnsQuestion,
  DnsReply,
  FromJudgeThread,
  JudgeTask,
  JudgeThreadData,
  ToJudgeThread,
} from "./judgeMessages.ts";

/** The functions of this thread that a mail's thread calls. */
export interface JudgeSupport {
  readonly lookup: MailLookup;
  /** Called when DNS was asked for the policy of the domain in From; null where it did not answer. */
  readonly onPolicy: (policy: DmarcPolicy | null) => void;
}

export interface JudgeThreadsOptions {
  /** The module of the thread. */
  readonly module: URL;
  readonly options: JudgeOptions;
  readonly maxThreads: number;
  /** In milliseconds; a thread that works longer on a mail without waiting for DNS is ended. */
  readonly stepMs: number;
  /** In milliseconds, from the start of a task to its result. */
  readonly totalMs: number;
}

const memoryLimitMb = 256;
/** Afterwards no thread uses memory. */
const idleMs = minuteMs;
/** A task whose thread has ended because of another task starts again. */
const maxStarts = 3;

interface Job {
  readonly id: number;
  readonly task: JudgeTask;
  readonly support: JudgeSupport;
  readonly resolve: (evidence: Evidence | null) => void;
  readonly reject: (reason: Error) => void;
  readonly timeout: NodeJS.Timeout;
  starts: number;
}

interface Thread {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
  /** The mail that it works on, and the number of its steps. */
  readonly current: Int32Array;
  /** The step that it was in at the last look, and since when. */
  step: number;
  stepSince: number;
  idleTimeout: NodeJS.Timeout | undefined;
  isOver: boolean;
}

const toDnsCode = (error: unknown): DnsError["code"] =>
  error instanceof DnsError ? error.code : "ESERVFAIL";

/**
 * Threads that read strangers' headers and bodies.
 * Creates threads on demand, each of which works on many mails: while one waits for DNS, which this thread asks, the others
 * go on. A thread that is stuck in a mail is ended; that mail fails, and its other mails start again elsewhere.
 */
export class JudgeThreads {
  readonly #settings: JudgeThreadsOptions;
  #threads: readonly Thread[] = [];
  #lastId = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(settings: JudgeThreadsOptions) {
    this.#settings = settings;
  }

  /** Works on a mail; rejects when that fails or exceeds a limit of time or memory. */
  readonly run = (task: JudgeTask, support: JudgeSupport): Promise<Evidence | null> =>
    new Promise((resolve, reject) => {
      this.#lastId = (this.#lastId % 0x7fff_ffff) + 1;
      const id = this.#lastId;
      const timeout = setTimeout(() => this.#giveUp(id), this.#settings.totalMs).unref();
      this.#begin({ id, task, support, resolve, reject, timeout, starts: 0 });
    });

  readonly stop = async (): Promise<void> => {
    clearInterval(this.#watch);
    const all = this.#threads;
    this.#threads = [];
    for (const thread of all) {
      thread.isOver = true;
      clearTimeout(thread.idleTimeout);
      for (const job of thread.jobs.values()) {
        clearTimeout(job.timeout);
        job.reject(new Error("stopped"));
      }
    }
    await Promise.all(all.map(({ worker }) => worker.terminate()));
  };

  #finish(thread: Thread | undefined, job: Job): void {
    clearTimeout(job.timeout);
    if (!thread?.jobs.delete(job.id) || thread.jobs.size > 0) return;
    thread.worker.unref();
    thread.idleTimeout = setTimeout(() => this.#end(thread, 0), idleMs).unref();
  }

  /** Ends a thread; the mail with an id fails, and its others start again. */
  #end(thread: Thread, culprit: number): void {
    if (thread.isOver) return;
    thread.isOver = true;
    clearTimeout(thread.idleTimeout);
    this.#threads = this.#threads.filter((one) => one !== thread);
    void thread.worker.terminate();
    const jobs = [...thread.jobs.values()];
    thread.jobs.clear();
    for (const job of jobs)
      if (job.id === culprit || job.starts >= maxStarts) {
        clearTimeout(job.timeout);
        job.reject(new Error("took too long"));
      } else this.#begin(job);
  }

  /** Answers that arrive in one turn are sent together. */
  #answer(thread: Thread, { id, support }: Job, asked: readonly DnsQuestion[]): void {
    let answers: DnsReply[] = [];
    const send = (): void => {
      const message: ToJudgeThread = { kind: "answers", id, answers };
      answers = [];
      if (thread.jobs.has(id)) thread.worker.postMessage(message);
    };
    for (const { question, name, type } of asked)
      void support
        .lookup(name, type)
        .catch(toDnsCode)
        .then((result) => {
          if (answers.length === 0) setImmediate(send);
          answers.push({ question, result });
        });
  }

  #onMessage(thread: Thread, message: FromJudgeThread): void {
    const job = thread.jobs.get(message.id);
    if (!job) return;
    switch (message.kind) {
      case "ask":
        this.#answer(thread, job, message.questions);
        return;
      case "policy":
        job.support.onPolicy(message.policy);
        return;
      case "done":
        this.#finish(thread, job);
        job.resolve(message.evidence);
        return;
      case "failed":
        this.#finish(thread, job);
        job.reject(new Error("cannot be judged"));
        return;
    }
  }

  #start(): Thread {
    const progress = new SharedArrayBuffer(8);
    const workerData: JudgeThreadData = { options: this.#settings.options, progress };
    const worker = new Worker(this.#settings.module, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
      stdout: true,
      stderr: true,
    });
    const current = new Int32Array(progress);
    const thread: Thread = {
      worker,
      jobs: new Map(),
      current,
      step: 0,
      stepSince: 0,
      idleTimeout: undefined,
      isOver: false,
    };
    worker.on("message", (message: FromJudgeThread) => this.#onMessage(thread, message));
    worker.on("error", () => this.#end(thread, Atomics.load(current, 0)));
    worker.on("exit", () => this.#end(thread, Atomics.load(current, 0)));
    this.#threads = [...this.#threads, thread];
    return thread;
  }

  /** The thread with the fewest mails, or a new one while all have some. */
  #select(): Thread {
    const [least] = this.#threads.toSorted((one, other) => one.jobs.size - other.jobs.size);
    return least && (least.jobs.size === 0 || this.#threads.length >= this.#settings.maxThreads)
      ? least
      : this.#start();
  }

  #isStuck(thread: Thread, now: number): boolean {
    const step = Atomics.load(thread.current, 1);
    if (step !== thread.step || Atomics.load(thread.current, 0) === 0) {
      thread.step = step;
      thread.stepSince = now;
    }
    return now - thread.stepSince > this.#settings.stepMs;
  }

  #lookAfter(): void {
    const now = performance.now();
    for (const thread of this.#threads)
      if (this.#isStuck(thread, now)) this.#end(thread, Atomics.load(thread.current, 0));
    if (this.#threads.some(({ jobs }) => jobs.size > 0)) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #begin(job: Job): void {
    const thread = this.#select();
    clearTimeout(thread.idleTimeout);
    thread.jobs.set(job.id, job);
    job.starts += 1;
    thread.worker.ref();
    // NOTE: `postMessage` of a view sends all of the buffer behind it, which holds other mails too: hence the copy.
    const content = new Uint8Array(job.task.content);
    const message: ToJudgeThread = { kind: "start", id: job.id, ...job.task, content };
    thread.worker.postMessage(message, [content.buffer]);
    this.#watch ??= setInterval(() => this.#lookAfter(), Math.min(250, this.#settings.stepMs)).unref();
  }

  #giveUp(id: number): void {
    const thread = this.#threads.find(({ jobs }) => jobs.has(id));
    const job = thread?.jobs.get(id);
    if (!thread || !job) return;
    if (Atomics.load(thread.current, 0) === id) this.#end(thread, id);
    else {
      this.#finish(thread, job);
      job.reject(new Error("took too long"));
    }
  }
}
