import { useEffect } from "react";
import { isContentAccessOn } from "../../core/contentAccess/contentAccessView.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { useFocusOnNavigate } from "../navigation/navigation.ts";
import { useAction } from "../react/useAction.ts";
import { useApp } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Card } from "../ui/Card.tsx";
import { Skeleton, SkeletonRegion } from "../ui/Skeleton.tsx";
import styles from "./AiSection.module.css";
import { type ContentAccess, ContentAccessCard } from "./ContentAccessCard.tsx";
import { PreferencesCard } from "./PreferencesCard.tsx";

const AiSkeleton = () => (
  <SkeletonRegion label="Loading AI settings">
    <Card padding="roomy">
      <Skeleton height="5.5rem" shape="block" />
    </Card>
  </SkeletonRegion>
);

const AiCards = ({ contentAccess }: { readonly contentAccess: ContentAccess }) => {
  const view = useObservable(contentAccess.view$);
  const refresh = useAction(contentAccess.refresh);
  const { run } = refresh;
  useEffect(() => run(), [run]);
  return (
    <>
      <ContentAccessCard contentAccess={contentAccess} view={view} refresh={refresh} />
      {isContentAccessOn(view) && (
        <PreferencesCard contentAccess={contentAccess} view={view} refresh={refresh} />
      )}
    </>
  );
};

/** The settings section for content access and the features that use it (SG1, SG3). */
export const AiSection = () => {
  const { contentAccess } = useApp();
  const heading = useFocusOnNavigate<HTMLHeadingElement>("content-access");
  return (
    <section aria-labelledby="ai-features" className={styles.group}>
      <h2 id="ai-features" ref={heading} tabIndex={-1} className={styles.groupName}>
        AI Features
      </h2>
      <WithPart late={contentAccess} skeleton={<AiSkeleton />}>
        {(part) => <AiCards contentAccess={part} />}
      </WithPart>
    </section>
  );
};
