import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { useNavigate } from "../../navigation/navigation.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";

/** Links from figures to the screens with their details. */
export interface InsightsLinks {
  /** Returns the name of a mask; null for a deleted mask. */
  readonly maskName: (maskId: string) => string | null;
  /** Returns a callback that opens the card of a mask; undefined for a deleted mask. */
  readonly mask: (maskId: string) => (() => void) | undefined;
  readonly rulesOf: (maskId: string) => (() => void) | undefined;
  readonly activeMasks: () => void;
  /** Opens the archived mail. */
  readonly archive: () => void;
  readonly plan: () => void;
  readonly contentAccess: () => void;
}

export const useInsightsLinks = (): InsightsLinks => {
  const { masks } = useSignedIn();
  const { rules } = useFeature(createRulesAndSync);
  const navigate = useNavigate();
  const { all } = useObservable(masks.view$);
  const findMask = (maskId: string): Mask | undefined => all.find(({ id }) => id === maskId);
  const linkTo = (maskId: string, open: (mask: Mask) => void): (() => void) | undefined => {
    const mask = findMask(maskId);
    return mask && (() => open(mask));
  };
  return {
    maskName: (maskId) => {
      const mask = findMask(maskId);
      return mask ? maskName(mask) : null;
    },
    mask: (maskId) =>
      linkTo(maskId, (mask) => {
        masks.filter("all");
        masks.search(mask.maskEmail);
        navigate({ tab: "masks" });
      }),
    rulesOf: (maskId) =>
      linkTo(maskId, ({ id }) => {
        rules.select(id);
        navigate({ tab: "rules" });
      }),
    activeMasks: () => {
      masks.search("");
      masks.filter("active");
      navigate({ tab: "masks" });
    },
    archive: () => navigate({ tab: "rules", section: "archive" }),
    plan: () => navigate({ tab: "account", section: "plan" }),
    contentAccess: () => navigate({ tab: "settings", section: "content-access" }),
  };
};
