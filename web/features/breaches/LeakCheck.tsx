import { useState } from "react";
import { createBreachCheck, sentHashDigits } from "../../../core/breaches/breachCheck.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Panel } from "../../ui/layout/Panel.tsx";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";

/** The result for a mask: how often its address was found. */
interface Found {
  readonly name: string;
  readonly times: number;
}

const Result = ({ name, times }: Found) =>
  times === 0 ? (
    <Banner kind="success">{name} is in no known leak.</Banner>
  ) : (
    <Banner kind="warning">
      {name} is in known leaks: {times === 1 ? "once" : `${times} times`}. Unwanted mail may come from there.
      Switch the mask off, or give the site another mask.
    </Banner>
  );

/** Looks for the address of a mask among known leaked ones; null where the operator names no source. */
export const LeakCheck = ({ maskId }: { readonly maskId: string | null }) => {
  const { configuration } = useApp();
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const breaches = useFeature(createBreachCheck);
  const [chosen, choose] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const mask = all.find(({ id }) => id === (chosen ?? maskId)) ?? all[0];
  const check = useAction(breaches.check, {
    onSuccess: (times) => setFound({ name: mask ? maskName(mask) : "", times }),
  });
  if (configuration.flags?.breachCheck !== true || !mask) return null;
  return (
    <Panel
      title="Known leaks"
      hint={`Looks for the address of a mask in a list of leaked addresses. The list sees ${sentHashDigits} of 40 digits of a hash, never the address.`}
    >
      <MaskSelect
        masks={all}
        value={mask.id}
        onChange={(id) => {
          choose(id);
          setFound(null);
        }}
      />
      <ButtonRow>
        <Button
          size="small"
          onPress={() => check.run(mask.id)}
          isPending={check.isRunning}
          pendingLabel="Looking…"
        >
          Look for leaks
        </Button>
      </ButtonRow>
      <ProblemBanner problem={check.problem} />
      {found && <Result {...found} />}
    </Panel>
  );
};
