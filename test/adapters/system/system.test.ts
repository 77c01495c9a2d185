import { setTimeout } from "node:timers/promises";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { clockContract } from "../../contracts/clockContract.ts";
import { randomContract } from "../../contracts/randomContract.ts";

describe("The system's clock", () => {
  clockContract(() => ({ clock: systemClock, wait: (ms) => setTimeout(ms) }));
});

describe("Random numbers from Web Crypto", () => {
  randomContract(() => cryptoRandom);
});
