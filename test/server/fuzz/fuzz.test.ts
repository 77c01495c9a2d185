import fc from "fast-check";
import { mutated } from "./mutations.ts";
import { targets } from "./targets.ts";

/** The same inputs each time; `npm run fuzz` tries others. */
const settings = { seed: 28, numRuns: 200 };

describe("Mutated input", () => {
  for (const [name, { seeds, check }] of Object.entries(targets))
    it(`is read or refused, as is all that was found before: ${name}`, async () => {
      for (const seed of seeds()) await check(seed);
      await fc.assert(
        fc.asyncProperty(mutated(seeds()), async (text) => void (await check(text))),
        settings,
      );
    });
});
