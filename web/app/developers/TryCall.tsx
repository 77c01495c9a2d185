import { type FormEvent, useId, useState } from "react";
import { curlOf, type DescribedCall, requestOf } from "../../../core/api/apiDescription.ts";
import { atServer } from "../../navigation/baseAddress.ts";
import { useApp } from "../../react/useApp.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyableText.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { ButtonRow, FieldColumns } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Code } from "./Code.tsx";
import { type ShownAnswer, sendRequest } from "./sendRequest.ts";

/** The time for which a copy button says that it has copied. */
const copiedMs = 2_000;

const Answer = ({ answer }: { readonly answer: ShownAnswer }) => (
  <div className={stack.stack} role="status" aria-label="Answer">
    <ButtonRow>
      <Badge kind={answer.status < 400 ? "success" : "danger"} hasDot>
        {answer.status} {answer.statusText}
      </Badge>
      <span>{answer.ms} ms</span>
    </ButtonRow>
    <Code label="Body of the answer" text={answer.body} />
    <Code label="Headers of the answer" text={answer.headers} />
  </div>
);

interface CurlCardProps {
  readonly curl: string;
  readonly needsToken: boolean;
}

const CurlCard = ({ curl, needsToken }: CurlCardProps) => {
  const { page, toasts } = useApp();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const { _tag } = await page.copy(curl)();
    if (_tag === "Left")
      return toasts.show("error", "The browser does not allow copying. Select the text instead.");
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  };

  return (
    <SectionCard id={useId()} title="With curl" text={needsToken && "Put your token into BAUTA_TOKEN first."}>
      <Code label="Command" text={curl} />
      <ButtonRow>
        <CopyButton label="Copy command" size="small" onCopy={() => void copy()} isCopied={isCopied} />
      </ButtonRow>
    </SectionCard>
  );
};

interface CallInputsProps {
  readonly call: DescribedCall;
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
  readonly body: string | null;
  readonly onBody: (body: string) => void;
}

const CallInputs = ({ call, values, onValues, body, onBody }: CallInputsProps) => (
  <>
    {call.inputs.length > 0 && (
      <FieldColumns>
        {call.inputs.map(({ name, isRequired, example }) => (
          <TextField
            key={name}
            label={name}
            isRequired={isRequired}
            isMonospace
            placeholder={example}
            value={values[name] ?? ""}
            onChange={(value) => onValues({ ...values, [name]: value })}
          />
        ))}
      </FieldColumns>
    )}
    {body !== null && (
      <TextArea label="Body" isMonospace rows={body.split("\n").length} value={body} onChange={onBody} />
    )}
  </>
);

interface TryCallProps {
  readonly call: DescribedCall;
  readonly token: string;
  readonly onToken: (token: string) => void;
}

/** A form that sends a call with a token, and what comes back. The token stays in memory. */
export const TryCall = ({ call, token, onToken }: TryCallProps) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(call.body);
  const [answer, setAnswer] = useState<ShownAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const needsToken = call.access !== "open";
  const request = requestOf(
    call,
    new URL(atServer("/"), location.href).href.slice(0, -1),
    values,
    body,
    token.trim(),
  );

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    const missing = call.inputs.find(({ name, isRequired }) => isRequired && (values[name] ?? "") === "");
    if (needsToken && token.trim() === "") return setProblem("Paste an API token first.");
    if (missing) return setProblem(`Fill in ${missing.name} first.`);
    setProblem(null);
    setSending(true);
    const got = await sendRequest(request);
    setSending(false);
    setAnswer(got);
    if (got === null) setProblem("No answer. Check your connection and try again.");
  };

  return (
    <>
      <CurlCard curl={curlOf(request)} needsToken={needsToken} />
      <SectionCard
        id={useId()}
        title="Try it"
        text="The call is carried out on this server, in your account. The token stays in this page's memory until you leave it; cookies are not sent."
      >
        {call.access === "none" ? (
          <Banner>API tokens cannot make this call. Only the app can, for whoever is logged in.</Banner>
        ) : (
          <form className={stack.stack} onSubmit={(event) => void send(event)} noValidate>
            {needsToken && (
              <TextField
                label="API token"
                type="password"
                autoComplete="off"
                isMonospace
                placeholder="bauta_…"
                value={token}
                onChange={onToken}
              />
            )}
            <CallInputs call={call} values={values} onValues={setValues} body={body} onBody={setBody} />
            {problem !== null && <Banner kind="error">{problem}</Banner>}
            <ButtonRow>
              <Button variant="primary" type="submit" isPending={isSending}>
                Send
              </Button>
            </ButtonRow>
            {answer && <Answer answer={answer} />}
          </form>
        )}
      </SectionCard>
    </>
  );
};
