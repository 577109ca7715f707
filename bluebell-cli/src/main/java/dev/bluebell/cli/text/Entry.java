package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import java.util.List;
import java.util.Optional;

/** An entry of a dump. */
sealed interface Entry permits Decoded, DecodedPacket, UnknownDump {
  /** Its text, in the format that {@code bluebell encode} reads; empty if it is unknown. */
  String text();

  /** Guesses that the text is based on, and notes about it, in whole sentences. */
  List<String> remarks();

  /** The meaning of the failure that it reports; empty if it reports none. */
  default Optional<Finding> finding() {
    return Optional.empty();
  }

  ObjectNode json();

  /**
   * The first fields of the JSON object of anything that a pasted text contains.
   *
   * @param line where it begins
   * @param form how the text shows it
   */
  static ObjectNode head(String kind, int line, String form) {
    return JsonLines.object().put("kind", kind).put("line", line).put("form", form);
  }
}
