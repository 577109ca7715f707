package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.paste.Dump;
import dev.bluebell.cli.paste.Unread;
import java.util.HexFormat;
import java.util.List;

/**
 * A dump that neither the log, nor an option, nor its bytes identify.
 *
 * @param line where it begins
 * @param form how the text shows it
 * @param bytes empty when the text could not be read as bytes
 * @param reason why they were not decoded, and what to do
 */
record UnknownDump(int line, String form, byte[] bytes, String reason) implements Entry {

  static UnknownDump of(Dump dump, String reason) {
    return new UnknownDump(dump.line(), dump.form(), dump.bytes(), reason);
  }

  static UnknownDump of(Unread unread) {
    return new UnknownDump(unread.line(), "a dump", new byte[0], unread.reason());
  }

  @Override
  public String text() {
    return "";
  }

  @Override
  public List<String> remarks() {
    return List.of(sentence());
  }

  /** The reason with the number of the line. */
  String sentence() {
    return "line %d: %s".formatted(line, reason);
  }

  @Override
  public ObjectNode json() {
    return Entry.head("UNKNOWN", line, form)
        .put("bytes", bytes.length)
        .put("hex", HexFormat.of().formatHex(bytes))
        .put("reason", reason);
  }
}
