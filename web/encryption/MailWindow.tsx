import { useApp } from "../binding/useApp.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { MailReader } from "./MailReader.tsx";

interface MailWindowProps {
  /** A mail as it was kept (RFC 5322). */
  readonly mail: Uint8Array<ArrayBuffer>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Opens one mail with the keys of this device and shows it. */
export const MailWindow = ({ mail, isOpen, onClose }: MailWindowProps) => {
  const { encryption } = useApp();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Archived mail" size="large">
      <WithPart late={encryption} skeleton={<SkeletonRegion label="Opening the mail">{null}</SkeletonRegion>}>
        {(part) => <MailReader encryption={part} mail={mail} />}
      </WithPart>
    </Dialog>
  );
};
