import type { RefObject } from "react";
import { useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Logo } from "../ui/Logo.tsx";
import { PlusIcon, SearchIcon } from "../ui/moreIcons.tsx";
import { Pagination } from "../ui/Pagination.tsx";
import { MaskCard } from "./MaskCard.tsx";
import { MaskCardSkeletons } from "./MasksSkeleton.tsx";
import styles from "./MasksTab.module.css";
import type { OpenMaskDialog } from "./maskDialog.ts";

interface MaskListProps {
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
  /** Is set to the card of the mask that was just created. */
  readonly newestCard: RefObject<HTMLElement | null>;
}

/** Lists the masks that match the filters, five per page, or explains why there are none (MA2, MA3). */
export const MaskList = ({ onOpen, onIntent, newestCard }: MaskListProps) => {
  const { masks } = useSignedIn();
  const { status, all } = useObservable(masks.view$);
  const { items, page, pages, matching } = useObservable(masks.page$);
  const newest = useObservable(masks.newest$);

  if (status === "loading") return <MaskCardSkeletons />;
  if (all.length === 0) {
    return status === "failed" ? null : (
      <EmptyState
        title="You don't have any email masks yet."
        illustration={<Logo size={40} />}
        action={
          <Button variant="primary" icon={<PlusIcon size={18} />} onPress={() => onOpen({ kind: "create" })}>
            Create your first mask
          </Button>
        }
      >
        Make one for the next shop or newsletter that asks for your address. Mail to it reaches you.
      </EmptyState>
    );
  }
  if (matching === 0) {
    return (
      <EmptyState
        title="No masks match your filters"
        illustration={<SearchIcon size={28} />}
        action={
          <Button
            onPress={() => {
              masks.search("");
              masks.filter("all");
            }}
          >
            Show all masks
          </Button>
        }
      />
    );
  }
  return (
    <>
      <ul className={styles.list} aria-label="Email masks">
        {items.map((mask) => (
          <MaskCard
            key={mask.id}
            mask={mask}
            isNewest={mask.id === newest}
            ref={mask.id === newest ? newestCard : undefined}
            onOpen={onOpen}
            onIntent={onIntent}
          />
        ))}
      </ul>
      <div className={styles.pages}>
        <Pagination page={page} pageCount={pages} onChange={masks.goTo} label="Pages of masks" />
      </div>
    </>
  );
};
