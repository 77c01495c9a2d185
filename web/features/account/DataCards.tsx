import { useRef, useState } from "react";
import { type AccountData, createAccountData } from "../../../core/account/accountData.ts";
import { createImports } from "../../../core/account/imports.ts";
import { maximumCharacters } from "../../../core/account/readImport.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { FileButton, saveFile, useFileReader } from "../../ui/files.tsx";
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

/** Bytes of the file that are read: more than the most characters take in UTF-8, so a longer file is detected. */
const maxFileBytes = 4 * maximumCharacters + 4;

/** Imports masks from a file: a press opens the choice of the file, whose rows are then shown. */
export const ImportCard = () => {
  const imports = useFeature(createImports);
  const { kind } = useObservable(imports.state$);
  const button = useRef<HTMLButtonElement>(null);
  const [fileName, setFileName] = useState("");
  const file = useFileReader(
    (chosen) => chosen.slice(0, maxFileBytes).text(),
    (content, { name }) => {
      setFileName(name);
      void imports.read(content)();
    },
  );
  const close = (): void => {
    imports.close();
    button.current?.focus();
  };
  return (
    <SettingsCard text="From an export of this service, SimpleLogin, addy.io or Firefox Relay, as CSV or JSON. Masks at a domain that you have verified here keep their addresses; all others get a new one. You see what would be imported before anything changes.">
      <FileButton
        ref={button}
        label={kind === "none" ? "Import masks" : "Choose another file"}
        accept=".csv,.json,text/csv,application/json"
        onFile={(chosen) => {
          importPanel.prefetch();
          file.readFile(chosen);
        }}
        error={file.error}
        isDisabled={kind === "running"}
      />
      {kind !== "none" && (
        <Lazy chunk={importPanel} skeleton={skeleton}>
          {(ImportPanel) => <ImportPanel imports={imports} fileName={fileName} onClose={close} />}
        </Lazy>
      )}
    </SettingsCard>
  );
};
