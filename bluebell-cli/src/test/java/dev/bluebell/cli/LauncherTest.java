package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./bluebell} tells what is missing, and knows what there is. */
class LauncherTest {
  private static final Pattern LIBRARY = Pattern.compile("(?m)^library=(\\S+)$");

  @TempDir private Path jdk;

  @Test
  void sourceFilesRunWithModulesThatExist() throws IOException {
    Matcher library = LIBRARY.matcher(Files.readString(Path.of("../bluebell")));
    assertThat(library.find()).isTrue();
    assertThat(library.group(1).split(","))
        .hasSizeGreaterThan(2)
        .allMatch(module -> ModuleFinder.of(classes(module)).find(module).isPresent());
  }

  private static Path classes(String module) {
    return Path.of("..", module.replace("dev.", "").replace('.', '-'), "target", "classes");
  }

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
