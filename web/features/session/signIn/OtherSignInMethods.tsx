import type { ReactNode } from "react";
import type { SignOnProvider } from "../../../../core/session/signIn/singleSignOn.ts";
import { PasskeyButton } from "../../passkeys/PasskeyButton.tsx";
import { SingleSignOn } from "./SingleSignOn.tsx";

interface OtherWaysProps {
  readonly provider: SignOnProvider | undefined;
  /** The text for what the page was opened with; shown where the provider is the only way. */
  readonly arrival: ReactNode;
}

/** The ways to log in without a code: a passkey, and the identity provider. */
export const OtherWays = ({ provider, arrival }: OtherWaysProps) => (
  <>
    {!provider?.only && <PasskeyButton />}
    {provider && <SingleSignOn provider={provider} arrival={arrival} />}
  </>
);
