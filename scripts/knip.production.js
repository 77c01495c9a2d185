import config from "../knip.json" with { type: "json" };

/**
 * Settings of the second run of knip, in which tests are no entries: what only a test imports is unused. An export that
 * its own file uses may exist for a test.
 */
export default { ...config, ignoreExportsUsedInFile: true };
