package dev.bluebell.server.remote;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with a device process; each test has its own. */
abstract class Hosted {
  @TempDir Path folder;
  Host host;

  @BeforeEach
  void openHost() throws IOException {
    host = new Host(folder);
  }

  @AfterEach
  void closeHost() throws IOException {
    host.close();
  }
}
