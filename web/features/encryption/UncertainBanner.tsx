import type { Encryption } from "../../../core/encryption/encryption.ts";
import { setUpUncertain } from "../../../core/encryption/encryptionMessages.ts";
import { useAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";

/** Warns that it is unknown whether the server has saved the key, with a button that asks it again. */
export const UncertainBanner = ({ encryption }: { readonly encryption: Encryption }) => {
  const check = useAction(encryption.refresh);
  return (
    <Banner
      kind="warning"
      action={
        <Button size="small" onPress={() => check.run()} isPending={check.isRunning}>
          Check status
        </Button>
      }
    >
      {setUpUncertain}
    </Banner>
  );
};
