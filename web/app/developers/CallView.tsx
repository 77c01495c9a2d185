import type { DescribedCall } from "../../../core/api/apiDescription.ts";
import { usePageHeading } from "../../navigation/usePageHeading.ts";
import { Badge } from "../../ui/Badge.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow, PageHead } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { accessText } from "./accessText.ts";
import { Code } from "./Code.tsx";
import { TryCall } from "./TryCall.tsx";

interface FieldsProps {
  readonly label: string;
  readonly fields: readonly string[];
}

const Fields = ({ label, fields }: FieldsProps) =>
  fields.length === 0 ? null : <Code label={label} text={fields.join("\n")} />;

const Marks = ({ call }: { readonly call: DescribedCall }) => (
  <ButtonRow>
    <Badge kind={call.access === "none" ? "neutral" : "accent"}>{accessText(call.access)}</Badge>
    {!call.isStable && <Badge>May change with the app</Badge>}
    {call.isDeprecated && (
      <Badge kind="warning" hasDot>
        Deprecated
      </Badge>
    )}
  </ButtonRow>
);

interface CallViewProps {
  readonly call: DescribedCall;
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly backTo: string;
  readonly onLeave: () => void;
}

/** One call: what it is sent, what it answers, and a form that tries it. */
export const CallView = ({ call, token, onToken, backTo, onLeave }: CallViewProps) => {
  const heading = usePageHeading(0);
  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      <PageHead title={`${call.method} ${call.path}`} titleRef={heading}>
        <Marks call={call} />
      </PageHead>
      <div className={stack.stack}>
        <p>{call.description}</p>
        {(call.inputs.length > 0 || call.body !== null) && (
          <SectionCard id="call-request" title="Request">
            {call.inputs.length > 0 && (
              <ItemList label="Parameters">
                {call.inputs.map(({ name, place, isRequired, description }) => (
                  <ItemRow
                    key={name}
                    title={
                      <>
                        {name}
                        <Badge>in the {place}</Badge>
                        {isRequired && <Badge kind="accent">required</Badge>}
                      </>
                    }
                    text={description}
                  />
                ))}
              </ItemList>
            )}
            {call.body !== null && <Code label="Example of the body" text={call.body} />}
            <Fields label="Fields of the body" fields={call.bodyFields} />
          </SectionCard>
        )}
        <SectionCard id="call-answer" title="Answer">
          <Code label="Example of the answer" text={call.answer} />
          <Fields label="Fields of the answer" fields={call.answerFields} />
        </SectionCard>
        <SectionCard id="call-errors" title="Errors">
          <ItemList label="Errors">
            {call.errors.map(({ status, text }) => (
              <ItemRow key={status} title={status} text={text} />
            ))}
          </ItemList>
        </SectionCard>
        <TryCall key={call.anchor} call={call} token={token} onToken={onToken} />
      </div>
    </>
  );
};
