import type { ReactNode } from "react";
import type { SignOnProvider } from "../../../../core/session/signIn/singleSignOn.ts";
import { PasskeyButton } from "../../passkeys/PasskeyButton.tsx";
import { SingleSignOn } from "./SingleSignOn.tsx";

interface OtherSignInMethodsProps {
  readonly provider: SignOnProvider | undefined;
  /** The text for what the page was opened with; shown where the provider is the only way. */
  readonly arrival: ReactNode;
}

/** The methods of logging in without a code: a passkey, and the identity provider. */
export const OtherSignInMethods = ({ provider, arrival }: OtherSignInMethodsProps) => (
  <>
    {!provider?.only && <PasskeyButton />}
    {provider && <SingleSignOn provider={provider} arrival={arrival} />}
  </>
);
