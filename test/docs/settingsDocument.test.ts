import { readFileSync } from "node:fs";
import { expect } from "chai";
import { readConfig } from "../../server/platform/config/config.ts";
import { SettingError } from "../../server/platform/config/settings.ts";
import { settingTable } from "../../server/platform/config/settingTable.ts";

describe("The document of the settings", () => {
  const text = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");

  it("is made of the settings as they are declared (npm run settings)", async () => {
    const { settingsDocument } = (await import(
      new URL("../../scripts/settingsDocument.mjs", import.meta.url).href
    )) as { settingsDocument: () => string };
    expect(text).to.equal(settingsDocument());
  });

  for (const setting of Object.values(settingTable))
    it(`describes ${setting.name} in a sentence, and what applies without it`, () => {
      expect(text).to.include(`- **\`${setting.name}\`** (`);
      expect(setting.meaning).to.match(/^[A-Z`r].{15,}\.$/);
      expect("default" in setting ? setting.default : setting.otherwise).to.match(/\S/);
    });

  it("shows defaults that the server accepts", () => {
    const defaults = Object.values(settingTable).flatMap((setting) =>
      "default" in setting ? [[setting.name, setting.default]] : [],
    );
    expect(readConfig(Object.fromEntries(defaults))).to.deep.equal(readConfig({}));
  });

  it("says of each value what an error says of a wrong one", () => {
    const page = text.replace(/\s+/g, " ");
    for (const [variable, wrong] of [
      ["PORT", "80a"],
      ["NEXT_HOP", "smtp://"],
      ["SIGN_UP", "maybe"],
      ["TRUSTED_PROXIES", "x"],
    ] as const) {
      const { format } = settingTable[variable];
      expect(() => readConfig({ [variable]: wrong })).to.throw(SettingError, format.expected);
      expect(page).to.include(`*Value*: ${format.expected}.`);
    }
  });
});
