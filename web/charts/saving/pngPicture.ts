import type { ChartPicture, Shape } from "./chartPicture.ts";
import { hatched, hatchLine, hatchTile, hatchWidth, type Paper, weights } from "./paper.ts";

/** Pixels of the file for each pixel of the picture. */
const scale = 2;

const hatchOf = (brush: CanvasRenderingContext2D, paper: Paper): CanvasPattern | string => {
  const tile = new OffscreenCanvas(hatchTile, hatchTile);
  const pen = tile.getContext("2d");
  if (pen === null) return paper.series[hatched];
  pen.fillStyle = paper.series[hatched];
  pen.fillRect(0, 0, hatchTile, hatchTile);
  pen.strokeStyle = paper.ground;
  pen.globalAlpha = 0.6;
  pen.lineWidth = hatchWidth;
  pen.stroke(new Path2D(hatchLine));
  return brush.createPattern(tile, "repeat") ?? paper.series[hatched];
};

const paint = (brush: CanvasRenderingContext2D, shape: Shape, paper: Paper): void => {
  switch (shape.kind) {
    case "area":
      brush.save();
      brush.translate(...shape.at);
      brush.fillStyle = shape.series === hatched ? hatchOf(brush, paper) : paper.series[shape.series];
      brush.fill(new Path2D(shape.d));
      brush.restore();
      return;
    case "line":
      brush.strokeStyle = paper.line;
      brush.beginPath();
      brush.moveTo(...shape.from);
      brush.lineTo(...shape.to);
      brush.stroke();
      return;
    case "text":
      brush.fillStyle = paper.text;
      brush.font = `${weights[shape.weight]} ${shape.size}px ${paper.font}`;
      brush.textAlign = shape.anchor === "middle" ? "center" : shape.anchor;
      brush.fillText(shape.text, ...shape.at);
  }
};

/** Paints a picture into a PNG file. Nothing is loaded for it, so that it works under a strict Content-Security-Policy. */
export const pngPicture = async (
  { width, height, shapes }: ChartPicture,
  paper: Paper,
): Promise<Uint8Array<ArrayBuffer>> => {
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const brush = canvas.getContext("2d");
  if (brush === null) throw new Error("The browser gives no canvas");
  brush.scale(scale, scale);
  brush.fillStyle = paper.ground;
  brush.fillRect(0, 0, width, height);
  for (const shape of shapes) paint(brush, shape, paper);
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, "image/png");
  });
  if (blob === null) throw new Error("The browser makes no PNG file");
  return new Uint8Array(await blob.arrayBuffer());
};
