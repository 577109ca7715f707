package dev.bluebell.report;

import java.util.Locale;

/** A builder for the elements of a page. */
final class Html {
  private final StringBuilder elements = new StringBuilder();

  /** Escapes text for use between tags, and in attributes between double quotes. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\n', '\t' -> escaped.append(c);
        default -> escaped.append(Character.isISOControl(c) ? '\uFFFD' : c);
      }
    }
    return escaped.toString();
  }

  /**
   * Appends elements.
   *
   * @param format as for {@link String#format}, with points in numbers
   * @param values arguments, of which strings are escaped
   */
  Html add(String format, Object... values) {
    Object[] safe = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      safe[i] = values[i] instanceof String text ? escaped(text) : values[i];
    }
    elements.append(String.format(Locale.ROOT, format, safe)).append('\n');
    return this;
  }

  /** Appends elements that were written elsewhere, unescaped. */
  Html addElements(Object other) {
    elements.append(other).append('\n');
    return this;
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  @Override
  public String toString() {
    return elements.toString();
  }
}
