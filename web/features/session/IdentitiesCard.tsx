import { createIdentities } from "../../../core/session/identities.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";

const disconnectDialog = createChunk(
  () => import("./DisconnectDialog.tsx"),
  (module) => module.DisconnectDialog,
);

interface ConnectedCardProps {
  readonly provider: { readonly name: string; readonly only: boolean };
}

const ConnectedCard = ({ provider }: ConnectedCardProps) => {
  const identities = useFeature(createIdentities);
  return (
    <ItemsCard
      text={provider.only ? "What you log in with." : "What you log in with besides codes by email."}
      refresh={identities.refresh}
      list={useObservable(identities.list$)}
      loadingLabel="Loading what you log in with"
      dialogs={disconnectDialog}
      dialogProps={{ identities }}
    >
      {(list, open) =>
        list.length === 0 ? (
          <p>
            Not connected yet. Log out, then continue with {provider.name}: if it knows your address, a code
            sent there connects it.
          </p>
        ) : (
          <ItemList>
            {list.map((identity) => (
              <ItemRow
                key={identity.id}
                title={identity.provider}
                text={`${identity.email === "" ? "" : `${identity.email} · `}Last used: ${relativeTime(Date.parse(identity.lastUsedAt), Date.now())} · Connected ${shortDate(identity.connectedAt)}`}
              >
                <Button
                  size="small"
                  onPress={() => open(identity)}
                  aria-label={`Disconnect ${identity.provider} ${identity.email}`.trim()}
                >
                  Disconnect
                </Button>
              </ItemRow>
            ))}
          </ItemList>
        )
      }
    </ItemsCard>
  );
};

/** The identities that the user logs in with, where the server has a provider. */
export const IdentitiesCard = () => {
  const provider = useApp().configuration.singleSignOn;
  return provider && <ConnectedCard provider={provider} />;
};
