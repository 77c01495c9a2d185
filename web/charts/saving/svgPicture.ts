import type { ChartPicture, Shape } from "./chartPicture.ts";
import { hatched, hatchLine, hatchTile, hatchWidth, type Paper, weights } from "./paper.ts";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML 1.0 has no way to write. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (value: string): string =>
  value.replace(unwritable, "").replace(/[&<>"']/g, (one) => escapes[one] ?? "");

const shapeText = (shape: Shape, paper: Paper): string => {
  switch (shape.kind) {
    case "area": {
      const fill = shape.series === hatched ? "url(#hatched)" : escaped(paper.series[shape.series]);
      return `<path transform="translate(${shape.at.join(" ")})" d="${shape.d}" fill="${fill}"/>`;
    }
    case "line": {
      const [x1, y1] = shape.from;
      const [x2, y2] = shape.to;
      return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${escaped(paper.line)}"/>`;
    }
    case "text": {
      const [x, y] = shape.at;
      const weight = weights[shape.weight];
      return `<text x="${x}" y="${y}" font-size="${shape.size}" font-weight="${weight}" text-anchor="${shape.anchor}">${escaped(shape.text)}</text>`;
    }
  }
};

/** Writes a picture as an SVG file, which names its fonts and contains none. */
export const svgPicture = ({ title, width, height, shapes }: ChartPicture, paper: Paper): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(paper.font)}" fill="${escaped(paper.text)}">
<title>${escaped(title)}</title>
<defs><pattern id="hatched" width="${hatchTile}" height="${hatchTile}" patternUnits="userSpaceOnUse"><rect width="${hatchTile}" height="${hatchTile}" fill="${escaped(paper.series[hatched])}"/><path d="${hatchLine}" stroke="${escaped(paper.ground)}" stroke-width="${hatchWidth}" stroke-opacity="0.6"/></pattern></defs>
<rect width="${width}" height="${height}" fill="${escaped(paper.ground)}"/>
${shapes.map((shape) => shapeText(shape, paper)).join("\n")}
</svg>
`;
