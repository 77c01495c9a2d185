import type { AppPassword, SubmissionServer } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import { createAppPasswords } from "../../../core/appPasswords/appPasswords.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";

const dialogs = createChunk(
  () => import("./AppPasswordDialogs.tsx"),
  (module) => module.AppPasswordDialogs,
);

interface PasswordRowProps {
  readonly password: AppPassword;
  readonly onRevoke: () => void;
}

const PasswordRow = ({ password, onRevoke }: PasswordRowProps) => {
  const { name, created, lastUsed } = password;
  const used =
    lastUsed === null ? "Not used yet" : `Last used: ${relativeTime(Date.parse(lastUsed), Date.now())}`;
  return (
    <ItemRow
      title={name}
      text={
        <>
          {used} · Created {shortDate(created)}
        </>
      }
    >
      <Button size="small" onPress={onRevoke} aria-label={`Revoke: ${name}`}>
        Revoke
      </Button>
    </ItemRow>
  );
};

/** True if a mail program can connect at all. */
const takesMail = ({ tlsPort, startTlsPort }: SubmissionServer): boolean =>
  tlsPort !== null || startTlsPort !== null;

/** The values to enter in a mail program; says so when the server takes no mail from them. */
const ServerFacts = ({ server }: { readonly server: SubmissionServer }) => {
  const { host, tlsPort, startTlsPort } = server;
  const ports = [
    ...(tlsPort === null ? [] : [`port ${tlsPort} with TLS`]),
    ...(startTlsPort === null ? [] : [`port ${startTlsPort} with STARTTLS`]),
  ];
  return (
    <p className={styles.text}>
      {!takesMail(server)
        ? "This server does not accept mail from mail programs, because it has no certificate. Its operator can set one up."
        : `Outgoing server (SMTP): ${host}, ${ports.join(" or ")}. User name: your account's address or the mask. Password: an app password. Use a mask as the sender.`}
    </p>
  );
};

/** The passwords of mail programs that send from masks. */
export const AppPasswordsCard = () => {
  const appPasswords = useFeature(createAppPasswords);
  return (
    <ItemsCard
      text="Send from your masks with any mail program. Each program gets a password of its own, which can do nothing else."
      refresh={appPasswords.refresh}
      list={useObservable(appPasswords.view$)}
      loadingLabel="Loading your app passwords"
      dialogs={dialogs}
      dialogProps={{ appPasswords }}
    >
      {({ passwords, server }, open) => (
        <>
          <ServerFacts server={server} />
          {passwords.length > 0 && (
            <ItemList label="App passwords">
              {passwords.map((password) => (
                <PasswordRow
                  key={password.id}
                  password={password}
                  onRevoke={() => open({ kind: "revoke", password })}
                />
              ))}
            </ItemList>
          )}
          {takesMail(server) && (
            <ButtonRow>
              <Button onPress={() => open({ kind: "create" })}>Create app password</Button>
            </ButtonRow>
          )}
        </>
      )}
    </ItemsCard>
  );
};
