import type { Mask } from "../../../core/masks/mask.ts";
import { createChunk } from "../../loading/chunk.ts";
import { useChunk } from "../../loading/Lazy.tsx";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";

const chunk = createChunk(
  () => import("./CodeList.tsx"),
  (module) => module.CodeList,
);

interface MaskCodesProps {
  readonly mask: Mask;
  /** True where there is room for the newest code alone. */
  readonly isBrief?: true | undefined;
}

/** The codes that have just arrived in the mail of a mask, where they are shown; their code is loaded then. */
export const MaskCodes = ({ mask, isBrief }: MaskCodesProps) => {
  const account = useObservable(useSignedIn().account.account$);
  const isShown = account?.settings?.showCodes || mask.settings?.showCodes;
  const { part: CodeList } = useChunk(chunk, isShown === true);
  return isShown && CodeList && <CodeList mask={mask} isBrief={isBrief} />;
};
