import type { CallGroup } from "../../../core/api/apiDescription.ts";
import { addressText } from "../../navigation/address.ts";
import { PageLink } from "../../navigation/PageLink.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { accessText } from "./accessText.ts";

interface CallListProps {
  readonly groups: readonly CallGroup[];
  readonly onClear: () => void;
}

/** The calls by noun. */
export const CallList = ({ groups, onClear }: CallListProps) =>
  groups.length === 0 ? (
    <EmptyState title="No matching calls" action={<Button onPress={onClear}>Show all calls</Button>}>
      Search for a path, a scope or a word of the description.
    </EmptyState>
  ) : (
    <div className={stack.stack}>
      {groups.map(({ noun, title, text, calls }) => (
        <SectionCard key={noun} id={`calls-${noun}`} title={title} text={text}>
          <ItemList label={title}>
            {calls.map((call) => (
              <ItemRow
                key={call.anchor}
                title={
                  <PageLink
                    href={addressText(["developers"], { call: call.anchor })}
                    id={`call-${call.anchor}`}
                  >
                    {call.method} {call.path}
                  </PageLink>
                }
                text={call.summary}
              >
                <Badge kind={call.access === "none" ? "neutral" : "accent"}>{accessText(call.access)}</Badge>
              </ItemRow>
            ))}
          </ItemList>
        </SectionCard>
      ))}
    </div>
  );
