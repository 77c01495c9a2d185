import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";

/** Says that the list is from before, or could not be had, with the way to ask again (MA9). */
export const MasksWarning = () => {
  const { masks } = useApp();
  const { status, warning } = useObservable(masks.view$);
  const refresh = useAction(masks.refresh);
  if (warning === null) return null;
  return (
    <Banner
      kind={status === "failed" ? "error" : "warning"}
      action={
        <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
          {status === "failed" ? "Try Again" : "Refresh"}
        </Button>
      }
    >
      {warning}
    </Banner>
  );
};
