import { useContext, useEffect } from "react";
import { createContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { isContentAccessOn } from "../../../core/contentAccess/contentAccessView.ts";
import { CardEntry } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import styles from "./AiSection.module.css";
import { ContentAccessCard } from "./ContentAccessCard.tsx";
import { PreferencesCard } from "./PreferencesCard.tsx";

/** The settings section for content access and the features that use it (SG1, SG3). */
export const AiSection = () => {
  const { id, title } = useContext(CardEntry);
  const contentAccess = useFeature(createContentAccess);
  const view = useObservable(contentAccess.view$);
  const refresh = useAction(contentAccess.refresh);
  const { run } = refresh;
  useEffect(() => run(), [run]);
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h3 id={id} tabIndex={-1} className={styles.groupName}>
        {title}
      </h3>
      <ContentAccessCard contentAccess={contentAccess} view={view} refresh={refresh} />
      {isContentAccessOn(view) && (
        <PreferencesCard contentAccess={contentAccess} view={view} refresh={refresh} />
      )}
    </section>
  );
};
