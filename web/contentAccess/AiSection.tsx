import { useEffect } from "react";
import { isOn } from "../../core/contentAccess/contentAccessView.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { useArrival } from "../places/useArrival.ts";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./AiSection.module.css";
import { ContentAccessCard } from "./ContentAccessCard.tsx";
import type { ContentAccess } from "./contentAccessPart.ts";
import { PreferencesCard } from "./PreferencesCard.tsx";

const Waiting = () => (
  <SkeletonRegion label="Loading AI settings">
    <Card padding="roomy">
      <Skeleton height="5.5rem" shape="block" />
    </Card>
  </SkeletonRegion>
);

const Cards = ({ contentAccess }: { readonly contentAccess: ContentAccess }) => {
  const view = useObservable(contentAccess.view$);
  const refresh = useAction(contentAccess.refresh);
  const { run } = refresh;
  useEffect(() => run(), [run]);
  return (
    <>
      <ContentAccessCard contentAccess={contentAccess} view={view} refresh={refresh} />
      {isOn(view) && <PreferencesCard contentAccess={contentAccess} view={view} refresh={refresh} />}
    </>
  );
};

/** What the server may do with the content of mail (SG1, SG3). */
export const AiSection = () => {
  const { contentAccess } = useApp();
  const heading = useArrival<HTMLHeadingElement>("content-access");
  return (
    <section aria-labelledby="ai-features" className={styles.group}>
      <h2 id="ai-features" ref={heading} tabIndex={-1} className={styles.groupName}>
        AI Features
      </h2>
      <WithPart late={contentAccess} skeleton={<Waiting />}>
        {(part) => <Cards contentAccess={part} />}
      </WithPart>
    </section>
  );
};
