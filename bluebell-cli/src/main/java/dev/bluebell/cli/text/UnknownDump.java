package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.paste.Dump;
import java.util.HexFormat;
import java.util.List;

/**
 * A dump that neither the log, nor an option, nor its bytes identify.
 *
 * @param dump the bytes
 * @param reason why they were not decoded, and what to do
 */
record UnknownDump(Dump dump, String reason) implements Entry {

  @Override
  public String text() {
    return "";
  }

  @Override
  public List<String> remarks() {
    return List.of("line %d: %s".formatted(dump.line(), reason));
  }

  @Override
  public ObjectNode json() {
    return Entry.head("UNKNOWN", dump.line(), dump.form())
        .put("bytes", dump.bytes().length)
        .put("hex", HexFormat.of().formatHex(dump.bytes()))
        .put("reason", reason);
  }
}
