import { useState } from "react";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import styles from "./NewVersion.module.css";

/** Says quietly that a new version is here; it is taken when its user says so, or the next time the page is opened. */
export const NewVersion = ({ onReload }: { readonly onReload: () => void }) => {
  const [isShown, setShown] = useState(true);
  const [isPending, setPending] = useState(false);
  if (!isShown) return null;
  const reload = (): void => {
    setPending(true);
    onReload();
  };
  return (
    <section className={styles.place} aria-label="New version">
      <Banner
        action={
          <Button size="small" onPress={reload} isPending={isPending} pendingLabel="Reloading…">
            Reload
          </Button>
        }
        onDismiss={() => setShown(false)}
      >
        A new version is ready.
      </Banner>
    </section>
  );
};
