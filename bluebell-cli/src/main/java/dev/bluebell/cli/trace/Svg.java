package dev.bluebell.cli.trace;

import java.util.Locale;

/** The elements of an SVG picture, in drawing order. */
public final class Svg {
  private static final String FONT =
      "-apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, sans-serif";

  private final StringBuilder elements = new StringBuilder();

  /** Appends an element; the format is that of {@link String#format}, with points in numbers. */
  public Svg add(String format, Object... values) {
    elements.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  /** Appends text, with its special characters escaped. */
  public Svg text(double x, double y, String attributes, String text) {
    return add("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, escaped(text));
  }

  /** Appends the elements of another picture. */
  Svg append(Svg other) {
    elements.append(other.elements);
    return this;
  }

  /** Text with its special characters escaped, for use between tags. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The whole picture. */
  public String document(double width, double height, String title) {
    return new Svg()
            .add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
                    + " height=\"%.0f\" font-family=\"%s\" role=\"img\">",
                width, height, width, height, FONT)
            .add("<title>%s</title>", escaped(title))
            .elements
        + elements.toString()
        + "</svg>\n";
  }
}
