import { useEffect } from "react";
import { createContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { isContentAccessOn } from "../../../core/contentAccess/contentAccessView.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import styles from "./AiSection.module.css";
import { ContentAccessCard } from "./ContentAccessCard.tsx";
import { PreferencesCard } from "./PreferencesCard.tsx";

/** The settings section for content access and the features that use it (SG1, SG3). */
export const AiSection = () => {
  const contentAccess = useFeature(createContentAccess);
  const view = useObservable(contentAccess.view$);
  const refresh = useAction(contentAccess.refresh);
  const { run } = refresh;
  useEffect(() => run(), [run]);
  return (
    <section aria-labelledby="ai-features" className={styles.group}>
      <h3 id="ai-features" tabIndex={-1} className={styles.groupName}>
        AI Features
      </h3>
      <ContentAccessCard contentAccess={contentAccess} view={view} refresh={refresh} />
      {isContentAccessOn(view) && (
        <PreferencesCard contentAccess={contentAccess} view={view} refresh={refresh} />
      )}
    </section>
  );
};
