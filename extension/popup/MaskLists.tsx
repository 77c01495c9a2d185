import { useEffect, useState } from "react";
import { hasScope } from "../../core/api/apiScope.ts";
import type { TokenApp } from "../../core/app/tokenApp.ts";
import { listMadeFor } from "../../core/masks/madeFor.ts";
import type { Mask } from "../../core/masks/mask.ts";
import { searchMasks } from "../../core/masks/maskSearch.ts";
import { useAction } from "../../web/react/useAction.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { Button } from "../../web/ui/Button.tsx";
import { Banner } from "../../web/ui/feedback/Banner.tsx";
import { SearchField } from "../../web/ui/form/SearchField.tsx";
import { ItemList } from "../../web/ui/layout/ItemList.tsx";
import type { Connection } from "../connection/connection.ts";
import type { ExtensionApi } from "../extensionApi.ts";
import { MaskItem } from "./MaskItem.tsx";
import type { OpenedPage } from "./openedPage.ts";
import styles from "./Popup.module.css";
import { type ConnectedApp, draftFor, type HeldCount } from "./popupCommands.ts";
import { SiteAccess } from "./SiteAccess.tsx";

interface MaskListsProps {
  readonly app: ConnectedApp;
  readonly connection: Connection;
  readonly api: ExtensionApi;
  readonly page: OpenedPage | null;
}

/** The most masks of other sites that are shown; a search finds the others, of which it shows more. */
const maxOthers = 5;
const maxFound = 30;

const heldText = ({ count, isMore }: HeldCount): string =>
  count === 1 && !isMore ? "1 held email" : `${count}${isMore ? " or more" : ""} held emails`;

/** The number of held mails, which leads to them; nothing without any. */
const HeldLink = ({ app, connection }: Pick<MaskListsProps, "app" | "connection">) => {
  const [held, setHeld] = useState<HeldCount | null>(null);
  const count = useAction(app.commands.countHeld, { onSuccess: setHeld });
  useEffect(() => count.run(), [count.run]);
  if (held === null || held.count === 0) return null;
  return (
    <a href={`${connection.server}/#held`} target="_blank" rel="noreferrer">
      {heldText(held)}
    </a>
  );
};

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** What is shown without a network, and what waits for one. */
const OfflineNotes = ({ masks, waitingMasks }: TokenApp) => {
  const { warning } = useObservable(masks.view$);
  const made = useObservable(waitingMasks.list$).length;
  const changed = useObservable(waitingMasks.changes$).length;
  const waiting = [
    ...(made > 0 ? [counted(made, "new mask")] : []),
    ...(changed > 0 ? [counted(changed, "changed mask")] : []),
  ].join(" and ");
  return (
    <>
      {warning !== null && (
        <Banner kind="warning" isLine>
          {warning}
        </Banner>
      )}
      {waiting !== "" && <Banner isLine>Waiting for a connection: {waiting}.</Banner>}
    </>
  );
};

interface MasksProps {
  readonly app: ConnectedApp;
  readonly label: string;
  readonly masks: readonly Mask[];
  readonly connection: Connection;
  readonly isOfSite?: boolean;
}

const Masks = ({ app, label, masks, connection, isOfSite = false }: MasksProps) => (
  <ItemList label={label}>
    {masks.map((mask) => (
      <MaskItem key={mask.id} app={app} mask={mask} isOfSite={isOfSite} scopes={connection.scopes} />
    ))}
  </ItemList>
);

interface SiteMasksProps extends MaskListsProps {
  readonly ofSite: readonly Mask[];
}

/** The masks of this site, and the button that creates one. */
const SiteMasks = ({ app, api, connection, page, ofSite }: SiteMasksProps) => {
  const create = useAction(app.waitingMasks.create);
  const site = page?.site ?? null;
  const isFirst = ofSite.length === 0;
  return (
    <>
      {site !== null &&
        (isFirst ? (
          <p>No mask for this site yet.</p>
        ) : (
          <Masks app={app} label={`Masks for ${site}`} masks={ofSite} connection={connection} isOfSite />
        ))}
      <div>
        <Button
          variant={isFirst ? "primary" : "secondary"}
          size={isFirst ? "medium" : "small"}
          onPress={() => create.run(draftFor(site), { kind: "random" })}
          isPending={create.isRunning}
          pendingLabel="Creating…"
          autoFocus={isFirst}
        >
          {site === null ? "Create mask" : isFirst ? `Create mask for ${site}` : "Create another mask"}
        </Button>
      </div>
      {page !== null && <SiteAccess api={api} page={page} />}
    </>
  );
};

interface OtherMasksProps extends Pick<MaskListsProps, "app" | "connection"> {
  readonly others: readonly Mask[];
}

const OtherMasks = ({ app, connection, others }: OtherMasksProps) => {
  const [search, setSearch] = useState("");
  const found = searchMasks(others, search);
  const shown = found.slice(0, search === "" ? maxOthers : maxFound);
  return (
    <section className={styles.part} aria-label="Other masks">
      <SearchField
        label="Search your other masks"
        placeholder="Search your other masks"
        value={search}
        onChange={setSearch}
      />
      {shown.length > 0 ? (
        <Masks app={app} label="Other masks" masks={shown} connection={connection} />
      ) : (
        <p>No matching masks.</p>
      )}
    </section>
  );
};

/** The masks of this site, and the others below. */
export const MaskLists = (props: MaskListsProps) => {
  const { app, connection, page } = props;
  const { all, status } = useObservable(app.masks.view$);
  const ofSite = page === null ? [] : listMadeFor(all, page.site);
  const others = all.filter((mask) => !ofSite.includes(mask));
  return (
    <>
      <OfflineNotes {...app} />
      <section className={styles.part} aria-labelledby="site">
        <h1 id="site" className={styles.site}>
          {page?.site ?? "Your masks"}
        </h1>
        {(status !== "loading" || all.length > 0) && <SiteMasks {...props} ofSite={ofSite} />}
      </section>
      {others.length > 0 && <OtherMasks app={app} connection={connection} others={others} />}
      <footer className={styles.foot}>
        <a href={`${connection.server}/#masks`} target="_blank" rel="noreferrer">
          All masks
        </a>
        {hasScope(connection.scopes, "log:read") && <HeldLink app={app} connection={connection} />}
      </footer>
    </>
  );
};
