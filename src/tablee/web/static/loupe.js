/**
 * A magnifier for fingers: where the cells of a board are narrower than a finger, what lies under it is shown large above it,
 * with the cell that letting go would touch. It is a second look at the same drawing, and only while it is shown: a browser keeps
 * such a look up to date with every change of the drawing, and draws what moves there without its compositor.
 */
import { make } from "./svg.js";

const WIDE = 132;
const ZOOM = 2;
const FINGER = 44;

export class Loupe {
  /** @param {SVGSVGElement} drawing */
  constructor(drawing) {
    drawing.id ||= "board-drawing";
    this.drawing = drawing;
    this.glass = make("svg", { class: "loupe", width: WIDE, height: WIDE, "aria-hidden": "true" });
    this.glass.append(make("use", {}));
    this.glass.style.display = "none";
    document.body.append(this.glass);
  }

  /** @param {number} pitch the least way between two cells, in units of the drawing @param {number} scale pixels a unit @returns {boolean} */
  static needed(pitch, scale) {
    return pitch * scale < FINGER;
  }

  /** @param {PointerEvent} event @param {DOMMatrix} matrix from the drawing to the screen */
  show(event, matrix) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const units = WIDE / matrix.a / ZOOM;
    const view = this.drawing.viewBox.baseVal;
    this.glass.setAttribute("viewBox", `${x - units / 2} ${y - units / 2} ${units} ${units}`);
    const use = this.glass.firstElementChild;
    use.setAttribute("href", `#${this.drawing.id}`);
    use.setAttribute("width", String(view.width));
    use.setAttribute("height", String(view.height));
    const left = Math.min(Math.max(event.clientX - WIDE / 2, 4), window.innerWidth - WIDE - 4);
    const above = event.clientY - WIDE - 36;
    const top = above > 0 ? above : event.clientY + 48;
    this.glass.style.transform = `translate(${left}px, ${top}px)`;
    this.glass.style.display = "block";
  }

  hide() {
    this.glass.firstElementChild?.removeAttribute("href");
    this.glass.style.display = "none";
  }
}
