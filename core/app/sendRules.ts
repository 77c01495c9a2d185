import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { distinctUntilChanged, filter, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import { combineState } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { Mask } from "../masks/mask.ts";
import { getMask, putMask } from "../masks/maskEndpoints.ts";
import type { Masks } from "../masks/masks.ts";
import { putAccountRules } from "../rules/account/accountRuleEndpoints.ts";
import type { AccountRuleLists } from "../rules/account/accountRules.ts";
import type { MaskRules } from "../rules/editing/maskRules.ts";
import { rulesFromServer } from "../rules/editing/serverRules.ts";
import { mergeRules } from "../rules/model/mergeRules.ts";
import { readRules, withUnreadable } from "../rules/model/ruleList.ts";
import { placeOfList } from "../rules/model/rulePlace.ts";
import type { RulePush, SendRules } from "../rules/sync/pushRules.ts";

const findMask = (masks: Masks, maskId: string): Mask | undefined =>
  masks.view$.value.all.find(({ id }) => id === maskId);

/** The request for a mask's rules: the whole list, with the version and the unreadable rules of the one that it replaces. */
interface MaskRulesPush extends Pick<RulePush, "etag" | "rules"> {
  readonly known: readonly unknown[];
}

/** Returns what to send; rules of the mask that nobody has seen here, because its list left them out, are read first (MA7). */
const pushOf = (
  call: Call,
  mask: Mask | undefined,
  { maskId, etag, rules, baseRules }: RulePush,
): TE.TaskEither<Failure, MaskRulesPush> => {
  const known = mask?.settings?.rules;
  if (known !== undefined || (mask === undefined && etag !== null))
    return TE.right({ etag, rules, known: known ?? [] });
  return pipe(
    call(getMask)({ params: { id: maskId }, silent: true }),
    TE.map((fetched) => {
      const fromServer = rulesFromServer(fetched);
      return {
        etag: fromServer.etag,
        rules: mergeRules(baseRules, rules, fromServer.rules),
        known: fetched.settings?.rules ?? [],
      };
    }),
  );
};

/** Sends rules with the same request id in every attempt and with the etag of the list they were edited from. */
export const createSendRules =
  (call: Call, masks: Masks, account: AccountRuleLists): SendRules =>
  (push) => {
    const { maskId, requestId, isAwaited } = push;
    const headersOf = (etag: string | null) => ({
      "x-request-id": requestId,
      ...(etag === null ? {} : { "if-match": `"${etag}"` }),
    });
    const place = placeOfList(maskId);
    if (place === null)
      return pipe(
        pushOf(call, findMask(masks, maskId), push),
        TE.chain(({ etag, rules, known }) =>
          call(putMask)({
            params: { id: maskId },
            body: { settings: { rules: [...withUnreadable(known, rules)] } },
            headers: headersOf(etag),
            silent: true,
            unattended: !isAwaited,
          }),
        ),
        TE.map((mask) => {
          masks.upsert(mask);
          return rulesFromServer(mask);
        }),
      );
    const known = account.sources$.value.all.find(({ id }) => id === maskId)?.settings?.rules ?? [];
    return pipe(
      call(putAccountRules)({
        params: { place },
        body: { rules: [...withUnreadable(known, push.rules)] },
        headers: headersOf(push.etag),
        silent: true,
        unattended: !isAwaited,
      }),
      TE.map((list) => {
        account.put(place, list);
        return { etag: list.version, rules: readRules(list.rules).rules };
      }),
    );
  };

/** Reads the mask that the rules tab shows where the list of masks has left its rules out. */
export const followUnseenRules = (masks: Masks, { view$, isOpen$ }: MaskRules): Subscription =>
  combineState([view$, isOpen$, masks.view$], ({ maskId }, isOpen) => {
    const mask = isOpen && maskId !== null ? findMask(masks, maskId) : undefined;
    return mask !== undefined && mask.settings?.rules === undefined ? mask.id : null;
  })
    .pipe(
      distinctUntilChanged(),
      filter((id) => id !== null),
    )
    .subscribe((id) => startTask(masks.refetch(id)));
