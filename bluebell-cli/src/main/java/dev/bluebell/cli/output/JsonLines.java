package dev.bluebell.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** Writes JSON, one object a line. */
public final class JsonLines {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrintWriter out;

  public JsonLines(PrintWriter out) {
    this.out = out;
  }

  /** A new object, to be filled and written. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Writes an object. */
  public void write(ObjectNode object) {
    try {
      out.println(MAPPER.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object could not be written as JSON", e);
    }
    out.flush();
  }
}
