import { useApp } from "../react/useApp.ts";
import { SkeletonRegion } from "../ui/feedback/Skeleton.tsx";
import { Logo } from "../ui/icons/Logo.tsx";
import styles from "./StartingScreen.module.css";

/** The screen while the session is restored or the signed-in page is loaded. */
export const StartingScreen = () => {
  const { brand } = useApp().configuration;
  return (
    <SkeletonRegion label={`Starting ${brand}`} className={styles.screen}>
      <Logo size={48} />
    </SkeletonRegion>
  );
};
