package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;

/** The page on observing a device names all loggers and events, and no others. */
class SeeingPageTest {
  private static final Path PAGE = Path.of("../docs/seeing.md");
  private static final Pattern LOGGER = Pattern.compile("(?:getLogger|new LimitedLog)\\(([^,)]*)");
  private static final Pattern EVENT = Pattern.compile("@Name\\(\"(dev\\.bluebell\\.\\w+)\"\\)");

  private static Set<String> inSources(Pattern pattern) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .flatMap(file -> pattern.matcher(read(file)).results())
            .map(match -> match.group(1))
            .forEach(found::add);
      }
    }
    return found;
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of(".."))) {
      return folders
          .map(folder -> folder.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names in the first cells of the page's tables. */
  private static Set<String> onPage(String row) throws IOException {
    return Pattern.compile("^\\| (`dev\\.bluebell\\." + row + "[^|]*)\\|", Pattern.MULTILINE)
        .matcher(Files.readString(PAGE))
        .results()
        .map(MatchResult::group)
        .flatMap(cell -> Pattern.compile("`([^`]*)`").matcher(cell).results())
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyLoggerHasADocumentedName() throws IOException {
    Set<String> names =
        inSources(LOGGER).stream()
            .map(argument -> argument.replace("\"", ""))
            .filter(argument -> !argument.equals("String name") && !argument.equals("name"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names).isEqualTo(onPage("[a-z]"));
  }

  @Test
  void everyEventIsDocumentedAndRegistersUnderItsName() throws IOException {
    Set<String> names = inSources(EVENT);
    assertThat(names).hasSize(10).isEqualTo(onPage("[A-Z]"));
    FlightRecorder recorder = FlightRecorder.getFlightRecorder();
    try (Device device = Device.open("soft:engine=poll")) {
      assertThat(device.name()).isEqualTo("soft");
    }
    assertThat(recorder.getEventTypes())
        .extracting(EventType::getName)
        .contains("dev.bluebell.DeviceOpened", "dev.bluebell.QueuePairRate");
  }
}
