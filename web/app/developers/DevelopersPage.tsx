import { useCallback, useEffect, useState } from "react";
import { type CallGroup, readApiDescription, searchCalls } from "../../../core/api/apiDescription.ts";
import { addressText } from "../../navigation/address.ts";
import { atServer } from "../../navigation/baseAddress.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { usePageHeading } from "../../navigation/usePageHeading.ts";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { PageHead } from "../../ui/layout/layout.tsx";
import { CallList } from "./CallList.tsx";
import { CallView } from "./CallView.tsx";
import { loadDescription } from "./sendRequest.ts";

const notLoaded = "The description of the API could not be loaded. Check your connection and try again.";

/** Loads the description once, and again after a failure. */
const useDescription = () => {
  const [groups, setGroups] = useState<readonly CallGroup[] | null>(null);
  const [isLoading, setLoading] = useState(true);
  const load = useCallback(async (): Promise<void> => {
    setLoading(true);
    const answer = await loadDescription();
    setGroups(answer && answer.status === 200 ? readApiDescription(answer.body) : null);
    setLoading(false);
  }, []);
  useEffect(() => void load(), [load]);
  return { groups, isLoading, load: () => void load() };
};

type Shown = "tokens" | "all";

interface OverviewProps extends Pick<PageProps, "backTo" | "onLeave"> {
  readonly groups: readonly CallGroup[] | null;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
  readonly isUnknown: boolean;
}

const Overview = ({ groups, isLoading, onRetry, isUnknown, backTo, onLeave }: OverviewProps) => {
  const heading = usePageHeading(0);
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<Shown>("tokens");
  const found = groups && searchCalls(groups, search, shown === "tokens");
  const count = found?.reduce((total, { calls }) => total + calls.length, 0) ?? 0;
  return (
    <>
      <BackLink href={backTo} onFollow={onLeave} />
      <PageHead title="Developers" titleRef={heading} />
      <div className={stack.stack}>
        <p>
          What programs can do with your masks. Create a token in{" "}
          <a href={addressText(["settings", "programs"])}>Settings › Programs</a>, choose what it may do, and
          send it as “Authorization: Bearer bauta_…”. The same in OpenAPI 3.1:{" "}
          <a href={atServer("/openapi.json")}>openapi.json</a>.
        </p>
        {isUnknown && <p role="status">There is no call of that name. It may have been replaced.</p>}
        <SearchField label="Search calls" placeholder="Search calls" value={search} onChange={setSearch} />
        <ChipGroup<Shown>
          label="Which calls"
          chips={[
            { value: "tokens", label: "For programs" },
            { value: "all", label: "All, with those of the app" },
          ]}
          value={shown}
          onChange={setShown}
        />
        <RetryBanner
          problem={groups === null && !isLoading ? { message: notLoaded } : null}
          onRetry={onRetry}
          isRetrying={isLoading}
        />
        {groups === null && isLoading && (
          <SkeletonRegion label="Loading the description of the API">
            <Skeleton height="card" shape="block" />
          </SkeletonRegion>
        )}
        {found && (
          <>
            <p role="status">{count === 1 ? "1 call" : `${count} calls`}</p>
            <CallList
              groups={found}
              onClear={() => {
                setSearch("");
                setShown("all");
              }}
            />
          </>
        )}
      </div>
    </>
  );
};

/** The API for programmers: all calls, and a form that tries one. */
export const DevelopersPage = ({ params, onShow, backTo, onLeave }: PageProps) => {
  const { groups, isLoading, load } = useDescription();
  const [token, setToken] = useState("");
  const wanted = params["call"];
  const call = groups?.flatMap(({ calls }) => calls).find(({ anchor }) => anchor === wanted);
  return call ? (
    <CallView
      key={call.anchor}
      call={call}
      token={token}
      onToken={setToken}
      backTo={addressText(["developers"])}
      onLeave={() => onShow({})}
    />
  ) : (
    <Overview
      groups={groups}
      isLoading={isLoading}
      onRetry={load}
      isUnknown={groups !== null && wanted !== undefined}
      backTo={backTo}
      onLeave={onLeave}
    />
  );
};
