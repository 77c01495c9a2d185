import type { LabelColor } from "../../../core/labels/labelEndpoints.ts";

/** A label with a color, or one that no mask has; the labels of a mask stand in its row. */
export interface LabelsTable {
  user_id: string;
  name: string;
  /** The name without case and accents. */
  name_key: string;
  color: LabelColor;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    labels: LabelsTable;
  }
}
