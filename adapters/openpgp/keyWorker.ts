import { makeIndexedKeyRecords } from "./indexedKeyRecords.ts";
import type { KeyAnswer, KeyQuestion } from "./keyQuestion.ts";
import { type KeyTasks, makeKeyTasks } from "./keyTasks.ts";
import { Refused } from "./refused.ts";

/** Runs in a worker of its own: private keys and decrypted bytes are nowhere near the page's scripts. */
const worker = globalThis as unknown as {
  onmessage: (event: MessageEvent<KeyQuestion>) => void;
  readonly postMessage: (answer: KeyAnswer) => void;
};

const tasks: KeyTasks = makeKeyTasks(makeIndexedKeyRecords(indexedDB));

const answer = async ({ id, task, args }: KeyQuestion): Promise<KeyAnswer> => {
  try {
    const run = tasks[task] as (...given: readonly unknown[]) => Promise<unknown>;
    return { id, result: await run(...args) };
  } catch (error) {
    return { id, refusal: error instanceof Refused ? error.refusal : "unavailable" };
  }
};

worker.onmessage = ({ data }) => void answer(data).then(worker.postMessage.bind(worker));
