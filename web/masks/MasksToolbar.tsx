import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { ChipGroup } from "../ui/ChipGroup.tsx";
import { SearchField } from "../ui/SearchField.tsx";
import styles from "./MasksTab.module.css";

/** Finds masks: a search and three chips with their counts (MA1). */
export const MasksToolbar = () => {
  const { masks } = useApp();
  const query = useObservable(masks.query$);
  const { counts } = useObservable(masks.page$);
  return (
    <div className={styles.toolbar}>
      <SearchField
        label="Search masks"
        placeholder="Search masks"
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
    </div>
  );
};
