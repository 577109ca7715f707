package dev.bluebell.test;

import dev.bluebell.report.Report;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Writes the report of a failed test into the output folder of its build. */
final class FailureReport {
  /** The folder, or {@code off} for no reports. */
  private static final String PARAMETER = "bluebell.report";

  private static final String OFF = "off";

  /** File systems allow 255 bytes. */
  private static final int MAX_FILE_NAME = 200;

  /** By file, the id of the test that this JVM wrote there first: tests may have the same name. */
  private static final Map<Path, String> WRITTEN = new ConcurrentHashMap<>();

  private static final Logger LOG = System.getLogger("dev.bluebell.test");

  private FailureReport() {}

  /** Reports what the devices of a test did, unless its configuration turns reports off. */
  static void write(ExtensionContext test, Throwable failure, List<TestDevice> devices) {
    String folder =
        test.getConfigurationParameter(PARAMETER)
            .orElseGet(
                () ->
                    Files.exists(Path.of("build.gradle"))
                            || Files.exists(Path.of("build.gradle.kts"))
                        ? "build/bluebell"
                        : "target/bluebell");
    if (folder.equals(OFF) || devices.isEmpty()) {
      return;
    }
    String name = name(test, test.getRequiredTestClass().getSimpleName());
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    facts.put("Test", name);
    facts.put("Failed with", failure.toString());
    Report report = new Report(name, facts);
    for (int i = 0; i < devices.size(); i++) {
      report.add(devices.get(i).reported("device %d".formatted(i + 1)));
    }
    Path file = Path.of(folder, fileName(test) + ".html");
    String id = test.getUniqueId();
    if (!WRITTEN.computeIfAbsent(file, first -> id).equals(id)) {
      file = Path.of(folder, "%s-%08x.html".formatted(fileName(test), id.hashCode()));
    }
    try {
      Files.createDirectories(Path.of(folder));
      Files.write(file, report.html());
      LOG.log(
          Level.INFO, "{0} failed; what its devices did is in {1}", name, file.toAbsolutePath());
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the report of {0} can''t be written to {1}: {2}", name, file, e);
    }
  }

  /**
   * For example {@code KeyValueTest.aKeyIsFound}, with the display name unless it is JUnit's usual
   * one: repetitions and tests with arguments differ in nothing else.
   */
  private static String name(ExtensionContext test, String className) {
    Method method = test.getRequiredTestMethod();
    String usual =
        Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    String name = className + "." + method.getName();
    return test.getDisplayName().equals(usual) ? name : name + " " + test.getDisplayName();
  }

  /** The name with the whole name of the class, because several classes may have a simple name. */
  private static String fileName(ExtensionContext test) {
    String name =
        name(test, test.getRequiredTestClass().getName()).replaceAll("[^A-Za-z0-9_.-]+", "-");
    return name.length() <= MAX_FILE_NAME
        ? name
        : "%s-%08x".formatted(name.substring(0, MAX_FILE_NAME), name.hashCode());
  }
}
