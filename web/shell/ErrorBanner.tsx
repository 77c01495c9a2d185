import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import styles from "./ErrorBanner.module.css";

/** What went wrong and still matters, until it is dismissed (SH3). */
export const ErrorBanner = () => {
  const { banner } = useApp();
  const message = useObservable(banner.message$);
  if (message === null) return null;
  return (
    <div className={styles.place}>
      <Banner kind="error" onDismiss={banner.dismiss}>
        {message}
      </Banner>
    </div>
  );
};
