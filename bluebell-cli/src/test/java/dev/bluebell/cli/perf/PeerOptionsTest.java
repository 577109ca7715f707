package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The address of {@code --client}. */
class PeerOptionsTest {
  private static InetSocketAddress address(String client) {
    return CommandLine.populateCommand(new PeerOptions(), "--client", client).serverAddress();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.3, 127.0.0.3, 18515",
    "127.0.0.3:7, 127.0.0.3, 7",
    "::1, ::1, 18515",
    "fd00::5, fd00::5, 18515",
    "fd00::ab, fd00::ab, 18515",
    "[fd00::5], fd00::5, 18515",
    "[fd00::5]:7, fd00::5, 7"
  })
  void aServerMayHaveAnIpv6AddressWithOrWithoutAPort(String text, String host, int port)
      throws UnknownHostException {
    assertThat(address(text)).isEqualTo(new InetSocketAddress(InetAddress.getByName(host), port));
  }

  @Test
  void aHostMayHaveAName() {
    assertThat(address("localhost:7").getHostString()).isEqualTo("localhost");
    assertThat(address("localhost:7").getPort()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":7",
        "[]:7",
        "host:",
        "host:0",
        "host:65536",
        "[fd00::5]7",
        "[fd00::5",
        "[::1]:"
      })
  void otherTextsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> address(text))
        .withMessageContaining("not '%s'", text);
  }
}
