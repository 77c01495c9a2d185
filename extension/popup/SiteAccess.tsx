import { useEffect, useState } from "react";
import { Button } from "../../web/ui/Button.tsx";
import type { ExtensionApi } from "../extensionApi.ts";
import { patternsOfSite } from "../sites.ts";
import type { OpenedPage } from "./openedPage.ts";

interface SiteAccessProps {
  readonly api: ExtensionApi;
  readonly page: OpenedPage;
}

/** Gives the extension access to the site, where it has none: from then on the button stands in its fields. */
export const SiteAccess = ({ api, page: { site, tabId } }: SiteAccessProps) => {
  const [isAllowed, setAllowed] = useState(true);
  const origins = patternsOfSite(site);
  useEffect(() => {
    void api.permissions.contains({ origins: patternsOfSite(site) }).then(setAllowed);
  }, [api, site]);
  const allow = async (): Promise<void> => {
    if (!(await api.permissions.request({ origins }))) return;
    setAllowed(true);
    await api.scripting.executeScript({ target: { tabId, allFrames: true }, files: ["content.js"] });
  };
  if (isAllowed) return null;
  return (
    <div>
      <Button size="small" onPress={() => void allow()}>
        Show the button in fields of this site
      </Button>
    </div>
  );
};
