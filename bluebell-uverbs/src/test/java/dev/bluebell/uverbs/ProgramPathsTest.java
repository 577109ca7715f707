package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs find the device by whatever function they look for its files with. */
class ProgramPathsTest extends Hosted {
  /** Debian 11, Ubuntu 20.04, RHEL 8: all before glibc 2.33. */
  @Test
  void aProgramThatWasBuiltWithAnOldLibrarySeesTheDevice()
      throws IOException, InterruptedException {
    Program.start(host, folder, List.of(Program.compile(folder, "old_names.c"))).expectSuccess();
    host.expectNothingLeft();
  }
}
