import { TextArea } from "../../ui/form/TextArea.tsx";

/** The most lines that are shown at once; the others are scrolled to. */
const maxLines = 18;

/** About how many characters fit into a line of a narrow screen; wider ones have room to spare. */
const columns = 64;

const linesOf = (text: string): number =>
  text.split("\n").reduce((total, line) => total + Math.max(1, Math.ceil(line.length / columns)), 0);

interface CodeProps {
  readonly label: string;
  readonly text: string;
}

/** Text of a program, to select and to scroll through by keyboard. */
export const Code = ({ label, text }: CodeProps) => (
  <TextArea
    label={label}
    isMonospace
    isReadOnly
    rows={Math.min(maxLines, linesOf(text))}
    value={text}
    onChange={() => {}}
  />
);
