// `npm run settings`: writes docs/settings.md from the settings that the server reads.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingTable } from "../server/platform/config/settingTable.ts";

const introduction = `# Settings

All settings are environment variables, or lines \`NAME=value\` of the file \`bauta.env\` in the folder where the server starts
(another one with \`BAUTA_SETTINGS\`); the environment wins. \`npm exec bauta setup\` writes that file for a server on the
internet. The server refuses to start with an invalid value and says why in one line. Its secrets it creates at the first start
and keeps in \`DATA_DIR\`, readable by its own account only.

This page is made of the server's settings by \`npm run settings\`. After the variable stands what applies while it is not set.
`;

const lineLength = 130;

/** Breaks a paragraph between words; lines after the first are indented by two spaces. */
const wrapItem = (text) => {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= lineLength) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join("\n");
};

const itemOf = (setting) => {
  const absent = "default" in setting ? `\`${setting.default}\`` : setting.otherwise;
  return wrapItem(
    `- **\`${setting.name}\`** (${absent}): ${setting.meaning} *Value*: ${setting.format.expected}.`,
  );
};

/** Returns docs/settings.md as it belongs to the sources. */
export const settingsDocument = () => {
  const groups = Map.groupBy(Object.values(settingTable), ({ heading }) => heading);
  const sections = [...groups].map(
    ([heading, settings]) => `## ${heading}\n\n${settings.map(itemOf).join("\n")}\n`,
  );
  return [introduction, ...sections].join("\n");
};

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(import.meta.dirname, "..", "docs", "settings.md"), settingsDocument());
