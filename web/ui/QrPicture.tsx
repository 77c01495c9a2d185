import { classes } from "./classes.ts";
import styles from "./QrPicture.module.css";

export interface QrPictureProps {
  /** The text alternative for screen readers. */
  readonly label: string;
  /** Number of modules on each side. */
  readonly size: number;
  readonly isDark: (row: number, column: number) => boolean;
  /** Edge length in CSS pixels, including the quiet zone. */
  readonly pixels: number;
}

/** Number of modules that must stay empty on each side (ISO/IEC 18004, 9.1). */
const quietZone = 4;

const pathOf = ({ size, isDark }: Pick<QrPictureProps, "size" | "isDark">): string => {
  let path = "";
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      if (isDark(row, column)) path += `M${column + quietZone} ${row + quietZone}h1v1h-1z`;
  return path;
};

/** A QR code as SVG, dark on light in both themes because not every camera reads inverted codes. */
export const QrPicture = ({ label, size, isDark, pixels }: QrPictureProps) => {
  const side = size + 2 * quietZone;
  return (
    <svg
      className={classes(styles.picture)}
      role="img"
      aria-label={label}
      width={pixels}
      height={pixels}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect className={styles.light} width={side} height={side} />
      <path className={styles.dark} d={pathOf({ size, isDark })} />
    </svg>
  );
};
