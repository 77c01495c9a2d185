import { createIndexedKeyRecords } from "./indexedKeyRecords.ts";
import { KeyringError } from "./keyringError.ts";
import { createKeyTasks, type KeyRequest, type KeyResponse, type KeyTasks } from "./keyTasks.ts";

/** The worker keeps private keys and decrypted bytes away from the page's scripts. */
const worker = globalThis as unknown as {
  onmessage: (event: MessageEvent<KeyRequest>) => void;
  readonly postMessage: (answer: KeyResponse) => void;
};

const tasks: KeyTasks = createKeyTasks(createIndexedKeyRecords(indexedDB));

const respond = async ({ id, task, args }: KeyRequest): Promise<KeyResponse> => {
  try {
    const run = tasks[task] as (...parameters: readonly unknown[]) => Promise<unknown>;
    return { id, result: await run(...args) };
  } catch (error) {
    return { id, refusal: error instanceof KeyringError ? error.refusal : "unavailable" };
  }
};

worker.onmessage = ({ data }) => void respond(data).then(worker.postMessage.bind(worker));
