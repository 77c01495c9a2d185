import { parentPort, workerData } from "node:worker_threads";
import type {
  FromJudgeThread,
  JudgeThreadData,
  ToJudgeThread,
} from "../../../server/proof/threads/judgeMessages.ts";

/** A thread that does as the text of a mail says, in place of a check. */
const current = new Int32Array((workerData as JudgeThreadData).progress);
const post = (message: FromJudgeThread): void => parentPort?.postMessage(message);
const finish = (id: number): void => post({ kind: "done", id, evidence: null });

parentPort?.on("message", (message: ToJudgeThread) => {
  const { id } = message;
  Atomics.store(current, 0, id);
  Atomics.add(current, 1, 1);
  if (message.kind === "answers") finish(id);
  else
    switch (Buffer.from(message.content).toString()) {
      case "never end":
        for (;;) Atomics.load(current, 0);
      case "fill the memory":
        for (const kept: unknown[] = []; ; ) kept.push(new Array(100_000).fill(kept.length));
      case "ask, then finish":
        post({ kind: "ask", id, questions: [{ question: 0, name: "b.example", type: "TXT" }] });
        break;
      default:
        finish(id);
    }
  setImmediate(() => Atomics.store(current, 0, 0));
});
