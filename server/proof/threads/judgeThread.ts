import { parentPort, workerData } from "node:worker_threads";
import { copyOf, type MailLookup } from "../../platform/dns/dnsCache.ts";
import { DnsError } from "../../platform/dns/dnsClient.ts";
import { askSenderDns, judgeSender } from "../judgeSender.ts";
import type {
  DnsQuestion,
  DnsReply,
  FromJudgeThread,
  JudgeThreadData,
  ToJudgeThread,
} from "./judgeMessages.ts";

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

type Settle = (result: DnsReply["result"]) => void;

/** The open questions of each mail, by number. */
const questions = new Map<number, Map<number, Settle>>();

/** Asks the main thread, each name once for a mail, and all of one turn in one message. */
const createLookup = (id: number, open: Map<number, Settle>): MailLookup => {
  const known = new Map<string, Promise<Answers>>();
  let asked: DnsQuestion[] = [];
  const ask = (question: DnsQuestion): void => {
    if (asked.length === 0)
      setImmediate(() => {
        post({ kind: "ask", id, questions: asked });
        asked = [];
      });
    asked.push(question);
  };
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const answer =
      known.get(key) ??
      new Promise<Answers>((resolve, reject) => {
        const question = known.size;
        open.set(question, (result) => {
          if (typeof result === "string") reject(new DnsError(result, name));
          else resolve(result);
        });
        ask({ question, name, type });
      });
    known.set(key, answer);
    // mailauth modifies the lists.
    return copyOf(await answer);
  };
};

const work = async ({ id, what, content, envelope }: ToJudgeThread & { kind: "start" }): Promise<void> => {
  const open = new Map<number, Settle>();
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
  const open = questions.get(message.id);
  for (const { question, result } of message.answers) open?.get(question)?.(result);
});
