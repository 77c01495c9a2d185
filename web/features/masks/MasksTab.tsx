import { type ReactNode, useCallback, useRef, useState } from "react";
import { createChunk } from "../../loading/chunk.ts";
import { Guarded, GuardedDialog } from "../../loading/Guarded.tsx";
import { useChunk } from "../../loading/Lazy.tsx";
import { loadFailedText, useAfterClosing, useFocusLoss, useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { CardsIcon } from "../../ui/icons/CardsIcon.tsx";
import { LabelIcon } from "../../ui/icons/LabelIcon.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RowsIcon } from "../../ui/icons/RowsIcon.tsx";
import { SelectIcon } from "../../ui/icons/SelectIcon.tsx";
import { SortIcon } from "../../ui/icons/SortIcon.tsx";
import { ButtonRow, PageHead } from "../../ui/layout/layout.tsx";
import { MaskAnnouncer } from "./list/MaskAnnouncer.tsx";
import { MaskList } from "./list/MaskList.tsx";
import { ToolbarSkeleton } from "./list/MasksSkeleton.tsx";
import styles from "./MasksTab.module.css";
import { labelsButton, type MaskDialog, type OpenMaskDialog, viewButton } from "./maskDialog.ts";

/** Warns that the list is cached or failed to load, with a button that loads it again (MA9). */
const MasksWarning = () => {
  const { masks } = useSignedIn();
  const { status, warning, leftOut } = useObservable(masks.view$);
  const refresh = useAction(masks.refresh);
  if (warning === null) return leftOut === "" ? null : <Banner kind="warning">{leftOut}</Banner>;
  return (
    <Banner
      kind={status === "failed" ? "error" : "warning"}
      action={
        <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
          {status === "failed" ? "Try Again" : "Refresh"}
        </Button>
      }
    >
      {warning}
    </Banner>
  );
};

/** Shows how many of the plan's masks are used; nothing for a plan without a limit. */
const MaskPlaces = () => {
  const { masks } = useSignedIn();
  const { status, all } = useObservable(masks.view$);
  const { maxMasks } = useObservable(masks.plan$);
  if (maxMasks === null || status === "loading" || status === "failed") return null;
  return (
    <p className={styles.places}>
      {all.length} of {maxMasks} masks
    </p>
  );
};

const addressChunk = createChunk(
  () => import("./MaskAddress.ts"),
  (module) => module.MaskAddress,
);

const randomChunk = createChunk(
  () => import("./createRandomMask.ts"),
  (module) => module.createRandomMask,
);

const waitingChunk = createChunk(
  () => import("./WaitingMasks.tsx"),
  (module) => module.WaitingMasks,
);

/** The masks that were made without a connection. */
const WaitingPart = () => {
  const count = useObservable(useSignedIn().masks.waiting$);
  const { part: WaitingMasks } = useChunk(waitingChunk, count > 0);
  return count > 0 && WaitingMasks ? (
    <div className={styles.list}>
      <WaitingMasks />
    </div>
  ) : null;
};

/** Filters the masks by a search and three chips with counts (MA1). */
const MasksToolbar = ({
  onOpen,
  isSelecting,
  onSelect,
}: {
  readonly onOpen: OpenMaskDialog;
  readonly isSelecting: boolean;
  readonly onSelect: () => void;
}) => {
  const { masks } = useSignedIn();
  const isNarrow = useObservable(useApp().page.narrow$);
  const query = useObservable(masks.query$);
  const isRows = useObservable(masks.settings$).layout === "rows";
  const { counts } = useObservable(masks.page$);
  return (
    <div className={styles.toolbar}>
      <SearchField
        label="Search masks"
        placeholder={isNarrow ? "Search" : "Search masks"}
        value={query.search}
        onChange={masks.search}
        className={styles.search}
      />
      <ChipGroup
        label="Show"
        value={query.filter}
        onChange={masks.filter}
        chips={[
          { value: "all", label: "All Masks", count: counts.all },
          { value: "active", label: "Active", count: counts.active },
          { value: "disabled", label: "Disabled", count: counts.disabled },
        ]}
      />
      <div className={styles.tools}>
        <IconButton
          label={isRows ? "Show as cards" : "Show as rows"}
          icon={isRows ? <CardsIcon /> : <RowsIcon />}
          onPress={() => masks.changeSettings({ layout: isRows ? "cards" : "rows" })}
        />
        <IconButton
          id={viewButton}
          label="Sort and view"
          icon={<SortIcon />}
          aria-haspopup="dialog"
          onPress={() => onOpen({ kind: "view" })}
        />
        <IconButton
          id={labelsButton}
          label="Labels"
          icon={<LabelIcon />}
          aria-haspopup="dialog"
          onPress={() => onOpen({ kind: "labels" })}
        />
        <IconButton
          id="select-masks"
          label="Select"
          icon={<SelectIcon />}
          isPressed={isSelecting}
          onPress={onSelect}
        />
      </div>
    </div>
  );
};

const dialogChunk = createChunk(
  () => import("./MaskDialogs.tsx"),
  (module) => module.MaskDialogs,
);

interface MaskDialogControls {
  readonly open: OpenMaskDialog;
  /** Prefetches the code of the dialogs. */
  readonly prepare: () => void;
  readonly dialogs: ReactNode;
}

interface MaskDialogEvents {
  /** Called when the element that had the focus was removed. */
  readonly onFocusLost: () => void;
  /** Called when a mask was created and its dialog has closed. */
  readonly onCreated: () => void;
}

const useMaskDialogs = ({ onFocusLost, onCreated }: MaskDialogEvents): MaskDialogControls => {
  const { opened, isOpen, open, close } = useLazyOpening<MaskDialog>(dialogChunk);
  const { lose } = useFocusLoss(isOpen, onFocusLost);
  const showCreated = useAfterClosing(isOpen, onCreated);
  const Dialogs = dialogChunk.loaded();
  return {
    open,
    prepare: dialogChunk.prefetch,
    dialogs: Dialogs && opened && (
      <GuardedDialog key={opened.key} part="mask dialog" onClose={close}>
        <Dialogs
          dialog={opened.target}
          isOpen={isOpen}
          onClose={close}
          onRemoved={lose}
          onCreated={showCreated}
        />
      </GuardedDialog>
    ),
  };
};

/** The tab with the masks of the user: search, create, switch, edit, delete (MA1). */
export const MasksTab = () => {
  const { page, session, toasts } = useApp();
  const signedIn = useSignedIn();
  const { masks } = signedIn;
  const noChunk = () => toasts.show("error", loadFailedText);
  const { all, status } = useObservable(masks.view$);
  const isNarrow = useObservable(page.narrow$);
  const heading = useRef<HTMLHeadingElement>(null);
  const newestCard = useRef<HTMLElement>(null);
  /** The address of the mask is the next thing to use, and the card's other controls follow it. */
  const pointOut = useCallback(() => {
    newestCard.current?.scrollIntoView({ block: "nearest" });
    newestCard.current?.querySelector<HTMLElement>("[data-copy]")?.focus({ preventScroll: true });
  }, []);
  const { open, prepare, dialogs } = useMaskDialogs({
    onFocusLost: useCallback(() => heading.current?.focus(), []),
    onCreated: pointOut,
  });
  const [isSelecting, setSelecting] = useState(false);
  const { part: MaskAddress } = useChunk(addressChunk);
  const create = () => open({ kind: "new" });

  return (
    <>
      <PageHead title="Your Email Masks" titleRef={heading}>
        {!isNarrow && <MaskPlaces />}
        <ButtonRow>
          <Button
            size={isNarrow ? "small" : "medium"}
            onPress={() => void randomChunk.load().then((create) => create({ signedIn, session }), noChunk)}
          >
            Random mask
          </Button>
          {!isNarrow && (
            // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the button inside opens
            <span onPointerEnter={prepare} onFocus={prepare}>
              <Button variant="primary" icon={<PlusIcon size={18} />} onPress={create}>
                Create Mask
              </Button>
            </span>
          )}
        </ButtonRow>
      </PageHead>
      <MasksWarning />
      <WaitingPart />
      {all.length === 0 && status === "loading" && <ToolbarSkeleton />}
      {all.length > 0 && (
        <MasksToolbar onOpen={open} isSelecting={isSelecting} onSelect={() => setSelecting((is) => !is)} />
      )}
      <Guarded part="mask list">
        <MaskList
          isSelecting={isSelecting}
          onSelected={() => {
            setSelecting(false);
            heading.current?.focus();
          }}
          onOpen={open}
          onIntent={prepare}
          newestCard={newestCard}
        />
      </Guarded>
      <div className={styles.end}>
        <ButtonLink
          variant="quiet"
          href={addressText(["masks", "deleted"])}
          onFollow={() => open({ kind: "deleted" })}
        >
          Deleted masks
        </ButtonLink>
        {isNarrow && <MaskPlaces />}
      </div>
      {isNarrow && (
        <IconButton
          variant="float"
          label="Create Mask"
          icon={<PlusIcon size={24} />}
          onPress={create}
          onPointerEnter={prepare}
          onFocus={prepare}
        />
      )}
      <MaskAnnouncer />
      {MaskAddress && <MaskAddress open={open} onReveal={pointOut} />}
      {dialogs}
    </>
  );
};
