import type { RulesView, ShownList } from "../../../core/rules/editing/rulesView.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import {
  type AccountPlace,
  allMasks,
  placeOfList,
  ruleOrderText,
} from "../../../core/rules/model/rulePlace.ts";
import { addressText } from "../../navigation/address.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { PlusIcon } from "../../ui/icons/PlusIcon.tsx";
import { RuleList } from "./RuleList.tsx";
import styles from "./RulesTab.module.css";

const titles: Readonly<Record<AccountPlace, string>> = {
  before: "Before the rules of each mask",
  after: "After the rules of each mask",
};

interface AllMasksRulesProps {
  readonly view: RulesView;
  /** Called with null for a new rule of a list. */
  readonly onEdit: (listId: string, rule: Rule | null) => void;
  readonly onFocusLost: () => void;
}

interface PlaceProps extends AllMasksRulesProps {
  readonly list: ShownList;
  readonly place: AccountPlace;
}

const PlaceRules = ({ view, list, place, onEdit, onFocusLost }: PlaceProps) => (
  <section className={styles.place} aria-labelledby={list.id}>
    <div className={styles.placeHead}>
      <h2 id={list.id}>{titles[place]}</h2>
      <Button
        size="small"
        icon={<PlusIcon size={16} />}
        aria-label={`Add a rule ${place} the rules of each mask`}
        onPress={() => onEdit(list.id, null)}
      >
        Add Rule
      </Button>
    </div>
    <RuleList
      view={view}
      list={list}
      empty={view.leftOut === "" && <p className={styles.text}>No rules here yet.</p>}
      onEdit={(rule) => onEdit(list.id, rule)}
      onFocusLost={onFocusLost}
    />
  </section>
);

/** The two lists of rules for all masks. */
export const AllMasksRules = (props: AllMasksRulesProps) => (
  <>
    <p className={styles.text}>{ruleOrderText}</p>
    {props.view.lists.map((list) => {
      const place = placeOfList(list.id);
      return place && <PlaceRules key={list.id} {...props} list={list} place={place} />;
    })}
  </>
);

/** Says at the rules of a mask that rules for all masks are asked as well. */
export const OtherRulesNote = ({
  view,
  onShow,
}: {
  readonly view: RulesView;
  readonly onShow: () => void;
}) => {
  const before = view.allMasks.before.length;
  const after = view.allMasks.after.length;
  if (before + after === 0) return null;
  const counts = [...(before > 0 ? [`${before} before`] : []), ...(after > 0 ? [`${after} after`] : [])].join(
    " and ",
  );
  return (
    <p className={styles.note}>
      <span>Rules for all masks are asked too: {counts} these.</span>{" "}
      <ButtonLink size="small" href={addressText(["rules", allMasks])} onFollow={onShow}>
        Show them
      </ButtonLink>
    </p>
  );
};
