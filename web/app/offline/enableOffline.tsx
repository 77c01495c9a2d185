import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { CloseIcon } from "../../ui/icons/CloseIcon.tsx";
import styles from "./NewVersion.module.css";
import { registerWorker } from "./registerWorker.ts";

/** A notice that a new version is ready. The user reloads now, or gets it when the page is next opened. */
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
      <p role="status">A new version is ready.</p>
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

/** Registers the service worker for offline use and shows a notice when a new version is ready. */
export const enableOffline = (window: Window): Promise<void> => {
  const container = window.document.createElement("div");
  const root = createRoot(container);
  let shown = 0;
  return registerWorker(window, (activate) => {
    if (shown === 0) window.document.body.append(container);
    shown += 1;
    root.render(<NewVersion key={shown} onReload={activate} />);
  });
};
