// Gives all property tests one seed, so that no run differs from another by chance. `PROPERTY_SEED=7 npm test` tries other
// inputs. Mocha loads this file with --require.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 2_026) });
