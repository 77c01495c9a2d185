import { randomContract } from "../contracts/randomContract.ts";
import { createSeededRandom } from "./seededRandom.ts";

describe("The seeded random source", () => {
  randomContract(() => createSeededRandom(7));
});
