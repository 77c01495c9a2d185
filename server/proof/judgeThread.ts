import { parentPort, workerData } from "node:worker_threads";
import type { MailLookup } from "../dns/dnsCache.ts";
import { DnsError } from "../dns/dnsClient.ts";
import type { FromJudgeThread, JudgeThreadData, ToJudgeThread } from "./judgeMessages.ts";
import { askSenderDns, judgeSender } from "./judgeSender.ts";

const { options, progress } = workerData as JudgeThreadData;
const current = new Int32Array(progress);

/** Says which mail this thread works on until it waits again, so that the right one is given up when it never does. */
const enter = (id: number): void => {
  Atomics.store(current, 0, id);
  const step = Atomics.add(current, 1, 1) + 1;
  setImmediate(() => {
    if (Atomics.load(current, 1) === step) Atomics.store(current, 0, 0);
  });
};

const post = (message: FromJudgeThread): void => parentPort?.postMessage(message);

type Answers = Awaited<ReturnType<MailLookup>>;

interface Question {
  readonly resolve: (data: Answers) => void;
  readonly reject: (error: DnsError) => void;
}

/** The open questions of each mail, by number. */
const questions = new Map<number, Map<number, Question>>();

/** Asks the main thread, each name once for a mail. */
const createLookup = (id: number, open: Map<number, Question>): MailLookup => {
  const known = new Map<string, Promise<Answers>>();
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const answer =
      known.get(key) ??
      new Promise<Answers>((resolve, reject) => {
        const question = known.size;
        open.set(question, { resolve, reject });
        post({ kind: "ask", id, question, name, type });
      });
    known.set(key, answer);
    // mailauth modifies the lists.
    return structuredClone(await answer);
  };
};

const work = async ({ id, what, content, envelope }: ToJudgeThread & { kind: "start" }): Promise<void> => {
  const open = new Map<number, Question>();
  questions.set(id, open);
  const lookup = createLookup(id, open);
  try {
    if (what === "questions") {
      const { policy } = await askSenderDns(content, envelope, options, lookup);
      post({ kind: "policy", id, policy });
      return post({ kind: "done", id, evidence: null });
    }
    const evidence = await judgeSender(content, envelope, options, lookup, (policy) =>
      post({ kind: "policy", id, policy }),
    );
    post({ kind: "done", id, evidence });
  } catch {
    post({ kind: "failed", id });
  } finally {
    questions.delete(id);
  }
};

parentPort?.on("message", (message: ToJudgeThread) => {
  enter(message.id);
  if (message.kind === "start") return void work(message);
  const question = questions.get(message.id)?.get(message.question);
  if (message.kind === "answer") question?.resolve(message.data);
  else question?.reject(new DnsError(message.code, message.name));
});
