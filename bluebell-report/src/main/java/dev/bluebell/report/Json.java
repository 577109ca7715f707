package dev.bluebell.report;

/** A builder of JSON that is safe inside an element of a page, for any strings. */
final class Json {
  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  Json begin(char bracket) {
    separate();
    text.append(bracket);
    first = true;
    return this;
  }

  Json end(char bracket) {
    text.append(bracket);
    first = false;
    return this;
  }

  /** Begins a member of an object. */
  Json name(String name) {
    value(name);
    text.append(':');
    first = true;
    return this;
  }

  Json value(long number) {
    separate();
    text.append(number);
    return this;
  }

  Json value(String string) {
    separate();
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      // In a page, "</script" ends a script, and other tags have a meaning inside scripts, too.
      boolean isPlain = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '&';
      text.append(isPlain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    text.append('"');
    return this;
  }

  private void separate() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
