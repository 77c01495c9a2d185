import { type RefObject, useRef } from "react";
import { maxDescriptionLength } from "../../../../core/masks/mask.ts";
import { Lazy } from "../../../loading/Lazy.tsx";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/feedback/EmptyState.tsx";
import { Logo } from "../../../ui/icons/Logo.tsx";
import { PlusIcon } from "../../../ui/icons/PlusIcon.tsx";
import { SearchIcon } from "../../../ui/icons/SearchIcon.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import { Pagination } from "../../../ui/Pagination.tsx";
import styles from "../MasksTab.module.css";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { MaskCard } from "./MaskCard.tsx";
import { MaskCardSkeletons, MaskRowSkeletons } from "./MasksSkeleton.tsx";
import { tableChunk } from "./tableChunk.ts";

const NoMasks = ({ onCreate }: { readonly onCreate: () => void }) => (
  <EmptyState
    title="You don't have any email masks yet."
    illustration={<Logo size={40} />}
    action={
      <Button variant="primary" icon={<PlusIcon size={18} />} onPress={onCreate}>
        Create your first mask
      </Button>
    }
  >
    Create one for the next shop or newsletter that asks for your address. Its mail is forwarded to you.
  </EmptyState>
);

const NoMatch = ({ onOpen }: { readonly onOpen: OpenMaskDialog }) => {
  const { masks } = useSignedIn();
  const name = useObservable(masks.query$).search.trim().slice(0, maxDescriptionLength);
  return (
    <EmptyState
      title="No masks match your filters"
      illustration={<SearchIcon size={28} />}
      action={
        <ButtonRow>
          {name !== "" && !/[:"]/.test(name) && (
            <Button variant="primary" onPress={() => onOpen({ kind: "new", name })}>
              Create mask “{name}”
            </Button>
          )}
          <Button
            onPress={() => {
              masks.search("");
              masks.filter("all");
            }}
          >
            Show all masks
          </Button>
        </ButtonRow>
      }
    />
  );
};

interface MaskListProps {
  readonly isSelecting: boolean;
  readonly onSelected: () => void;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
  /** Is set to the card of the mask that was just created. */
  readonly newestCard: RefObject<HTMLElement | null>;
}

/** Lists the masks that match the filters, five cards per page unless the settings say otherwise, or explains why there are none (MA2, MA3). */
export const MaskList = ({ isSelecting, onSelected, onOpen, onIntent, newestCard }: MaskListProps) => {
  const { page: browserPage } = useApp();
  const { masks } = useSignedIn();
  const { status, all, leftOut } = useObservable(masks.view$);
  const { items, page, pages, matching } = useObservable(masks.page$);
  const newest = useObservable(masks.newest$);
  const isNarrow = useObservable(browserPage.narrow$);
  const copied = useObservable(masks.copied$);
  const pending = useObservable(masks.pendingIds$);
  const isRows = useObservable(masks.settings$).layout === "rows";
  const list = useRef<HTMLDivElement>(null);

  if (status === "loading" && all.length === 0) return isRows ? <MaskRowSkeletons /> : <MaskCardSkeletons />;
  if (all.length === 0) {
    return status === "failed" || leftOut !== "" ? null : (
      <NoMasks onCreate={() => onOpen({ kind: "new" })} />
    );
  }
  if (matching === 0) return <NoMatch onOpen={onOpen} />;
  if (isSelecting || isRows)
    return (
      <Lazy name="mask rows" chunk={tableChunk} skeleton={<MaskRowSkeletons />}>
        {(MaskTable) => (
          <MaskTable
            isSelecting={isSelecting}
            onSelected={onSelected}
            newest={newest}
            newestCard={newestCard}
            onOpen={onOpen}
            onIntent={onIntent}
          />
        )}
      </Lazy>
    );
  return (
    <>
      <div ref={list}>
        <ul className={styles.list} aria-label="Email masks">
          {items.map((mask) => (
            <MaskCard
              key={mask.id}
              mask={mask}
              isNewest={mask.id === newest}
              isNarrow={isNarrow}
              isCopied={mask.id === copied}
              isPending={pending.has(mask.id)}
              ref={mask.id === newest ? newestCard : undefined}
              onOpen={onOpen}
              onIntent={onIntent}
            />
          ))}
        </ul>
      </div>
      <div className={styles.pages}>
        <Pagination page={page} pageCount={pages} onChange={masks.goTo} label="Pages of masks" list={list} />
      </div>
    </>
  );
};
