"""A drawing on a page of a PDF: SVG placed at its true size, its gradients where a browser shows them.

The library maps a gradient to the page without the transforms around its shape, and so shrinks it to a dot. Here each gradient is
given the transform from its shape to the page before the drawing is written.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fpdf import FPDF

PAINTS = ("fill_color", "stroke_color")


def draw_svg(pdf: "FPDF", svg: str, x: float, y: float, wide: float, tall: float) -> None:
    """Draw SVG on the current page, its upper left corner at a place, in millimetres."""
    from fpdf.drawing_primitives import Transform
    from fpdf.svg import SVGObject

    _, _, drawing = SVGObject(svg).transform_to_rect_viewport(scale=1, width=wide, height=tall, ignore_svg_top_attrs=True)
    around = Transform.translation(x, y)
    drawing.transform = drawing.transform @ around if drawing.transform else around
    place_gradients(drawing, Transform.identity())
    pdf.draw_path(drawing)


def place_gradients(node: Any, around: Any) -> None:
    """Give each gradient of a drawing the transform to the page; `around` is the transform of the elements around the node."""
    from fpdf.drawing import GradientPaint, GraphicsContext, PaintedPath
    from fpdf.enums import GradientUnits

    context = node.get_graphics_context() if isinstance(node, PaintedPath) else node
    way = context.transform @ around if context.transform is not None else around
    for name in PAINTS:
        paint = getattr(context.style, name)
        if isinstance(paint, GradientPaint) and paint.has_alpha():
            setattr(context.style, name, None)  # a sheen: the library cannot place it
        elif isinstance(paint, GradientPaint):
            relative = paint.units == GradientUnits.OBJECT_BOUNDING_BOX
            matrix = paint.gradient_transform @ (outline(context) @ way if relative else way)
            placed = GradientPaint(paint.gradient, GradientUnits.USER_SPACE_ON_USE, matrix, spread_method=paint.spread_method)
            setattr(context.style, name, placed)
    for item in context.path_items:
        if isinstance(item, GraphicsContext | PaintedPath):
            place_gradients(item, way)


def outline(context: Any) -> Any:
    """Return the transform from the unit square to the box around a shape, in the shape's own units."""
    from fpdf.drawing_primitives import Point, Transform

    kept, context.transform = context.transform, None
    box, _ = context.bounding_box(Point(0, 0), style=context.style, expand_for_stroke=False)
    context.transform = kept
    return Transform(box.width, 0, 0, box.height, box.x0, box.y0)
