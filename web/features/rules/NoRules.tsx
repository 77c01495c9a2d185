import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";

interface NoRulesProps {
  readonly title: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

/** Stands where there are no rules, and begins the first one. */
export const NoRules = ({ title, onAdd, children }: NoRulesProps) => (
  <EmptyState
    title={title}
    illustration={<RulesIcon size={32} />}
    action={
      <Button variant="primary" onPress={onAdd}>
        Add First Rule
      </Button>
    }
  >
    {children}
  </EmptyState>
);
