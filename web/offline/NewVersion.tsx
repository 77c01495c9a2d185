import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { CloseIcon } from "../ui/icons/CloseIcon.tsx";
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
      <p className={styles.text} role="status">
        A new version is ready.
      </p>
      <Button size="small" onPress={reload} isPending={isPending} className={styles.action}>
        Reload
      </Button>
      <IconButton
        label="Dismiss"
        icon={<CloseIcon size={18} />}
        size="small"
        onPress={() => setShown(false)}
      />
    </section>
  );
};
