import { useEffect } from "react";
import { createIdentities, type Identities } from "../../../core/session/identities.ts";
import type { Identity } from "../../../core/session/identityEndpoints.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

const disconnectDialog = createChunk(
  () => import("./DisconnectDialog.tsx"),
  (module) => module.DisconnectDialog,
);

const IdentityList = ({ identities }: { readonly identities: Identities }) => {
  const list = useObservable(identities.list$);
  const { run: refresh, isRunning, problem } = useFormAction(identities.refresh);
  const { opened, isOpen, open, close } = useOpening<Identity>();
  const provider = useApp().configuration.singleSignOn;
  useEffect(() => refresh(), [refresh]);
  useEffect(disconnectDialog.prefetch, []);
  return (
    <>
      <RetryBanner problem={problem} onRetry={() => refresh()} isRetrying={isRunning} />
      {list === null && !problem && (
        <SkeletonRegion label="Loading what you log in with" className={styles.list}>
          <div className={styles.row}>
            <div>
              <Skeleton width="16ch" />
              <Skeleton width="24ch" />
            </div>
          </div>
        </SkeletonRegion>
      )}
      {list?.length === 0 && provider && (
        <p>
          Not connected yet. Log out, then continue with {provider.name}: if it knows your address, a code
          sent there connects it.
        </p>
      )}
      {list !== null && list.length > 0 && (
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
      )}
      {opened && (
        <Lazy chunk={disconnectDialog} skeleton={null}>
          {(DisconnectDialog) => (
            <DisconnectDialog
              key={opened.key}
              identities={identities}
              identity={opened.target}
              isOpen={isOpen}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </>
  );
};

const ConnectedCard = ({ only }: { readonly only: boolean }) => (
  <SectionCard
    id="identities"
    title="Single sign-on"
    level={3}
    text={only ? "What you log in with." : "What you log in with besides codes by email."}
  >
    <IdentityList identities={useFeature(createIdentities)} />
  </SectionCard>
);

/** The identities that the user logs in with, where the server has a provider. */
export const IdentitiesCard = () => {
  const provider = useApp().configuration.singleSignOn;
  return provider && <ConnectedCard only={provider.only} />;
};
