package dev.bluebell.cli.text;

import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.text.Hex;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell decode}: hexadecimal to text. */
@Command(
    name = "decode",
    header = "WQEs, CQEs and commands from hexadecimal to text.",
    description = {
      "Reads WQEs, CQEs and commands from hexadecimal, as logs and dumps show them, and prints them"
          + " as text.",
      "",
      "What the bytes are is guessed unless an option says it. Blank lines separate entries."
    })
public final class DecodeCommand extends CliCommand {
  @Mixin private TextInput input = new TextInput();

  @ArgGroup(exclusive = true)
  private KindOption kind = new KindOption();

  @Option(names = "--json", description = "Print one JSON object for each entry.")
  private boolean json;

  @Override
  public Integer call() {
    if (input.isAmbiguous()) {
      throw wrongUsage("TEXT and --file exclude each other: leave one out");
    }
    List<byte[]> entries = input.texts().stream().map(Hex::parse).toList();
    for (byte[] entry : entries) {
      Kind found = kind.kind().or(() -> Decoder.guess(entry)).orElseThrow(() -> unknown(entry));
      String text = kind.decode(found, entry);
      if (json) {
        json()
            .write(
                JsonLines.object()
                    .put("kind", found.name())
                    .put("bytes", entry.length)
                    .put("text", text));
      } else {
        out().print(text);
      }
    }
    out().flush();
    return ExitCode.OK;
  }

  private static IllegalArgumentException unknown(byte[] entry) {
    return new IllegalArgumentException(
        "these %d bytes are like no known format: say what they are, for instance with --wqe"
            .formatted(entry.length));
  }
}
