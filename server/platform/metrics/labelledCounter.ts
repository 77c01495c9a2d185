import { Counter, type Registry } from "@prometheus-io/client";

/** Counts one more of the named kind. */
export type Count<Value extends string> = (value: Value) => void;

/** Creates a counter with one label of a closed set, whose values all begin at 0, so that none of them is missing. */
export const createLabelledCounter = <Value extends string>(
  registry: Registry,
  {
    label,
    values,
    ...names
  }: {
    readonly name: string;
    readonly help: string;
    readonly label: string;
    readonly values: readonly Value[];
  },
): Count<Value> => {
  const counter = new Counter({ ...names, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value) => counter.inc({ [label]: value });
};
