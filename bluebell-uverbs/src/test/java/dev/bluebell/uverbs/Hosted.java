package dev.bluebell.uverbs;

import dev.bluebell.server.Quota;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a device process, which each test has for itself. */
abstract class Hosted {
  @TempDir Path folder;
  Host host;

  @BeforeEach
  void openHost() throws IOException {
    host = new Host(folder, quotas());
  }

  /** What the applications may have; all that this machine allows, unless there is something. */
  Map<Quota, Long> quotas() {
    return Map.of();
  }

  @AfterEach
  void closeHost() throws IOException {
    host.close();
  }
}
