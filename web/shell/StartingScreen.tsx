import { useApp } from "../binding/useApp.ts";
import { Logo } from "../ui/Logo.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./StartingScreen.module.css";

/** The moment before it is known whether somebody is signed in. */
export const StartingScreen = () => {
  const { brand } = useApp().configuration;
  return (
    <SkeletonRegion label={`Starting ${brand}`} className={styles.screen}>
      <Logo size={48} />
    </SkeletonRegion>
  );
};
