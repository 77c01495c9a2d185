import { Button } from "../Button.tsx";
import { Checkbox } from "../form/Checkbox.tsx";
import { Menu } from "../overlay/Menu.tsx";
import { VisuallyHidden } from "../VisuallyHidden.tsx";
import styles from "./SelectionBar.module.css";

/** Something that can be done with what is selected. */
export interface SelectionAction {
  readonly label: string;
  readonly onPress: () => void;
  readonly isDanger?: boolean;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
}

interface SelectionBarProps {
  /** Names the bar: "Selected mail". */
  readonly label: string;
  readonly count: number;
  readonly isAll: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly actions: readonly SelectionAction[];
  /** On a narrow screen the first action is a button and a menu has the others, so that the bar is one line. */
  readonly isNarrow: boolean;
}

/** Selects all of a list, and offers what can be done with what is selected. It stays in sight while the list scrolls. */
export const SelectionBar = ({ label, count, isAll, onSelectAll, actions, isNarrow }: SelectionBarProps) => {
  const selected = count > 0 ? `${count} selected` : "";
  const buttons = isNarrow ? actions.slice(0, 1) : actions;
  const others = actions.slice(buttons.length);
  return (
    <section className={styles.bar} aria-label={label}>
      <Checkbox
        label={
          isNarrow && count > 0 ? (
            <>
              <VisuallyHidden>Select all, </VisuallyHidden>
              {selected}
            </>
          ) : (
            "Select all"
          )
        }
        isChecked={isAll}
        onChange={onSelectAll}
      />
      {count > 0 && (
        <div className={styles.actions}>
          {buttons.map(({ label: name, isDanger, ...button }) => (
            <Button key={name} size="small" variant={isDanger ? "quietDanger" : "secondary"} {...button}>
              {name}
            </Button>
          ))}
          {others.length > 0 && (
            <Menu
              label="More for what is selected"
              isDisabled={others.every(({ isDisabled }) => isDisabled)}
              items={others
                .filter(({ isDisabled }) => !isDisabled)
                .map(({ label: name, isDanger = false, onPress }) => ({
                  id: name,
                  label: name,
                  isDanger,
                  onSelect: onPress,
                }))}
            />
          )}
        </div>
      )}
      <span className={isNarrow ? "visually-hidden" : styles.count} role="status">
        {selected}
      </span>
    </section>
  );
};
