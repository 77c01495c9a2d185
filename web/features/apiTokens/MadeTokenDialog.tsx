import { toAddySpelling } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { ApiTokens, MadeApiToken } from "../../../core/apiTokens/apiTokens.ts";
import { canOnlyMakeMasks } from "../../../core/apiTokens/scopePresets.ts";
import { useAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { CopyableText } from "../../ui/CopyableText.tsx";
import lists from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { SecretDialog } from "../../ui/overlay/SecretDialog.tsx";

interface MadeTokenDialogProps {
  readonly apiTokens: ApiTokens;
  readonly made: MadeApiToken;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a new token, which cannot be read again, and where programs ask for it. */
export const MadeTokenDialog = ({ apiTokens, made, isOpen, onClose }: MadeTokenDialogProps) => {
  const copy = useAction(apiTokens.copy);
  const copied = useObservable(apiTokens.copied$);
  const { apiToken, token } = made;
  const { origin } = window.location;
  // Password managers take a token as it is; only what manages masks can be a program of addy.io itself.
  const addySpelling = canOnlyMakeMasks(apiToken.scopes) ? null : toAddySpelling(token);
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Your API token"
      noun="token"
      secret={token}
      onCopy={() => copy.run(token)}
      isCopied={copied === token}
      isOtherSpellingCopied={addySpelling !== null && copied === addySpelling}
      intro={`Enter it in ${apiToken.name} now. It is shown only once.`}
    >
      <section aria-labelledby="fill-in" className={lists.words}>
        <h3 id="fill-in">What else programs ask for</h3>
        <ItemList label="What else programs ask for">
          <ItemRow
            title="Server address"
            text="Also called “self-host server URL” or “instance”."
            details={
              <CopyableText
                text={origin}
                onCopy={() => copy.run(origin)}
                isCopied={copied === origin}
                oneLine="roomy"
              />
            }
          />
          <ItemRow
            title="Service"
            text="Where one has to be chosen, as in Bitwarden: addy.io or SimpleLogin. This server answers as both do."
          />
          <ItemRow
            title="API key"
            text="The token. Scripts send it as “Authorization: Bearer” and the token."
          />
          {addySpelling !== null && (
            <ItemRow
              title="API key in addy.io’s extension and apps"
              text="The same token in the form that these programs accept."
              details={
                <CopyableText
                  text={addySpelling}
                  onCopy={() => copy.run(addySpelling)}
                  isCopied={copied === addySpelling}
                />
              }
            />
          )}
        </ItemList>
      </section>
    </SecretDialog>
  );
};
