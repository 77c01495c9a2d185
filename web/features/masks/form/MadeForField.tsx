import { findMadeFor, hostNameIn, siteInText } from "../../../../core/masks/madeFor.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import type { MaskPartProps } from "./maskParts.tsx";

/** The site that a mask is for. An address of the web becomes the name of its host when the field is left. */
export const MadeForField = ({ values, change, problem }: MaskPartProps) => {
  const { madeFor = "" } = values;
  const leave = (): void => {
    const host = hostNameIn(madeFor);
    if (host !== null && host !== madeFor) change({ madeFor: host });
  };
  return (
    <TextField
      label="Made for"
      placeholder="shop.example"
      type="text"
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
      value={madeFor}
      onChange={(text) => change({ madeFor: text })}
      onBlur={leave}
      error={fieldMessage(problem, "madeFor")}
      description="The site where you use the mask. Search finds it by site:"
    />
  );
};

/** Says which mask a site has already, when the description or the site of a new one names it. */
export const SameSiteHint = ({ values }: { readonly values: MaskDraft }) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const site = hostNameIn(values.madeFor ?? "") ?? siteInText(values.description);
  const known = site === null ? undefined : findMadeFor(all, site);
  return known && <Banner>You already have a mask for this site: {known.maskEmail}</Banner>;
};
