import { storageContract } from "../contracts/storageContract.ts";
import { createMemoryStorage } from "./memoryStorage.ts";

describe("The in-memory storage", () => {
  storageContract(() => {
    const storage = createMemoryStorage(50_000);
    const { local } = storage.openTab();
    return {
      storage,
      elsewhere: (key, value) => (value === null ? local.remove(key) : local.write(key, value)),
      fill: () => local.write("filler", "x".repeat(40_000)),
    };
  });
});
