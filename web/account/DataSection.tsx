import { useState } from "react";
import type { App } from "../../core/app.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { WithPart } from "../loading/WithPart.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { DownloadIcon } from "../ui/icons/DownloadIcon.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { saveFile } from "../ui/saveFile.ts";
import styles from "./DataSection.module.css";

type AccountData = PartOf<App["accountData"]>;
type Deed = AccountData["takeAll"];

const importPanel = makeChunk(
  () => import("./ImportPanel.tsx"),
  (module) => module.ImportPanel,
);

const loading = (
  <SkeletonRegion label="Loading">
    <Skeleton width="24ch" />
  </SkeletonRegion>
);

const useSaving = (deed: Deed) =>
  useAction(deed, { onSuccess: ({ name, content, type }) => saveFile(name, content, type) });

const Exports = ({ data }: { readonly data: AccountData }) => {
  const [all, masks] = [useSaving(data.takeAll), useSaving(data.takeMasks)];
  const problem = all.problem ?? masks.problem;
  return (
    <>
      <ButtonRow>
        <Button icon={<DownloadIcon size={18} />} onPress={() => all.run()} isPending={all.isRunning}>
          Everything (JSON)
        </Button>
        <Button icon={<DownloadIcon size={18} />} onPress={() => masks.run()} isPending={masks.isRunning}>
          Masks (CSV)
        </Button>
      </ButtonRow>
      <ProblemBanner problem={problem} />
    </>
  );
};

/** The user's data, to take along and to bring. */
export const DataSection = () => {
  const { accountData, imports } = useApp();
  const [isImporting, setImporting] = useState(false);
  return (
    <SectionCard id="your-data" title="Your data">
      <div className={styles.part}>
        <h3 className={styles.title}>Export my data</h3>
        <p className={styles.text}>
          Masks with their rules and statistics, your settings, and mail counted by month. Stored mail is not
          in it.
        </p>
        <WithPart late={accountData} skeleton={loading}>
          {(data) => <Exports data={data} />}
        </WithPart>
      </div>
      <div className={styles.part}>
        <h3 className={styles.title}>Import masks</h3>
        <p className={styles.text}>
          From an export of this service, SimpleLogin, addy.io or Firefox Relay, as CSV or JSON. Addresses of
          other services cannot come along: each mask gets a new one, with the same description and
          forward-to.
        </p>
        {isImporting ? (
          <WithPart late={imports} skeleton={loading}>
            {(part) => <Late chunk={importPanel} imports={part} skeleton={loading} />}
          </WithPart>
        ) : (
          <div>
            <Button onPress={() => setImporting(true)}>Import masks</Button>
          </div>
        )}
      </div>
    </SectionCard>
  );
};
