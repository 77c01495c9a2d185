import { ButtonLink } from "../ButtonLink.tsx";
import { ChevronLeftIcon } from "../icons/ChevronLeftIcon.tsx";
import { ButtonRow } from "./layout.tsx";

interface BackLinkProps {
  readonly href: string;
  /** Goes there on a plain press, in place of the browser. */
  readonly onFollow: () => void;
}

/** Leads from a page without a tab back to where the user came from. */
export const BackLink = ({ href, onFollow }: BackLinkProps) => (
  <ButtonRow startsQuiet>
    <ButtonLink
      variant="quiet"
      size="small"
      icon={<ChevronLeftIcon size={18} />}
      href={href}
      onFollow={onFollow}
    >
      Back
    </ButtonLink>
  </ButtonRow>
);
