import type { ApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { createApiTokens } from "../../../core/apiTokens/apiTokens.ts";
import { scopeTexts } from "../../../core/apiTokens/scopeTexts.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { addressText } from "../../navigation/address.ts";
import { PageLink } from "../../navigation/PageLink.tsx";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import type { ApiTokenTarget } from "./ApiTokenDialogs.tsx";
import { tokenEndOf } from "./tokenEnd.ts";

const dialogs = createChunk(
  () => import("./ApiTokenDialogs.tsx"),
  (module) => module.ApiTokenDialogs,
);

const lastUseText = ({ lastUsed, lastNetwork }: ApiToken): string => {
  if (lastUsed === null) return "Not used yet";
  const from = lastNetwork === null ? "" : ` from ${lastNetwork}`;
  return `Last used: ${relativeTime(Date.parse(lastUsed), Date.now())}${from}`;
};

interface TokenRowProps {
  readonly token: ApiToken;
  readonly onOpen: (target: ApiTokenTarget) => void;
}

const TokenRow = ({ token, onOpen }: TokenRowProps) => {
  const { name, scopes, domain, created, expires } = token;
  const end = tokenEndOf(expires, Date.now());
  return (
    <ItemRow
      title={
        <>
          {name}
          {end.mark && (
            <Badge kind={end.mark.kind} hasDot>
              {end.mark.text}
            </Badge>
          )}
        </>
      }
      text={
        <>
          {lastUseText(token)} · Created {shortDate(created)} · {end.text}
          {domain !== null && ` · Only at ${domain}`}
        </>
      }
      details={
        <ButtonRow>
          <VisuallyHidden>It may: </VisuallyHidden>
          {scopes.map((scope) => (
            <Badge key={scope}>{scopeTexts[scope].label}</Badge>
          ))}
        </ButtonRow>
      }
    >
      <ButtonRow>
        <Button size="small" aria-label={`Rename: ${name}`} onPress={() => onOpen({ kind: "rename", token })}>
          Rename
        </Button>
        <Button size="small" aria-label={`Revoke: ${name}`} onPress={() => onOpen({ kind: "revoke", token })}>
          Revoke
        </Button>
      </ButtonRow>
    </ItemRow>
  );
};

interface TokenListProps {
  readonly tokens: readonly ApiToken[];
  readonly onOpen: (target: ApiTokenTarget) => void;
}

const TokenList = ({ tokens, onOpen }: TokenListProps) => {
  const make = (
    <ButtonRow>
      <Button onPress={() => onOpen({ kind: "create" })}>Create API token</Button>
      <Button onPress={() => onOpen({ kind: "connect" })}>Connect this browser</Button>
    </ButtonRow>
  );
  if (tokens.length === 0)
    return (
      <EmptyState title="No API tokens yet" action={make}>
        With a token, a password manager creates a mask for each new login, and browser extensions, apps and
        scripts work with your masks.
      </EmptyState>
    );
  return (
    <>
      <ItemList label="API tokens">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onOpen={onOpen} />
        ))}
      </ItemList>
      {make}
    </>
  );
};

/** The keys of programs that work with the user's masks in their place. */
export const ApiTokensCard = () => {
  const apiTokens = useFeature(createApiTokens);
  return (
    <ItemsCard
      text="Each program gets a token of its own, which can do what you allow it. None can change your address, your keys or how you log in."
      refresh={apiTokens.refresh}
      list={useObservable(apiTokens.view$)}
      loadingLabel="Loading your API tokens"
      dialogs={dialogs}
      dialogProps={{ apiTokens }}
      footer={
        <p>
          For programmers: <PageLink href={addressText(["developers"])}>All calls of the API</PageLink>
        </p>
      }
    >
      {(tokens, open) => <TokenList tokens={tokens} onOpen={open} />}
    </ItemsCard>
  );
};
