import type { Mask } from "../../core/masks/mask.ts";
import type { AccountRules, RuleListState } from "../../core/rules/account/accountRuleEndpoints.ts";
import { mergeRules } from "../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { readRules } from "../../core/rules/model/ruleList.ts";
import type { AccountPlace } from "../../core/rules/model/rulePlace.ts";
import type { Answer, ReceivedRequest } from "./fakeHttp.ts";

type Edit = Partial<Mask>;

/** Saves a mask's rules as the server does: merged with changes saved meanwhile, and each write id once (D43). */
export interface ProductRules {
  /** The mask with the version of its list. */
  readonly shown: (mask: Mask) => Mask;
  /** The edit with its rules merged into those of the mask. */
  readonly merged: (mask: Mask, edit: Edit, request: ReceivedRequest) => Edit;
  /** The two lists for all masks, as GET /rules answers them. */
  readonly account: () => AccountRules;
  /** Replaces a list for all masks, or saves what a request sends of it. */
  readonly saveAccount: (place: AccountPlace, rules: readonly unknown[], request?: ReceivedRequest) => void;
  /** The earlier answer to the same write; otherwise the result of `write`. */
  readonly once: (request: ReceivedRequest, write: () => Answer) => Answer;
}

export const createProductRules = (): ProductRules => {
  const names = new Map<string, string>();
  const versions = new Map<string, readonly Rule[]>();
  const answers = new Map<string, Answer>();
  const keep = (list: readonly unknown[] | undefined): string => {
    const { rules } = readRules(list ?? []);
    const text = JSON.stringify(rules);
    const name = names.get(text) ?? `v${names.size}`;
    names.set(text, name);
    versions.set(name, rules);
    return name;
  };
  let account: Readonly<Record<AccountPlace, readonly unknown[]>> = { before: [], after: [] };
  const stateOf = (rules: readonly unknown[]): RuleListState => ({ rules: [...rules], version: keep(rules) });
  return {
    account: () => ({ before: stateOf(account.before), after: stateOf(account.after) }),
    saveAccount: (place, rules, request) => {
      const from = /^"(.*)"$/.exec(request?.headers["if-match"] ?? "")?.[1];
      const base = from === undefined ? undefined : (versions.get(from) ?? []);
      const sent = readRules(rules).rules;
      const saved = base ? mergeRules(base, sent, readRules(account[place]).rules) : rules;
      account = { ...account, [place]: saved };
    },
    shown: (mask) => ({
      ...mask,
      settings: { rules: [], ...mask.settings, rulesVersion: keep(mask.settings?.rules) },
    }),
    merged: (mask, edit, request) => {
      const settings = { ...mask.settings, ...edit.settings };
      const sent = edit.settings?.rules;
      const from = /^"(.*)"$/.exec(request.headers["if-match"] ?? "")?.[1];
      if (sent === undefined || from === undefined) return { ...edit, settings };
      const theirs = readRules(mask.settings?.rules ?? []).rules;
      return {
        ...edit,
        settings: {
          ...settings,
          rules: [...mergeRules(versions.get(from) ?? [], readRules(sent).rules, theirs)],
        },
      };
    },
    once: (request, write) => {
      const name = request.headers["x-request-id"] ?? "";
      const answer = answers.get(name) ?? write();
      answers.set(name, answer);
      return answer;
    },
  };
};
