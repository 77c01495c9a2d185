import type { ReactNode } from "react";
import type { SignOnProvider } from "../../../../core/session/signIn/singleSignOn.ts";
import { atServer } from "../../../navigation/baseAddress.ts";
import { ButtonLink } from "../../../ui/ButtonLink.tsx";
import { PasskeyButton } from "../../passkeys/PasskeyButton.tsx";
import styles from "./SignInForm.module.css";

interface SingleSignOnProps {
  readonly provider: SignOnProvider;
  /** The text for what the page was opened with; shown where there is no other way. */
  readonly arrival: ReactNode;
}

/** Leads to the identity provider: a plain link, because the server does the rest. */
const SingleSignOn = ({ provider: { name, only }, arrival }: SingleSignOnProps) => {
  const link = (
    <ButtonLink
      href={atServer("/login/oidc")}
      size="large"
      isFullWidth
      variant={only ? "primary" : "secondary"}
    >
      {`Continue with ${name}`}
    </ButtonLink>
  );
  if (!only) return link;
  return (
    <div className={styles.form}>
      {arrival}
      <p className={styles.intro}>You log in here with your account at {name}, not with codes by email.</p>
      {link}
    </div>
  );
};

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
