import { useState } from "react";
import { type AccountData, createAccountData } from "../../../core/account/accountData.ts";
import { createImports } from "../../../core/account/imports.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { saveFile } from "../../ui/files.tsx";
import { DownloadIcon } from "../../ui/icons/DownloadIcon.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";

type ExportAction = AccountData["exportAll"];

const importPanel = createChunk(
  () => import("./ImportPanel.tsx"),
  (module) => module.ImportPanel,
);

const skeleton = (
  <SkeletonRegion label="Loading">
    <Skeleton width="24ch" />
  </SkeletonRegion>
);

const useDownload = (action: ExportAction) =>
  useFormAction(action, { onSuccess: ({ name, content, type }) => saveFile(name, content, type) });

const ExportButtons = ({ data }: { readonly data: AccountData }) => {
  const everything = useDownload(data.exportAll);
  const masksCsv = useDownload(data.exportMasks);
  const problem = everything.problem ?? masksCsv.problem;
  return (
    <>
      <ButtonRow>
        <Button
          icon={<DownloadIcon size={18} />}
          onPress={() => everything.run()}
          isPending={everything.isRunning}
        >
          Everything (JSON)
        </Button>
        <Button
          icon={<DownloadIcon size={18} />}
          onPress={() => masksCsv.run()}
          isPending={masksCsv.isRunning}
        >
          Masks (CSV)
        </Button>
      </ButtonRow>
      <ProblemBanner problem={problem} />
    </>
  );
};

/** Exports the data of the account. */
export const ExportCard = () => (
  <SettingsCard text="Your masks with their rules and statistics, your settings, and your mail counts by month. Stored mail is not included.">
    <ExportButtons data={useFeature(createAccountData)} />
  </SettingsCard>
);

/** Imports masks from a file. */
export const ImportCard = () => {
  const imports = useFeature(createImports);
  const [isImporting, setImporting] = useState(false);
  return (
    <SettingsCard text="From an export of this service, SimpleLogin, addy.io or Firefox Relay, as CSV or JSON. Masks at a domain that you have verified here keep their addresses; all others get a new one.">
      {isImporting ? (
        <Lazy chunk={importPanel} skeleton={skeleton}>
          {(ImportPanel) => <ImportPanel imports={imports} />}
        </Lazy>
      ) : (
        <ButtonRow>
          <Button onPress={() => setImporting(true)}>Import masks</Button>
        </ButtonRow>
      )}
    </SettingsCard>
  );
};
