import type { AccountRules, RuleListState } from "../../../core/rules/account/accountRuleEndpoints.ts";
import type { AccountPlace } from "../../../core/rules/model/rulePlace.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Database, Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { lockUser } from "../../platform/store/users.ts";
import type { MaskAuthor } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import {
  type AccountList,
  deleteUnusedCounts,
  findAccountRuleVersion,
  readAccountLists,
  saveAccountRuleVersion,
  writeAccountList,
} from "./accountRuleQueries.ts";
import { mergeIntoList, parseRules, parseStoredRules, rulesOfAllMasks } from "./mergeRulesIntoMask.ts";
import { versionOfRules } from "./ruleVersions.ts";

/** The name of the rules for all masks in messages of the socket. */
const resource = "account-rules";

const toState = (stored: string): RuleListState => ({
  rules: JSON.parse(stored) as unknown[],
  version: versionOfRules(stored),
});

/** Returns the rules for all masks of a user. */
export const readAccountRules = async (db: Db, userId: string): Promise<AccountRules> => {
  const { before, after } = await readAccountLists(db, userId);
  return { before: toState(before), after: toState(after) };
};

interface AccountRulesEdit {
  readonly place: AccountPlace;
  readonly rules: readonly unknown[];
  /** The version that the rules were edited from; null replaces the stored ones (D43). */
  readonly baseVersion: string | null;
}

/** Checks the rules of one list for all masks, and prepares to store them. */
export const editAccountRules = async (
  deps: MaskDeps,
  author: MaskAuthor,
  { place, rules, baseVersion }: AccountRulesEdit,
): Promise<Write<RuleListState>> => {
  const { clock, delivery } = deps;
  const { userId, clientId } = author;
  const parsed = await parseRules(deps, rules, rulesOfAllMasks);
  return async (tx) => {
    afterCommit(tx, delivery.wake);
    await lockUser(tx, userId);
    const list: AccountList = { userId, place };
    const stored = await readAccountLists(tx, userId);
    const text = await mergeIntoList(
      tx,
      deps,
      {
        author,
        rules: stored[place],
        kind: rulesOfAllMasks,
        findVersion: (version) => findAccountRuleVersion(tx, list, version),
        saveVersion: (version) => saveAccountRuleVersion(tx, list, version),
      },
      { rules: parsed, baseVersion },
    );
    await writeAccountList(tx, list, text);
    const lists = { ...stored, [place]: text };
    await deleteUnusedCounts(
      tx,
      userId,
      [lists.before, lists.after].flatMap(parseStoredRules).map(({ id }) => id),
    );
    await appendEvent(tx, { userId, clientId, resource, resourceId: null, action: "updated" }, clock.now());
    return toState(text);
  };
};

/** Announces the rules for all masks as GET /rules answers them, to every client but the one that changed them. */
export const createAccountRulesFeature = ({ db }: Pick<Database, "db">): SocketFeature => ({
  resources: [resource],
  announce: (event) =>
    event.resource !== resource
      ? undefined
      : {
          resources: [resource],
          resourceId: null,
          exceptClientId: event.clientId,
          build: async () => dataUpdate(event, await readAccountRules(db, event.userId)),
        },
});
