import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { addressText } from "../../navigation/address.ts";
import { goTo } from "../../navigation/goTo.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";

/** The target of a figure's link, and the function that shows it without a new page. */
interface InsightsLink {
  readonly href: string;
  readonly onFollow: () => void;
}

/** Links from figures to the screens with their details. */
export interface InsightsLinks {
  /** Returns the name of a mask; null for a deleted mask. */
  readonly maskName: (maskId: string) => string | null;
  /** Leads to the card of a mask; undefined for a deleted mask. */
  readonly mask: (maskId: string) => InsightsLink | undefined;
  readonly rulesOf: (maskId: string) => InsightsLink | undefined;
  readonly activeMasks: InsightsLink;
}

export const useInsightsLinks = (): InsightsLinks => {
  const { masks } = useSignedIn();
  const { rules } = useFeature(createRulesAndSync);
  const { all } = useObservable(masks.view$);
  const findMask = (maskId: string): Mask | undefined => all.find(({ id }) => id === maskId);
  return {
    maskName: (maskId) => {
      const mask = findMask(maskId);
      return mask ? maskName(mask) : null;
    },
    mask: (maskId) => {
      const mask = findMask(maskId);
      return (
        mask && {
          href: addressText(["masks"], { search: mask.maskEmail }),
          onFollow: () => {
            masks.filter("all");
            masks.search(mask.maskEmail);
            goTo(addressText(["masks"]), "content");
          },
        }
      );
    },
    rulesOf: (maskId) =>
      findMask(maskId) && {
        href: addressText(["rules", maskId]),
        onFollow: () => {
          rules.select(maskId);
          goTo(addressText(["rules"]), "content");
        },
      },
    activeMasks: {
      href: addressText(["masks"], { filter: "active" }),
      onFollow: () => {
        masks.search("");
        masks.filter("active");
        goTo(addressText(["masks"]), "content");
      },
    },
  };
};
