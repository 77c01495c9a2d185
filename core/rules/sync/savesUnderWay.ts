import type { Task } from "fp-ts/lib/Task.js";
import { createState, mapState, type State } from "../../kernel/state.ts";
import { deferTask, onEnd } from "../../kernel/task.ts";
import type { Rule } from "../model/rule.ts";

type Ids = ReadonlySet<Rule["id"]>;

/** The saves that this tab waits for; until one has failed, what it changes counts neither as local nor as pending (RU3). */
export interface SavesUnderWay {
  /** The lists that are being saved. */
  readonly lists$: State<ReadonlySet<string>>;
  /** Runs a save of a list, whose rules with the ids `before` are local already. */
  readonly run: (listId: string, before: Ids) => <A>(save: Task<A>) => Task<A>;
  /** Leaves out of the local rules of a list those that are being saved. */
  readonly withoutUnderWay: (listId: string, local: Ids) => Ids;
}

/** Creates the record of the saves. */
export const createSavesUnderWay = (): SavesUnderWay => {
  const all$ = createState<readonly { readonly listId: string; readonly before: Ids }[]>([]);
  return {
    lists$: mapState(all$, (all) => new Set(all.map(({ listId }) => listId))),
    run: (listId, before) => (save) =>
      deferTask(() => {
        const underWay = { listId, before };
        all$.update((all) => [...all, underWay]);
        return onEnd(() => all$.update((all) => all.filter((one) => one !== underWay)))(save);
      }),
    withoutUnderWay: (listId, local) => {
      const first = all$.value.find((one) => one.listId === listId);
      return first === undefined ? local : new Set([...local].filter((id) => first.before.has(id)));
    },
  };
};
