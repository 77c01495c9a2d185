import { useEffect, useState } from "react";
import { Button } from "../../web/ui/Button.tsx";
import { ItemList, ItemRow } from "../../web/ui/layout/ItemList.tsx";
import type { ExtensionApi, SitePermissions } from "../extensionApi.ts";
import { sitePatterns } from "../manifest.ts";
import { sitesOfPatterns } from "../sites.ts";
import styles from "./Options.module.css";

interface SitesProps {
  readonly permissions: ExtensionApi["permissions"];
  readonly initial: SitePermissions;
}

/** The sites on which the extension shows its button, which the user gives and takes back. */
export const Sites = ({ permissions, initial }: SitesProps) => {
  const [patterns, setPatterns] = useState(initial.origins ?? []);
  useEffect(() => {
    const read = (): void => {
      void permissions.getAll().then(({ origins = [] }) => setPatterns(origins));
    };
    permissions.onAdded.addListener(read);
    permissions.onRemoved.addListener(read);
    return () => {
      permissions.onAdded.removeListener(read);
      permissions.onRemoved.removeListener(read);
    };
  }, [permissions]);
  const sites = sitesOfPatterns(patterns);
  const remove = (origins: readonly string[]): void => void permissions.remove({ origins });
  return (
    <div className={styles.form}>
      <p>
        On a site that you allow, a small button stands in fields for an email address. On every other site
        the extension does nothing until you use its menu, its shortcut or its window.
      </p>
      {sites === "all" ? (
        <p>The button stands on all sites.</p>
      ) : sites.length === 0 ? (
        <p>The button stands on no site yet.</p>
      ) : (
        <ItemList label="Sites with the button">
          {sites.map((site) => (
            <ItemRow key={site} title={site} text="">
              <Button
                size="small"
                aria-label={`Remove ${site}`}
                onPress={() => remove(patterns.filter((pattern) => sitesOfPatterns([pattern])[0] === site))}
              >
                Remove
              </Button>
            </ItemRow>
          ))}
        </ItemList>
      )}
      <div>
        {sites === "all" ? (
          <Button onPress={() => remove(patterns)}>Remove from all sites</Button>
        ) : (
          <Button onPress={() => void permissions.request({ origins: sitePatterns })}>
            Allow on all sites
          </Button>
        )}
      </div>
    </div>
  );
};
