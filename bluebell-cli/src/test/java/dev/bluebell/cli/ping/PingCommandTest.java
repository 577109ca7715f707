package dev.bluebell.cli.ping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.verbs.Device;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ping reports which devices of a network answer. */
class PingCommandTest {
  private static final String HERE = address(9);
  private static final String THERE = address(2);

  @TempDir private Path folder;

  /** A loopback address that tests in other processes rarely use at the same time. */
  private static String address(int last) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(64 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  @Test
  @Tag("slow")
  void aDeviceAnswersAndAnAddressWithoutOneDoesNot() {
    try (Device peer = Device.open("soft:listen=" + THERE)) {
      Cli cli =
          Cli.run("ping", THERE, "--device", "soft:listen=" + HERE, "--count", "3", "-t", "60");
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out().lines()).hasSize(4);
      assertThat(cli.out())
          .contains(THERE + ": answered in ")
          .contains(THERE + ": 3 of 3 answered; round trip min ");
      assertThat(peer.diagnosis().orElseThrow().objects())
          .anyMatch(line -> line.contains("rx_sidr_answered 3,"));
    }
    Cli cli =
        Cli.run("ping", THERE, "--device", "soft:listen=" + HERE, "--count", "1", "-t", "0.01");
    assertThat(cli.exitCode()).isOne();
    assertThat(cli.out()).isEqualTo(THERE + ": no answer within 0.01 s\n");
  }

  @Test
  void anEmptyAddressIsNotThisMachine() {
    Cli cli = Cli.run("ping", "");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("'' is not an IP address");
  }

  @Test
  void eachAddressIsAnObjectOfJson() {
    Device peer = Device.open("soft:listen=" + THERE);
    try (peer) {
      Cli cli =
          Cli.run("ping", THERE, "-d", "soft:listen=" + HERE, "-n", "2", "-t", "60", "--json");
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      JsonNode object = cli.json().getFirst();
      assertThat(object.get("address").asText()).isEqualTo(THERE);
      assertThat(object.get("answered").asInt()).isEqualTo(2);
      assertThat(object.get("median_ns").asLong())
          .isEqualTo(
              Math.round((object.get("min_ns").asLong() + object.get("max_ns").asLong()) / 2.0));
    }
  }

  @Test
  void pingSendsARequestOfTheConnectionManager() throws Exception {
    Path packets = folder.resolve("ping.pcap");
    try (Device peer = Device.open("soft:listen=" + THERE)) {
      assertThat(peer.name()).isNotEmpty();
      Cli cli =
          Cli.run(
              "ping",
              THERE,
              "-n",
              "1",
              "-t",
              "60",
              "-d",
              "soft:listen=%s,pcap=%s".formatted(HERE, packets));
      assertThat(cli.exitCode()).as(cli.err()).isZero();
    }
    assertThat(Files.size(packets)).isPositive();
    Cli decoded = Cli.run("decode", packets.toString());
    assertThat(decoded.out())
        .contains("UD_SEND_ONLY QP 0x1 ", "CM ServiceIDResReq", "srcqp=0x000001");
  }

  @Test
  void anAddressThatADeviceProcessHasIsThatOfTheDeviceToAsk() throws Exception {
    try (DatagramSocket taken = new DatagramSocket(null)) {
      try {
        taken.bind(new InetSocketAddress("127.0.0.1", 4791));
      } catch (BindException e) {
        // Another process has it, which is as good.
      }
      Cli cli = Cli.run("ping", THERE);
      assertThat(cli.exitCode()).isOne();
      assertThat(cli.err().replaceAll("\\s+", " "))
          .contains("let its device ask: --device socket:PATH");
    }
  }

  @Test
  void aLinkLocalAddressIsRefusedByItsName() {
    Cli cli = Cli.run("ping", "fe80::1");
    assertThat(cli.exitCode()).isOne();
    assertThat(cli.err()).contains("is a link-local address");
  }

  @Test
  void anInvalidAddressCountOrTimeoutIsWrongUsage() {
    Cli cli = Cli.run("ping", "no.such.host.invalid", "-d", "soft");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("'no.such.host.invalid' is not an IP address");
    assertThat(Cli.run("ping", THERE, "--count", "0").err()).contains("--count must be 1 to");
    assertThat(Cli.run("ping", THERE, "--timeout", "0").err())
        .contains("--timeout must be more than 0");
  }
}
