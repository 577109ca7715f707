package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connection options for the ends of a measurement. */
class EndSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soft | false",
        "soft:listen=ADDRESS | false",
        "soft:listen=10.0.0.1,frames=PORTS | false",
        "soft:loss=5 | true",
        "soft:reorder=5 | true",
        "soft:listen=ADDRESS,loss=5 | true"
      })
  void onlyAFabricThatLosesPacketsOnPurposeHasAShortTimeout(String name, boolean isShort) {
    // A loopback address that tests in other processes rarely use at the same time.
    long pid = ProcessHandle.current().pid();
    String address = "127.%d.%d.77".formatted(64 + (pid >>> 8 & 0x3f), pid & 0xff);
    // No packets arrive at these ports, and no other process needs to listen there.
    String ports = "%d:%d".formatted(20_000 + pid % 20_000, 40_000 + pid % 20_000);
    String full = name.replace("ADDRESS", address).replace("PORTS", ports);
    try (Device device = Device.open(full)) {
      assertThat(EndSettings.options(device).equals(ConnectOptions.DEFAULT)).isEqualTo(!isShort);
    }
  }
}
