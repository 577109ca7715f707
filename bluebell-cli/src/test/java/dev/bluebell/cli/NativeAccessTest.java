package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** If the JVM denies native access to Bluebell, the user is shown the option that allows it. */
class NativeAccessTest {

  @Test
  void theEmbeddedDeviceNamesTheOption() throws Exception {
    assertThat(open("soft"))
        .contains(
            "IllegalCallerException: this JVM denies access to native memory: start it with"
                + " --enable-native-access=ALL-UNNAMED");
  }

  @Test
  void theDeviceOfAnotherProcessNamesTheOption() throws Exception {
    assertThat(open("socket:/nowhere"))
        .contains("start it with --enable-native-access=ALL-UNNAMED");
  }

  private static String open(String device) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--illegal-native-access=deny",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Opening.class.getName(),
                device)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(1);
    return output;
  }

  /** Opens the device that its argument names. */
  static final class Opening {
    public static void main(String[] arguments) {
      Device.open(arguments[0]).close();
    }
  }
}
