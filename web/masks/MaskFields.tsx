import { type ReactNode, useEffect, useRef } from "react";
import { longestDescription } from "../../core/masks/mask.ts";
import type { Problem } from "../../core/sentences/problem.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Badge } from "../ui/Badge.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { TextField } from "../ui/TextField.tsx";
import { isGone } from "./maskDialog.ts";
import type { Draft } from "./useDraft.ts";
import { useWaits } from "./useWaits.ts";

interface MaskFieldsProps {
  readonly draft: Draft;
  readonly problem: Problem | null;
  /** Called when something is typed: the problem may be over. */
  readonly onEdit: () => void;
  /** A new mask is described first. */
  readonly isNew?: boolean;
  /** Where mail to the mask goes so far. */
  readonly forwardedTo?: string;
  readonly longestPrefix: number;
  readonly prefixHint: string;
  /** Stands above the fields. */
  readonly children?: ReactNode;
}

/** The fields of a mask, the same for a new one and for one that is there (MA5). */
export const MaskFields = ({
  draft,
  problem,
  onEdit,
  isNew = false,
  forwardedTo,
  longestPrefix,
  prefixHint,
  children,
}: MaskFieldsProps) => {
  const { masks } = useApp();
  const mayChoosePrefix = useObservable(masks.mayChoosePrefix$);
  const { values } = draft;
  const waits = useWaits(forwardedTo, values.forwardTo);
  const description = useRef<HTMLInputElement>(null);
  const forwardTo = useRef<HTMLInputElement>(null);
  const customPrefix = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const fields = { description, forwardTo, customPrefix };
    const wrong = Object.entries(fields).find(([name]) => fieldMessage(problem, name) !== undefined);
    wrong?.[1].current?.focus();
  }, [problem]);

  const change = (part: Parameters<Draft["change"]>[0]): void => {
    draft.change(part);
    onEdit();
  };

  return (
    <>
      {problem && !isGone(problem) && <ProblemBanner problem={problem} />}
      {children}
      <TextField
        ref={description}
        label="Description"
        placeholder="Where you will use it"
        value={values.description}
        onChange={(description) => change({ description })}
        error={fieldMessage(problem, "description")}
        isRequired
        maxLength={longestDescription}
        autoComplete="off"
        autoFocus={isNew}
      />
      <TextField
        ref={forwardTo}
        label="Forward to"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="email"
        spellCheck={false}
        value={values.forwardTo}
        onChange={(forwardTo) => change({ forwardTo })}
        error={fieldMessage(problem, "forwardTo")}
        description="An address that is not yours yet gets one mail with a link to confirm it."
      />
      {waits && (
        <Banner kind="warning">
          Mail to this mask waits until the new address is confirmed: we send a link there. Until it is
          opened, nothing is forwarded and senders are asked to try again later.
        </Banner>
      )}
      <TextField
        ref={customPrefix}
        label="Custom prefix"
        labelAside={<Badge kind="accent">PRO</Badge>}
        value={values.customPrefix}
        onChange={(customPrefix) => change({ customPrefix })}
        error={fieldMessage(problem, "customPrefix")}
        description={
          mayChoosePrefix
            ? prefixHint
            : "With the Premium plan you choose how the address begins. Otherwise it is random."
        }
        isDisabled={!mayChoosePrefix}
        maxLength={longestPrefix}
        showsCount={mayChoosePrefix}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        isMonospace
      />
      <Checkbox
        label="Spam filter"
        isChecked={values.spamFilter}
        onChange={(spamFilter) => change({ spamFilter })}
        description="Refuses mail that is forged or looks like spam. Its sender is told."
      />
    </>
  );
};
