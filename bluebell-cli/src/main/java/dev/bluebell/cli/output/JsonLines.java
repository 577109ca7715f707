package dev.bluebell.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes JSON, one object per line. */
public final class JsonLines {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrintWriter out;

  public JsonLines(PrintWriter out) {
    this.out = out;
  }

  /** Writes an object to a file in a readable form: indented, one field per line. */
  public static void writeDocument(Path file, ObjectNode object) throws IOException {
    Path unused =
        Files.writeString(
            file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(object) + "\n");
  }

  /** Returns a new object, to be filled and written. */
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
