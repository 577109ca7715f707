package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./bluebell} tells what is missing. */
class LauncherTest {
  @TempDir private Path jdk;

  @Test
  void anOlderJdkIsTold() throws IOException, InterruptedException {
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
    Path bin = Files.createDirectory(jdk.resolve("bin"));
    for (String program : List.of("java", "javac")) {
      Path file = Files.writeString(bin.resolve(program), "#!/bin/sh\nexit 1\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    ProcessBuilder builder = new ProcessBuilder("sh", "../bluebell", "devinfo");
    builder.environment().put("BLUEBELL_JAVA_HOME", jdk.toString());
    Process launcher = builder.redirectErrorStream(true).start();
    String output = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertThat(launcher.waitFor()).isEqualTo(1);
    assertThat(output)
        .isEqualTo(
            "bluebell: BLUEBELL_JAVA_HOME names %s, which is not a JDK of version 25 or later; set it to the home of one, or unset it.\n"
                .formatted(jdk));
  }
}
