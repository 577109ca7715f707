package dev.bluebell.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.command.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;

/** The result of a command that ran in this process. */
public record Cli(int exitCode, String out, String err) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public static Cli run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLineFor(args).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = CommandLines.run(command, args);
    return new Cli(exitCode, out.toString(), err.toString());
  }

  /** The lines of standard output, each of which must be JSON. */
  public List<JsonNode> json() {
    return out.lines().map(Cli::parse).toList();
  }

  private static JsonNode parse(String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
