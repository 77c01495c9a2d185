import type { RulesView, ShownList } from "../../../core/rules/editing/rulesView.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import {
  type AccountPlace,
  accountListTexts,
  allMasks,
  placeOfList,
  ruleOrderText,
} from "../../../core/rules/model/rulePlace.ts";
import { addressText } from "../../navigation/address.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { NoRules } from "./NoRules.tsx";
import { RuleList } from "./RuleList.tsx";
import styles from "./RulesTab.module.css";
import { useRulesForAll } from "./useRulesForAll.ts";

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
    <h2 id={list.id}>{accountListTexts[place]}</h2>
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
export const AllMasksRules = (props: AllMasksRulesProps) => {
  const { lists, rules, leftOut, allMasks: account } = props.view;
  const [first] = lists;
  if (first && rules.length === 0 && leftOut === "" && account.status === "ready")
    return (
      <NoRules title="No rules for all masks yet." onAdd={() => props.onEdit(first.id, null)}>
        A rule here decides what happens to mail of every mask.
      </NoRules>
    );
  return (
    <>
      <p className={styles.text}>{ruleOrderText}</p>
      {lists.map((list) => {
        const place = placeOfList(list.id);
        return place && <PlaceRules key={list.id} {...props} list={list} place={place} />;
      })}
    </>
  );
};

const runningText = (count: number): string =>
  count === 1 ? "1 rule for all masks runs" : `${count} rules for all masks run`;

/** Says at the rules of a mask which rules for all masks run as well. */
export const OtherRulesNote = ({
  view,
  onShow,
}: {
  readonly view: RulesView;
  readonly onShow: () => void;
}) => {
  const { before, after } = useRulesForAll(view.allMasks, view.maskId);
  if (view.rules.length === 0 || before + after === 0) return null;
  const [text, further] =
    before > 0 ? [`${runningText(before)} before these`, after] : [`${runningText(after)} after these`, 0];
  return (
    <p className={styles.note}>
      <span>
        {text}
        {further > 0 && `, ${further} after`}.
      </span>{" "}
      <ButtonLink size="small" href={addressText(["rules", allMasks])} onFollow={onShow}>
        Show them
      </ButtonLink>
    </p>
  );
};
