import type { Mask } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { nameOf } from "../masks/maskDialog.ts";
import { useGo } from "../places/useGo.ts";

/** The ways from a figure to what it counts. */
export interface Places {
  /** What a mask is called; null for one that is gone. */
  readonly maskName: (maskId: string) => string | null;
  /** To its card; undefined for one that is gone. */
  readonly mask: (maskId: string) => (() => void) | undefined;
  readonly rulesOf: (maskId: string) => (() => void) | undefined;
  readonly activeMasks: () => void;
  /** To the mail that rules have archived. */
  readonly archive: () => void;
  readonly plan: () => void;
  readonly contentAccess: () => void;
}

export const usePlaces = (): Places => {
  const app = useApp();
  const go = useGo();
  const { all } = useObservable(app.masks.view$);
  const rules = useObservable(app.rules.state$);
  const find = (maskId: string): Mask | undefined => all.find(({ id }) => id === maskId);
  const known = (maskId: string, lead: (mask: Mask) => void): (() => void) | undefined => {
    const mask = find(maskId);
    return mask && (() => lead(mask));
  };
  return {
    maskName: (maskId) => {
      const mask = find(maskId);
      return mask ? nameOf(mask) : null;
    },
    mask: (maskId) =>
      known(maskId, (mask) => {
        app.masks.filter("all");
        app.masks.search(mask.maskEmail);
        go({ tab: "masks" });
      }),
    rulesOf: (maskId) =>
      known(maskId, ({ id }) => {
        if (rules.kind === "here") rules.part.rules.select(id);
        go({ tab: "rules" });
      }),
    activeMasks: () => {
      app.masks.search("");
      app.masks.filter("active");
      go({ tab: "masks" });
    },
    archive: () => go({ tab: "rules", section: "archive" }),
    plan: () => go({ tab: "account", section: "plan" }),
    contentAccess: () => go({ tab: "settings", section: "content-access" }),
  };
};
