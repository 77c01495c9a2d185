import { useEffect, useMemo, useState } from "react";
import { categories } from "../../core/insights/classification/category.ts";
import { statisticsOf } from "../../core/masks/mask.ts";
import { getRequirements, prepareRules } from "../../core/rules/engine/evaluate.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { useApp, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { FileButton, useFileReader } from "../ui/files.tsx";
import { Select } from "../ui/Select.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { TextField } from "../ui/TextField.tsx";
import { describeDecision, Explanation } from "./Explanation.tsx";
import styles from "./TestPanel.module.css";
import { type TriedMail, tryMail } from "./tryMail.ts";

interface TestPanelProps {
  readonly maskId: string;
  readonly rules: readonly Rule[];
}

/** Milliseconds from the last keystroke to the test. */
const debounceMs = 200;
/** Characters; the rest is cut, because rules mostly look at the beginning of a mail. */
const maxMailCharacters = 2_000_000;

/** Header names of which every mail has at least one (RFC 5322, 3.6). */
const headerNames = new Set(
  "from to cc subject date sender reply-to message-id received return-path".split(" "),
);

const hasHeader = ({ headers }: TriedMail["message"]): boolean =>
  headers.some(({ name, value }) => headerNames.has(name) && value !== "");

const noCategory = "none";

type Result = TriedMail | { readonly failed: true } | null;

const useTestResult = (
  { maskId, rules }: TestPanelProps,
  mail: string,
  category: string | null,
  receivedThisMonth: number,
): Result => {
  const { configuration, session } = useApp();
  const { masks, account, patterns } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const details = useObservable(account.account$);
  const state = useObservable(session.state$);
  const [result, setResult] = useState<Result>(null);
  const mask = all.find(({ id }) => id === maskId);
  const ownEmail = details?.email ?? (state.kind === "signed-in" ? state.user.email : "");

  useEffect(() => {
    if (!mask || mail.trim() === "") {
      setResult(null);
      return;
    }
    let isCurrent = true;
    const statistics = statisticsOf(mask);
    const confirmed = all.flatMap(({ destinationStatus, forwardTo }) =>
      destinationStatus === "awaiting-confirmation" ? [] : [forwardTo],
    );
    const facts = {
      mask: {
        maskEmail: mask.maskEmail,
        forwardTo: mask.forwardTo,
        lastMailAt: statistics.lastUsed ? Date.parse(statistics.lastUsed) : null,
        receivedThisMonth,
        received: statistics.totalReceived,
        forwarded: statistics.totalForwarded,
      },
      account: { confirmed: [ownEmail, ...confirmed], ownDomains: [configuration.maskDomain] },
      category,
      now: Date.now(),
    };
    const run = async (): Promise<void> => {
      const needed = getRequirements(rules);
      const compile = needed.patterns ? await patterns().catch(() => undefined) : undefined;
      const outcome = await tryMail(
        prepareRules(rules, compile),
        mail.slice(0, maxMailCharacters),
        facts,
      ).catch((): Result => ({ failed: true }));
      if (isCurrent) setResult(outcome);
    };
    const wait = setTimeout(() => void run(), debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(wait);
    };
  }, [all, mask, mail, rules, category, receivedThisMonth, ownEmail, configuration.maskDomain, patterns]);
  return result;
};

/** Tests a mail on rules and explains the result; nothing is sent. */
export const TestPanel = (props: TestPanelProps) => {
  const { rules } = props;
  const { sources } = useMemo(() => getRequirements(rules), [rules]);
  const [mail, setMail] = useState("");
  const [category, setCategory] = useState<string>(noCategory);
  const [count, setCount] = useState("0");
  const result = useTestResult(props, mail, category === noCategory ? null : category, Number(count) || 0);
  const file = useFileReader((chosen) => chosen.slice(0, maxMailCharacters).text(), setMail);

  return (
    <div className={styles.panel}>
      <div className={styles.input}>
        <TextArea
          label="Mail"
          rows={10}
          isMonospace
          value={mail}
          onChange={(typed) => {
            file.reset();
            setMail(typed);
          }}
          onFile={file.readFile}
          placeholder={"From: Shop <news@shop.example>\nSubject: Sale\n\nEverything must go."}
          description="Paste a mail with its header, or drop an .eml file here. It stays in your browser."
        />
        <FileButton
          label="Choose an .eml file"
          accept=".eml,message/rfc822,text/plain"
          size="small"
          onFile={file.readFile}
          error={file.error}
        />
        {sources.has("classifier") && (
          <Select
            label="Category the mail would get"
            value={category}
            onChange={setCategory}
            options={[
              { value: noCategory, label: "None" },
              ...categories.map((one) => ({ value: one as string, label: one as string })),
            ]}
          />
        )}
        {sources.has("month") && (
          <TextField
            label="Mails this month so far"
            type="number"
            inputMode="numeric"
            value={count}
            onChange={setCount}
          />
        )}
      </div>
      <div className={styles.result} aria-live="polite">
        {result === null && <p className={styles.saw}>What would happen appears here.</p>}
        {result !== null && "failed" in result && (
          <Banner kind="error">This mail cannot be read. Paste it whole, with its header lines.</Banner>
        )}
        {result !== null && "decision" in result && (
          <>
            <div className={styles.decision}>
              {describeDecision(result.decision).map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
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
