import { useCallback, useRef } from "react";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { PlusIcon } from "../ui/icons/PlusIcon.tsx";
import { PageHead } from "../ui/PageHead.tsx";
import { useMaskDialogs } from "./MaskDialogs.tsx";
import { MaskList } from "./MaskList.tsx";
import { MaskNews } from "./MaskNews.tsx";
import styles from "./MasksTab.module.css";
import { MasksToolbar } from "./MasksToolbar.tsx";
import { MasksWarning } from "./MasksWarning.tsx";

/** The user's masks: find, make, switch, change, delete (MA1). */
export const MasksTab = () => {
  const { masks, page } = useApp();
  const { all } = useObservable(masks.view$);
  const isNarrow = useObservable(page.narrow$);
  const heading = useRef<HTMLHeadingElement>(null);
  const { open, prepare, dialogs } = useMaskDialogs(useCallback(() => heading.current?.focus(), []));
  const create = () => open({ kind: "create" });

  return (
    <>
      <PageHead title="Your Email Masks" titleRef={heading}>
        {!isNarrow && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only fetches early what the button inside will open
          <span onPointerEnter={prepare} onFocus={prepare}>
            <Button variant="primary" icon={<PlusIcon size={18} />} onPress={create}>
              Create Mask
            </Button>
          </span>
        )}
      </PageHead>
      <MasksWarning />
      {all.length > 0 && <MasksToolbar />}
      <MaskList onOpen={open} onIntent={prepare} />
      {isNarrow && (
        <IconButton
          variant="float"
          className={styles.float}
          label="Create Mask"
          icon={<PlusIcon size={24} />}
          onPress={create}
          onPointerEnter={prepare}
          onFocus={prepare}
        />
      )}
      <MaskNews />
      {dialogs}
    </>
  );
};
