// Fails a test in which something of the bystander was seen. Mocha loads this file with --require.
import { forgetAllowedChanges, takeSightings } from "./bystanderMarker.ts";

export const mochaHooks = {
  afterEach() {
    const found = takeSightings();
    if (found.length > 0) throw new Error(`What belongs to the bystander was seen:\n${found.join("\n")}`);
  },
  afterAll() {
    forgetAllowedChanges();
  },
};
