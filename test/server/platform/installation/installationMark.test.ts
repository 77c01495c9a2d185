import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SettingError } from "../../../../server/platform/config/settings.ts";
import {
  adoptDatabase,
  openInstallation,
} from "../../../../server/platform/installation/installationMark.ts";
import { openSecrets } from "../../../../server/platform/ops/secrets.ts";
import { named } from "../../../support/domainNames.ts";
import { removeBystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

describe("A database", () => {
  const own = useTemporaryFolder();
  const other = useTemporaryFolder();

  onEachDatabase(({ database, another }) => {
    const start = (dataDir: string, maskDomain = "masks.example") =>
      openInstallation(database().db, { dataDir, maskDomain: named(maskDomain) });
    const refusal = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "started",
        (error: unknown) => (error instanceof SettingError ? error.message : `a defect: ${error}`),
      );

    it("is used by every process with the keys and the domain of its installation", async () => {
      const first = await start(own());
      const second = await openInstallation((await another()).db, {
        dataDir: own(),
        maskDomain: named("masks.example"),
      });
      expect(second).to.deep.equal(first);
    });

    it("refuses a process with other keys with one line that says what to do, and a folder without keys gets none", async () => {
      await start(own());
      for (const prepare of [() => {}, () => openSecrets(other())]) {
        prepare();
        const hadKeys = existsSync(join(other(), "hashing.key"));
        const message = await refusal(start(other()));
        expect(message).to.match(/^DATA_DIR is ".+"; expected .+hashing\.key.+`bauta adopt`.+\.$/);
        expect(message).not.to.contain("\n");
        expect(existsSync(join(other(), "hashing.key"))).to.equal(hadKeys);
      }
    });

    it("refuses another domain once it has masks, and takes it before", async () => {
      await removeBystander(database(), "it has a mask");
      await start(own(), "trial.example");
      expect(await refusal(start(own(), "masks.example"))).to.equal("started");
      await addMask(database().db, await addOwner(database().db));
      const message = await refusal(start(own(), "new.example"));
      expect(message).to.match(
        /^MASK_DOMAIN is "new\.example"; expected "masks\.example", .+`bauta adopt`.+\.$/,
      );
      expect(message).not.to.contain("\n");
    });

    it("belongs to another installation once that has adopted it", async () => {
      await start(own());
      await addMask(database().db, await addOwner(database().db));
      expect(await adoptDatabase(database().db, openSecrets(other()), "new.example")).to.equal(
        "masks.example",
      );
      expect(await refusal(start(other(), "new.example"))).to.equal("started");
      expect(await refusal(start(own()))).to.contain("DATA_DIR is");
    });
  });
});
