import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { clockContract } from "../../contracts/clockContract.ts";
import { randomContract } from "../../contracts/randomContract.ts";
import { letPass } from "../../support/wallTime.ts";

describe("The system's clock", () => {
  clockContract(() => ({ clock: systemClock, wait: letPass }));
});

describe("Random numbers from Web Crypto", () => {
  randomContract(() => cryptoRandom);
});
