import { useEffect, useState } from "react";
import type { Destination } from "../../../core/destinations/destinationEndpoints.ts";
import type { OfferedKey } from "../../../core/destinations/destinationKeyEndpoints.ts";
import {
  createDestinationKeys,
  type KeySearchResult,
  type KeysOfDestination,
} from "../../../core/destinations/destinationKeys.ts";
import type { Destinations } from "../../../core/destinations/destinations.ts";
import { longDate } from "../../format/dates.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { FileButton, useFileReader } from "../../ui/files.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { keyFileTypes, readKeyFile } from "../encryption/ImportForm.tsx";
import { KeyDetailsList } from "../encryption/KeyDetailsList.tsx";

/** The change of the keys that is made when the dialog is saved. */
export interface KeyChange {
  /** A key as it was pasted; empty for none. */
  readonly pasted: string;
  /** Fingerprints. */
  readonly removed: readonly string[];
}

export const noKeyChange: KeyChange = { pasted: "", removed: [] };

interface DestinationKeysFieldProps {
  readonly destinations: Destinations;
  readonly destination: Destination;
  readonly change: KeyChange;
  readonly onChange: (change: KeyChange) => void;
  readonly error: string | undefined;
}

const groups = (fingerprint: string): string => fingerprint.match(/.{1,4}/g)?.join(" ") ?? fingerprint;

interface KeyRemovalProps {
  readonly stored: KeysOfDestination["keys"][number];
  readonly change: KeyChange;
  readonly onChange: (change: KeyChange) => void;
}

const KeyRemoval = ({ stored: { fingerprint, expires }, change, onChange }: KeyRemovalProps) => (
  <Checkbox
    label={`Remove key ${groups(fingerprint)}`}
    isChecked={change.removed.includes(fingerprint)}
    onChange={(isRemoved) =>
      onChange({
        ...change,
        removed: isRemoved
          ? [...change.removed, fingerprint]
          : change.removed.filter((one) => one !== fingerprint),
      })
    }
    description={
      expires === null
        ? "Mail there is encrypted to it."
        : `Mail there is encrypted to it until ${longDate(expires)}.`
    }
  />
);

interface KeyOfferProps {
  readonly offer: OfferedKey;
  /** True if the domain of the address publishes it. */
  readonly isPublished: boolean;
  readonly isSaving: boolean;
  readonly onUse: () => void;
}

const KeyOffer = ({ offer, isPublished, isSaving, onUse }: KeyOfferProps) => (
  <Banner>
    <p>
      {isPublished
        ? "The domain of this address publishes this key. Compare its fingerprint with that of your own."
        : "This key came with an email that you wrote from this address."}
    </p>
    <KeyDetailsList details={offer} />
    <ButtonRow>
      <Button size="small" isPending={isSaving} pendingLabel="Saving…" onPress={onUse}>
        Use this key
      </Button>
    </ButtonRow>
  </Banner>
);

/** The keys that mail to one address is encrypted to, and those that are found for it. */
export const DestinationKeysField = ({
  destinations,
  destination: { id, status, keyFingerprint },
  change,
  onChange,
  error,
}: DestinationKeysFieldProps) => {
  const feature = useFeature(createDestinationKeys);
  const [loaded, setLoaded] = useState<KeysOfDestination | null>(null);
  const [searched, setSearched] = useState<KeySearchResult | null>(null);
  const load = useFormAction(feature.load, { onSuccess: setLoaded });
  const search = useFormAction(feature.search, { onSuccess: setSearched });
  const use = useFormAction(destinations.edit, {
    onSuccess: () => {
      setSearched(null);
      load.run(id);
    },
  });
  const { run } = load;
  useEffect(() => run(id), [run, id]);
  const paste = (pasted: string): void => onChange({ ...change, pasted });
  const file = useFileReader(readKeyFile, paste);
  const keys = loaded?.keys ?? [];
  const hasKeys = keyFingerprint !== null || keys.length > 0;
  const found = searched !== null && "found" in searched ? searched.found : null;
  const offers = [found, loaded?.offered ?? null].filter(
    (key, n, all): key is OfferedKey =>
      key !== null && all.findIndex((one) => one?.fingerprint === key.fingerprint) === n,
  );
  return (
    <>
      {keys.map((key) => (
        <KeyRemoval key={key.fingerprint} stored={key} change={change} onChange={onChange} />
      ))}
      {offers.map((offer) => (
        <KeyOffer
          key={offer.fingerprint}
          offer={offer}
          isPublished={offer === found}
          isSaving={use.isRunning}
          onUse={() => use.run(id, { addKeys: [offer.publicKey] })}
        />
      ))}
      {searched !== null && "message" in searched && <Banner>{searched.message}</Banner>}
      <ProblemBanner problem={use.problem ?? search.problem ?? load.problem} />
      <TextArea
        label={hasKeys ? "Another public key" : "Public key"}
        rows={3}
        isMonospace
        value={change.pasted}
        onChange={(text) => {
          file.reset();
          paste(text);
        }}
        onFile={file.readFile}
        placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
        description={
          hasKeys
            ? "Optional: mail there is encrypted to this OpenPGP key too."
            : "Optional: mail there is encrypted to this OpenPGP key instead of that of your account."
        }
        error={error}
      />
      <ButtonRow>
        <FileButton
          label="Choose a key file"
          size="small"
          accept={keyFileTypes}
          onFile={file.readFile}
          error={file.error}
        />
        {status === "confirmed" && (
          <Button
            size="small"
            isPending={search.isRunning}
            pendingLabel="Looking…"
            onPress={() => {
              setSearched(null);
              search.run(id);
            }}
          >
            Look for a key
          </Button>
        )}
      </ButtonRow>
    </>
  );
};
