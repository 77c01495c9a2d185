import { useMemo, useState } from "react";
import { categories } from "../../../../core/insights/classification/category.ts";
import type { LastMail } from "../../../../core/lastMails/lastMailEndpoints.ts";
import { statisticsOf } from "../../../../core/masks/mask.ts";
import { receivedThisMonth } from "../../../../core/masks/maskStatistics.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { FileButton, useFileReader } from "../../../ui/files.tsx";
import { Select } from "../../../ui/form/Select.tsx";
import { TextArea } from "../../../ui/form/TextArea.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { LastMailChoice, LastMailsSwitch } from "../../lastMails/LastMails.tsx";
import { describeDecision, Explanation, SenderChecks } from "./Explanation.tsx";
import styles from "./TestPanel.module.css";
import type { TriedMail } from "./tryMail.ts";
import { requirementsOf, type TestPanelProps, useClassification, useTestResult } from "./useTestResult.ts";

/** Bytes of the longest mail that the relay accepts; what a file has beyond is not read. */
const maxMailBytes = 25 * 1024 * 1024;
/** Characters of a file that the field shows. */
const maxShownCharacters = 200_000;

/** Header names of which every mail has at least one (RFC 5322, 3.6). */
const headerNames = new Set(
  "from to cc subject date sender reply-to message-id received return-path".split(" "),
);

const hasHeader = ({ headers }: TriedMail["message"]): boolean =>
  headers.some(({ name, value }) => headerNames.has(name) && value !== "");

const asClassified = "classified";
const noCategory = "none";

const toCategory = (choice: string): string | null | undefined => {
  if (choice === asClassified) return undefined;
  return choice === noCategory ? null : choice;
};

/** The mail of the panel: what the field shows, and the bytes that are tested. */
interface TestedMail {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The last mail that it is; of a large one the bytes are only the beginning. */
  readonly last?: LastMail;
}

const noMail: TestedMail = { text: "", bytes: new Uint8Array() };

const typedMail = (text: string): TestedMail => ({
  text,
  bytes: new TextEncoder().encode(text.trim() === "" ? "" : text),
});

const shownMail = (bytes: Uint8Array): TestedMail => ({
  text: new TextDecoder().decode(bytes.subarray(0, 4 * maxShownCharacters)).slice(0, maxShownCharacters),
  bytes,
});

const readMail = async (file: File): Promise<TestedMail> => {
  const bytes = new Uint8Array(await file.slice(0, maxMailBytes).arrayBuffer());
  return shownMail(bytes);
};

const CategoryChoice = (props: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { isOn, externalModel } = useClassification(true);
  return (
    <Select
      {...props}
      label="Category of the email"
      options={[
        { value: asClassified, label: "As the classifier says" },
        { value: noCategory, label: "None" },
        ...categories.map((one) => ({ value: one as string, label: one as string })),
      ]}
      description={
        !isOn
          ? "Mail is not classified for you, so it has no category. Settings can change that."
          : externalModel === undefined
            ? undefined
            : `Your mail is classified by ${externalModel}, which is not asked here: the built-in classifier answers.`
      }
    />
  );
};

/** The month's count of the mask, or the number typed instead; selecting another mask resets it. */
const useMonthCount = (maskId: string) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [typed, setTyped] = useState<{ readonly maskId: string; readonly text: string } | null>(null);
  const mask = all.find(({ id }) => id === maskId);
  const text = typed?.maskId === maskId ? typed.text : null;
  return {
    shown: text ?? String(mask ? receivedThisMonth(statisticsOf(mask), Date.now()) : 0),
    chosen: text === null ? undefined : Number(text) || 0,
    type: (next: string) => setTyped({ maskId, text: next }),
  };
};

/** Tests a mail on rules and explains the result; nothing is sent. */
export const TestPanel = ({
  withSettings = false,
  ...props
}: TestPanelProps & {
  /** True if the panel offers to keep the last mails. */
  readonly withSettings?: boolean;
}) => {
  const { rules, maskId } = props;
  const { sources } = useMemo(() => requirementsOf(rules), [rules]);
  const [mail, setMail] = useState(noMail);
  const [category, setCategory] = useState(asClassified);
  const count = useMonthCount(maskId);
  const result = useTestResult(props, mail.bytes, {
    category: toCategory(category),
    receivedThisMonth: count.chosen,
    size: mail.last?.size,
  });
  const file = useFileReader(readMail, setMail);

  return (
    <div className={styles.panel}>
      <div className={styles.input}>
        <TextArea
          label="Mail"
          rows={10}
          isMonospace
          value={mail.text}
          onChange={(typed) => {
            file.reset();
            setMail(typedMail(typed));
          }}
          onFile={file.readFile}
          placeholder={"From: Shop <news@shop.example>\nSubject: Sale\n\nEverything must go."}
          description="Paste an email with its header, or drop an .eml file here. It stays on this device."
        />
        <FileButton
          label="Choose an .eml file"
          accept=".eml,message/rfc822,text/plain"
          size="small"
          onFile={file.readFile}
          error={file.error}
        />
        <LastMailChoice
          maskId={maskId}
          chosen={mail.last?.id ?? null}
          onChoose={(last, bytes) => {
            file.reset();
            setMail({ ...shownMail(bytes), last });
          }}
        />
        {withSettings && <LastMailsSwitch />}
        {sources.has("classifier") && <CategoryChoice value={category} onChange={setCategory} />}
        {sources.has("proof") && (
          <p className={styles.saw}>
            SPF, DKIM and DMARC are checked when an email arrives. Here its first Authentication-Results
            header counts.
          </p>
        )}
        {sources.has("month") && (
          <TextField
            label="Emails this month so far"
            type="number"
            inputMode="numeric"
            value={count.shown}
            onChange={count.type}
          />
        )}
      </div>
      <div className={styles.result} aria-live="polite">
        {result === null && <p className={styles.saw}>What would happen appears here.</p>}
        {result !== null && "failed" in result && (
          <Banner kind="error">This email cannot be read. Paste it whole, with its header lines.</Banner>
        )}
        {result !== null && "decision" in result && (
          <>
            <div className={styles.decision}>
              {describeDecision(result.decision).map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
              <SenderChecks headers={result.message.headers} />
            </div>
            {!hasHeader(result.message) && (
              <Banner kind="warning">
                No header was found in this text, so conditions on the subject or the sender see nothing.
                Begin with lines such as “Subject: Sale”, then an empty line, then the text.
              </Banner>
            )}
            <Explanation explanation={result.explanation} />
          </>
        )}
      </div>
    </div>
  );
};
