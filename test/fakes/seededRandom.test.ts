import { randomContract } from "../contracts/randomContract.ts";
import { createSeededRandom } from "./seededRandom.ts";

describe("Seeded chance", () => {
  randomContract(() => createSeededRandom(7));
});
