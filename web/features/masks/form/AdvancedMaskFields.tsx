import { fieldMessage } from "../../../react/useAction.ts";
import { FieldGroup } from "../../../ui/form/FieldGroup.tsx";
import { DomainFields } from "../../domains/DomainFields.tsx";
import { ExpiryFields } from "./ExpiryFields.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { MadeForField } from "./MadeForField.tsx";
import {
  AcceptUnprovenField,
  ActionLinksField,
  DestinationFields,
  KeptInAppField,
  type MaskPartProps,
  SenderShownField,
  UnsubscribeField,
  WhenOffFields,
} from "./maskParts.tsx";
import { problemIn } from "./problemIn.ts";
import { SenderFields } from "./SenderFields.tsx";

const ownFields = [
  "format",
  "domain",
  "localPart",
  "madeFor",
  "alsoTo",
  "destinations",
  "keptInApp",
  "expiry",
  "senders",
  "senderShown",
  "actionLinks",
  "unsubscribe",
  "whenOff",
  "notifyWhenOff",
];

/** The settings of a new mask that few masks need, closed until they are asked for. */
export const AdvancedMaskFields = (props: MaskPartProps) => {
  const { values, problem } = props;
  return (
    <FieldGroup
      title="More settings"
      isOpenAtFirst={[
        values.senders,
        values.alsoTo,
        values.format,
        values.domain,
        values.madeFor,
        values.expiry,
      ].some((value) => value !== undefined)}
      problem={problemIn(problem, ownFields)}
    >
      <DomainFields {...props} />
      {values.localPart === undefined && (
        <FormatFields
          label="Its address"
          format={values.format}
          onChange={(format) => props.change({ format })}
          hasAccountChoice
          error={fieldMessage(problem, "format")}
        />
      )}
      <MadeForField {...props} />
      <DestinationFields {...props} />
      <KeptInAppField {...props} />
      <ExpiryFields {...props} current={null} />
      <SenderFields {...props} />
      <AcceptUnprovenField {...props} />
      <SenderShownField {...props} />
      <ActionLinksField {...props} />
      <UnsubscribeField {...props} />
      <WhenOffFields {...props} />
    </FieldGroup>
  );
};
