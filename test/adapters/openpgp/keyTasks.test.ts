import { left, right } from "fp-ts/lib/Either.js";
import { type KeyRecord, type KeyRecords, makeSealingKey } from "../../../adapters/openpgp/keyRecords.ts";
import { type KeyTaskName, makeKeyTasks } from "../../../adapters/openpgp/keyTasks.ts";
import { Refused } from "../../../adapters/openpgp/refused.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";
import { sealMail } from "../../../server/encryption/sealedMail.ts";
import { keyringContract } from "../../contracts/keyringContract.ts";

const inMemory = (): KeyRecords & { readonly clear: () => void } => {
  let kept: readonly KeyRecord[] = [];
  const key = makeSealingKey();
  const without = (owner: string, fingerprint: string) =>
    kept.filter((record) => record.owner !== owner || record.fingerprint !== fingerprint);
  return {
    all: async (owner) => kept.filter((record) => record.owner === owner),
    put: async (record) => {
      kept = [...without(record.owner, record.fingerprint), record];
    },
    remove: async (owner, fingerprint) => {
      kept = without(owner, fingerprint);
    },
    sealingKey: () => key,
    clear: () => {
      kept = [];
    },
  };
};

const keyringOver = (records: ReturnType<typeof inMemory>): Keyring => {
  const tasks = makeKeyTasks(records);
  const task =
    (name: KeyTaskName) =>
    (...args: readonly unknown[]) =>
    async () => {
      const run = tasks[name] as (...given: readonly unknown[]) => Promise<unknown>;
      return run(...args).then(right, (error: unknown) => {
        if (error instanceof Refused) return left(error.refusal);
        throw error;
      });
    };
  const names: readonly KeyTaskName[] = [
    "list",
    "create",
    "protect",
    "markBackedUp",
    "import",
    "remove",
    "examine",
    "open",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, task(name)])),
    forgetAll: () => async () => right(records.clear()),
  } as unknown as Keyring;
};

describe("Keys by OpenPGP.js", function () {
  this.timeout(20_000);

  keyringContract(async () => ({
    keyring: keyringOver(inMemory()),
    seal: async (mail, publicKey) =>
      Uint8Array.from(
        await sealMail({ content: new TextEncoder().encode(mail), publicKey, boundary: "=_test" }),
      ),
  }));
});
