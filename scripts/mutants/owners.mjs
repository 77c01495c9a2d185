// Faults that remove the condition on the owner: a statement or a comparison then concerns the rows of all users.

/** The end of a call whose opening parenthesis is at `open`. */
const endOfCall = (source, open) => {
  for (let at = open, depth = 0; at < source.length; at += 1) {
    if (source[at] === "(") depth += 1;
    if (source[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
};

const column = String.raw`"(?:\w+\.)?user_id"`;
const owner = String.raw`(?:[\w.]*[uU]serId|user\.id|owner\.id|auth\.userId)`;

/** `.where("user_id", "=", userId)`, and `.where("id", "=", userId)` where users are meant. */
const calls = new RegExp(
  String.raw`\.(?:where|whereRef|onRef)\(\s*(?:${column}|"[\w.]+",\s*"=",\s*${column}|"(?:users\.)?id",\s*"=",\s*${owner}\s*\))`,
  "g",
);
/** `eb("user_id", "=", userId)` within a larger condition. */
const parts = new RegExp(String.raw`\beb\(\s*${column}`, "g");
/** The same in SQL. */
const texts = /\b(?:\w+\.)?user_id = (?:\$\{[^}]*\}|\$\d+|\w+\.(?:user_id|id))/g;
/** The comparison of a row's owner in TypeScript. */
const comparisons = /[\w.?]+\.(?:user_id|userId) (===|!==) [\w.?]*(?:user_id|userId)\b/g;

const find = (source) => [
  ...source.matchAll(calls).map(({ index, 0: text }) => ({
    start: index,
    end: endOfCall(source, index + text.indexOf("(")),
    replacement: "",
  })),
  ...source.matchAll(parts).map(({ index, 0: text }) => ({
    start: index,
    end: endOfCall(source, index + text.indexOf("(")),
    replacement: "eb.lit(true)",
  })),
  ...source
    .matchAll(texts)
    .map(({ index, 0: text }) => ({ start: index, end: index + text.length, replacement: "1 = 1" })),
  ...source.matchAll(comparisons).map(({ index, 0: text, 1: operator }) => ({
    start: index,
    end: index + text.length,
    replacement: operator === "===" ? "true" : "false",
  })),
];

export const owners = {
  files: "server/**/*.ts",
  isLeftOut: (file) => /\/(?:migrations|load)\/|\/seed\.ts$/.test(file),
  find,
  /** Tests that concern every file. */
  tests: ["apiTokens", "session"].map((folder) => `test/server/features/${folder}/otherUsers.test.ts`),
  /** Changes that are equal in effect: the file, what stands shortly before, and why. */
  equal: [
    {
      file: "server/features/session/sessionQueries.ts",
      after: "listSessionsOfPasskey",
      why: "a passkey opens sessions of its owner alone",
    },
    {
      file: "server/features/lastMails/lastMailQueries.ts",
      after: '.where("users.keep_last_mails", "=", 1)',
      why: "the mask was found as the user's, and the mails of a mask are its owner's",
    },
    {
      file: "server/features/labels/maskLabels.ts",
      after: ".set({ labels, updated_at: timeOfEdit(now) })",
      why: "the masks were read as the user's in the same transaction",
    },
    {
      file: "server/features/webhooks/userWebhooks.ts",
      after: 'deleteFrom("webhooks").where("id", "=", id)',
      why: "the row was found as the user's in the same transaction",
    },
    {
      file: "server/features/passkeys/keyBackups.ts",
      after: 'where("passkey_id", "=", passkey.id)',
      why: "the passkey was found as the user's in the same transaction",
    },
    {
      file: "server/features/passkeys/keyBackups.ts",
      after: '.onRef("public_keys.fingerprint", "=", "key_backups.fingerprint"),',
      why: "callers look for the ids of the user's own passkeys in the answer",
    },
  ],
};
