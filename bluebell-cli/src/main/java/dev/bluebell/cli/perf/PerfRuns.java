package dev.bluebell.cli.perf;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.command.WorkFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The same measurement in several processes, one after another. Each process compiles the code
 * anew, at other addresses, and the machine may have changed in between. Only the spread of their
 * rates shows how reliable a rate is.
 */
final class PerfRuns {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Environment variable of such a process, which measures once and prints JSON whatever its
   * options say. They can't be changed, because they may be in a file.
   */
  private static final String ONE_RUN = "BLUEBELL_PERF_ONE_RUN";

  private PerfRuns() {}

  /** Whether this process is one of several runs. */
  static boolean isOne() {
    return System.getenv(ONE_RUN) != null;
  }

  /**
   * Runs this process's own command repeatedly.
   *
   * @param each receives the output of each process
   * @throws WorkFailed when a process fails
   */
  static void run(int runs, Consumer<JsonNode> each) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(ownCommand()).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(ONE_RUN, "1");
    for (int i = 1; i <= runs; i++) {
      Process process = builder.start();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      int exit = process.waitFor();
      if (exit != 0) {
        throw new WorkFailed("run %d of %d ended with exit code %d".formatted(i, runs, exit));
      }
      each.accept(MAPPER.readTree(printed));
    }
  }

  /** This process's arguments; Java's own API truncates them after a page. */
  private static List<String> ownCommand() throws IOException {
    String line = Files.readString(Path.of("/proc/self/cmdline"), UTF_8);
    List<String> words = new ArrayList<>(Arrays.asList(line.split("\0", -1)));
    words.removeLast();
    words.set(0, Path.of("/proc/self/exe").toRealPath().toString());
    return words;
  }
}
