import type { BrowserContext, Page } from "playwright-core";

/** Draws the texts of the rows near the screen anew whenever a scroll brings another group of them. */
const drawRows = ({ rows, columns }: { readonly rows: number; readonly columns: number }): void => {
  const rowPx = 32;
  const group = 4;
  const spare = 12;
  const list = document.createElement("div");
  list.style.cssText = `position: relative; height: ${rows * rowPx}px; font: 13px sans-serif`;
  document.body.append(list);
  let from = -1;
  const draw = (): void => {
    const next = Math.max(0, Math.floor(window.scrollY / rowPx / group) * group - spare);
    if (next === from) return;
    from = next;
    const drawn = Math.ceil(window.innerHeight / rowPx) + group + 2 * spare;
    const part = document.createElement("div");
    part.style.cssText = `position: absolute; inset: ${from * rowPx}px 0 auto`;
    for (let row = from; row < from + drawn; row += 1) {
      const line = document.createElement("div");
      line.dataset["row"] = String(row);
      line.style.cssText = `display: flex; height: ${rowPx}px`;
      for (let column = 0; column < columns; column += 1) {
        const cell = document.createElement("span");
        cell.style.flex = "1";
        cell.textContent = `Shop ${row} ${column}`;
        line.append(cell);
      }
      part.append(line);
    }
    list.replaceChildren(part);
  };
  window.addEventListener("scroll", draw, { passive: true });
  draw();
};

/** Opens a page that has as many rows of plain texts, drawn the simplest way: what scrolling costs the browser at least. */
export const openBareRows = async (context: BrowserContext, rows: number): Promise<Page> => {
  const page = await context.newPage();
  await page.evaluate(drawRows, { rows, columns: 9 });
  return page;
};
