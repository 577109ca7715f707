package dev.bluebell.cli.vectors;

import dev.bluebell.cli.CliCommand;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell vectors}: the driver against recorded bytes. */
@Command(
    name = "vectors",
    header = "The driver against golden bytes of libmlx5.",
    description = {
      "Rebuilds the requests of golden-vector files with the driver's own builders and formats, and"
          + " compares with the bytes that libmlx5 wrote. Needs no device.",
      "",
      "Prints a line for each difference. What the driver can't build is counted as unsupported;"
          + " --verbose names each."
    })
public final class VectorsCommand extends CliCommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files of golden vectors; a folder stands for those that are in it.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print one JSON object for each file.")
  private boolean json;

  @Override
  public Integer call() {
    VectorReport report =
        json ? new JsonVectorReport(json()) : new TextVectorReport(out(), isVerbose());
    boolean good = true;
    for (Path path : files) {
      for (VectorFile file : VectorFile.read(path)) {
        FileResult result = FileResult.of(file);
        report.add(result);
        good &= result.differing() == 0;
      }
    }
    report.end();
    return good ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
