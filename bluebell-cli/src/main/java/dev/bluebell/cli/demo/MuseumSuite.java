package dev.bluebell.cli.demo;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.bluebell.hca.Hca;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The museum as JUnit tests. Each exhibit fails as it was reported, is explained if the device
 * explains anything, and works after the fix. To run it on another device, extend it and override
 * {@link #open}.
 */
public class MuseumSuite {
  /** For JUnit and for subclasses. */
  protected MuseumSuite() {}

  /**
   * Opens the device for the next run, which closes it afterwards.
   *
   * @return null for a software ConnectX that the polling thread runs
   */
  protected @Nullable Hca open() {
    return null;
  }

  /** A test for each exhibit. */
  @TestFactory
  public Stream<DynamicTest> exhibits() {
    return Museum.all().stream()
        .map(exhibit -> DynamicTest.dynamicTest(exhibit.name(), () -> run(exhibit)));
  }

  private void run(Exhibit exhibit) throws InterruptedException {
    Supplier<Scene> scenes =
        () -> {
          Hca hca = open();
          return hca == null ? new Scene() : new Scene(hca);
        };
    try {
      assertNull(exhibit.run(scenes).complaint());
    } catch (NeedsSoftware e) {
      abort(e.getMessage());
    }
  }
}
