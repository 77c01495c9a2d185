import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../../core/api/errorMessages.ts";
import type { TokenApp } from "../../core/app/tokenApp.ts";
import { listMaskCodes } from "../../core/codes/codeEndpoints.ts";
import { listHeldMails } from "../../core/held/heldEndpoints.ts";
import { unavailable } from "../../core/kernel/failure.ts";
import { deferTask, startTask } from "../../core/kernel/task.ts";
import { listLog } from "../../core/mailLog/logEndpoints.ts";
import type { LogPage } from "../../core/mailLog/logEntry.ts";
import { type Mask, maxDescriptionLength } from "../../core/masks/mask.ts";
import { type MaskDraft, toMaskDraft } from "../../core/masks/maskDraft.ts";
import { maskName } from "../../core/masks/maskListSettings.ts";
import { createProgramMasks } from "../../core/masks/programMasks.ts";
import { createMaskSenders } from "../../core/senders/senderCommands.ts";

/** The number of held mails; `isMore` says that there are others. */
export interface HeldCount {
  readonly count: number;
  readonly isMore: boolean;
}

/** The newest code of a mask; null where it is encrypted to the key of the account. */
export interface LastCode {
  readonly code: string | null;
}

/** What the popup does with masks, by the use cases of core. */
export interface PopupCommands {
  /** Switches a mask on or off; the toast takes that back. */
  readonly setActive: (mask: Mask, active: boolean) => TE.TaskEither<Problem, void>;
  /** Has a mask refuse the sender of the last mail that it got; the toast takes that back. */
  readonly blockLastSender: (mask: Mask) => TE.TaskEither<Problem, void>;
  readonly countHeld: () => TE.TaskEither<Problem, HeldCount>;
  /** The newest code in the mail of a mask; null without one. */
  readonly lastCode: (mask: Mask) => TE.TaskEither<Problem, LastCode | null>;
  /** Has the codes in the mail of a mask found and kept, or not. */
  readonly setShowCodes: (mask: Mask, showCodes: boolean) => TE.TaskEither<Problem, void>;
  readonly copyCode: (code: string) => TE.TaskEither<Problem, void>;
}

/** The app of the popup, with what it does besides. */
export interface ConnectedApp extends TokenApp {
  readonly commands: PopupCommands;
}

const toHeldProblem = problemOf({ page: "Failed to load the held mail" });
const toCodeProblem = problemOf({ page: "Failed to load the codes" });
const toSenderProblem = problemOf({ page: "Failed to find the last sender" });

/** Says why there is no last sender. */
const noSenderIn = ({ settings, mails: [last] }: LogPage): string => {
  if (settings.keep === "off") return "The log is switched off, so the last sender is not known";
  if (last === undefined) return "The log has no mail to this mask yet";
  if (last.sealed !== null) return "The log is encrypted to your key. Block the sender in the app";
  return "The sender of the last mail is not known";
};

/** The draft of a mask for a site, or of one for no site in particular. */
export const draftFor = (site: string | null): MaskDraft => ({
  ...toMaskDraft(),
  description: (site ?? "From the browser").slice(0, maxDescriptionLength),
  ...(site !== null && { madeFor: site }),
  forwardsByDefault: true,
});

export const createPopupCommands = (app: TokenApp): PopupCommands => {
  const { call, masks, toasts, waitingMasks, copying } = app;
  const toast = toasts.show;
  const programMasks = createProgramMasks({ call, masks });
  const senders = createMaskSenders({ call, toast });
  const showProblem = TE.tapError(({ message, toast: text = message }: Problem) =>
    TE.fromIO(() => toast("error", text)),
  );

  /** Replaces what core says about the switch by a toast that takes it back. */
  const offerUndo = (mask: Mask, active: boolean, before: readonly string[]): void => {
    for (const shown of toasts.list$.value)
      if (shown.kind === "success" && !before.includes(shown.id)) toasts.close(shown.id);
    toast("success", `“${maskName(mask)}” is switched ${active ? "on" : "off"}`, {
      label: "Undo",
      run: () => startTask(masks.setActive(mask.id, !active)),
    });
  };

  return {
    setActive: (mask, active) =>
      deferTask(() => {
        const before = toasts.list$.value.map(({ id }) => id);
        return pipe(
          masks.setActive(mask.id, active),
          TE.tapIO(() => () => {
            // Without a network core says that the change waits.
            if (waitingMasks.online$.value) offerUndo(mask, active, before);
          }),
        );
      }),
    blockLastSender: ({ id }) =>
      pipe(
        call(listLog)({ params: { maskId: id, direction: "received", limit: 1 } }),
        TE.mapLeft(toSenderProblem),
        TE.chain((page) => {
          const from = page.mails[0]?.detail?.from;
          return from
            ? TE.right(from)
            : TE.left(problemOf({ page: noSenderIn(page) })(unavailable("sender")));
        }),
        showProblem,
        TE.chain((sender) => pipe(senders.block(id, sender), showProblem)),
      ),
    lastCode: ({ id }) =>
      pipe(
        call(listMaskCodes)({ params: { id }, silent: true }),
        TE.bimap(toCodeProblem, ({ codes }) => {
          const [last] = codes.filter(({ code, sealed }) => code !== undefined || sealed !== undefined);
          return last === undefined ? null : { code: last.code ?? null };
        }),
      ),
    setShowCodes: (mask, showCodes) =>
      pipe(
        programMasks.change(mask, { settings: { showCodes } }),
        showProblem,
        TE.map(() =>
          toast("success", showCodes ? "Codes of this mask are shown" : "Codes of this mask are not shown"),
        ),
      ),
    copyCode: (code) => copying.copy(code, code, "Code copied to clipboard"),
    countHeld: () =>
      pipe(
        call(listHeldMails)({ params: {} }),
        TE.bimap(toHeldProblem, ({ mails, more }) => ({ count: mails.length, isMore: more })),
      ),
  };
};
