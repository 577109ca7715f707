package dev.bluebell.cli.devx;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Java process opens a card through the kernel's interface: the process is {@link CardUser}, the
 * kernel is Bluebell's kernel side.
 */
class DevxTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "find",
        "close",
        "refuse",
        "program",
        "blueflame",
        "memory",
        "demand",
        "huge",
        "wait",
        "meet",
        "leave"
      })
  @Tag("slow")
  void aProcessUsesItsCard(String does) throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder);
        KernelSide.Client client = kernel.start(CardUser.class, does)) {
      String unused = client.expectSuccess();
      kernel.expectNothingLeft();
    }
  }

  @Test
  @Tag("slow")
  void aProcessNoticesThatItsCardIsGone() throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder);
        KernelSide.Client client = kernel.start(CardUser.class, "lose")) {
      client.await("ready");
      kernel.end();
      String unused = client.expectSuccess();
    }
  }
}
