import { randomContract } from "../contracts/randomContract.ts";
import { makeSeededRandom } from "./seededRandom.ts";

describe("Seeded chance", () => {
  randomContract(() => makeSeededRandom(7));
});
