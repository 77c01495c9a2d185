import type { ReactNode } from "react";
import type { Problem } from "../../core/api/errorMessages.ts";
import { useApp } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { Banner } from "../ui/feedback/Banner.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { CloseIcon } from "../ui/icons/CloseIcon.tsx";

interface OfferLineProps {
  readonly text: string;
  /** The text for a narrow screen. */
  readonly shortText?: string | undefined;
  /** The button that accepts it. */
  readonly accept: ReactNode;
  /** Called when the user wants it neither now nor later in this session. */
  readonly onDecline: () => void;
  /** Called when the user never wants to be asked again. */
  readonly onNever?: (() => void) | undefined;
  readonly isRunning: boolean;
  /** Why the answer was not taken, in place of the offer. */
  readonly problem: Problem | null;
}

/** Something that the user can set up now, on one line above the list, with a way past it. */
export const OfferLine = ({
  text,
  shortText = text,
  accept,
  onDecline,
  onNever,
  isRunning,
  problem,
}: OfferLineProps) => {
  const isNarrow = useObservable(useApp().page.narrow$);
  return (
    <Banner
      isLine
      kind={problem ? "error" : "info"}
      action={
        <>
          {accept}
          {onNever && (
            <Button size="small" variant="quiet" isDisabled={isRunning} onPress={onNever}>
              {isNarrow ? "Never" : "Don’t ask again"}
            </Button>
          )}
          {isNarrow ? (
            <IconButton
              label="Not now"
              icon={<CloseIcon size={18} />}
              isDisabled={isRunning}
              onPress={onDecline}
            />
          ) : (
            <Button size="small" variant="quiet" isDisabled={isRunning} onPress={onDecline}>
              Not now
            </Button>
          )}
        </>
      }
    >
      {problem?.message ?? (isNarrow ? shortText : text)}
    </Banner>
  );
};
