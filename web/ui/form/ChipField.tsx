import { type ReactNode, useId } from "react";
import { ChipGroup, type ChipGroupProps } from "./ChipGroup.tsx";
import field from "./Field.module.css";
import { FieldNotes } from "./FieldNotes.tsx";

interface ChipFieldProps<V extends string> extends ChipGroupProps<V> {
  /** The meaning of the choice, below it. */
  readonly description?: ReactNode;
}

/** A field of a form with one choice of a few, all of them in sight. */
export const ChipField = <V extends string>({ description, ...group }: ChipFieldProps<V>) => (
  <div className={field.field}>
    <span className={field.label} aria-hidden="true">
      {group.label}
    </span>
    <ChipGroup {...group} />
    <FieldNotes fieldId={useId()} description={description} />
  </div>
);
