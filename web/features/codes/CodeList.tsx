import { codeSource, createCodes, type ShownCode } from "../../../core/codes/codes.ts";
import { refusalProblem } from "../../../core/encryption/encryptionMessages.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { CopyableText } from "../../ui/CopyableText.tsx";
import styles from "../../ui/layout/ListCard.module.css";

interface CodeListProps {
  readonly mask: Mask;
  /** True where there is room for the newest code alone. */
  readonly isBrief?: true | undefined;
}

interface CodeProps {
  readonly code: ShownCode;
  readonly isCopied: boolean;
  readonly onCopy: () => void;
}

/** Returns the host that a browser opens for a link, in A-labels, which its reader sees before; null for what opens no page. */
const hostOf = (link: string): string | null =>
  /^https?:/i.test(link) && URL.canParse(link) ? new URL(link).host : null;

const CodeText = ({ code, isCopied, onCopy }: CodeProps) =>
  code.content?.code !== undefined && (
    <CopyableText
      text={code.content.code}
      label="Copy the code"
      size="small"
      onCopy={onCopy}
      isCopied={isCopied}
    />
  );

const Code = (props: CodeProps) => {
  const { code } = props;
  const { content } = code;
  if (content === null)
    return `A code has arrived. ${refusalProblem(code.unopened?.refusal ?? "no-such-key").message}`;
  const host = content.link === undefined ? null : hostOf(content.link);
  return (
    <>
      <CodeText {...props} />
      <span>{codeSource(code)}</span>
      {host !== null && (
        <a href={content.link} target="_blank" rel="noreferrer noopener" title={content.link}>
          Confirmation link to {host}
        </a>
      )}
    </>
  );
};

/** The codes and confirmation links of a mask, each to copy or open, until they expire; nothing without any. */
export const CodeList = ({ mask, isBrief }: CodeListProps) => {
  const codes = useFeature(createCodes);
  const copied = useObservable(codes.copied$);
  const shown = useObservable(codes.codes$).filter(({ maskId }) => maskId === mask.id);
  const copy = useAction(codes.copy);
  const propsOf = (code: ShownCode): CodeProps => ({
    code,
    isCopied: copied === code.id,
    onCopy: () => copy.run(code),
  });
  const newest = shown.find(({ content }) => content?.code !== undefined);
  if (isBrief) return newest && <CodeText {...propsOf(newest)} />;
  if (shown.length === 0) return null;
  return (
    <ul className={styles.codes} aria-label={`Codes of ${maskName(mask)}`}>
      {shown.map((code) => (
        <li key={code.id} className={styles.details}>
          <Code {...propsOf(code)} />
        </li>
      ))}
    </ul>
  );
};
