package dev.bluebell.cli.perf;

import static dev.bluebell.cli.perf.PerfOptions.require;

import dev.bluebell.cli.command.DeviceOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a measurement with another process: the side that this process is, if any. */
final class PeerOptions {
  /** The port that perftest uses. */
  private static final int PORT = 18515;

  private static final int MAX_PORT = 65535;

  /** A host with or without a port. An IPv6 address has several colons, or brackets. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<host>[^:\\[\\]]+|\\[[^\\[\\]]+]|[^:\\[\\]]*:[^:\\[\\]]*:[^\\[\\]]*)"
              + "(:(?<port>[0-9]{1,5}))?");

  @Option(
      names = "--server",
      description =
          "Be the passive side of a measurement in two processes: wait for a client and serve it"
              + " once. Both open the same device process, with --device socket:PATH, or devices"
              + " that reach each other over a network: their own, with --device"
              + " soft:listen=ADDRESS, or those of 'bluebell serve --listen'.")
  private boolean server;

  @Option(
      names = "--client",
      paramLabel = "HOST[:PORT]",
      description =
          "Be the active side: measure with the server there, which needs the same options. An IPv6"
              + " address with a port is in brackets.")
  private @Nullable String client;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "N",
      description = "Port of the server; with --server, 0 for any. Default: " + PORT + ".")
  private @Nullable Integer port;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "The address of this machine at which the server waits for the client. Default:"
              + " 127.0.0.1, which only clients on this machine reach.")
  private @Nullable InetAddress listen;

  boolean isServer() {
    return server;
  }

  boolean isClient() {
    return client != null;
  }

  boolean isOne() {
    return server || client != null;
  }

  /**
   * Checks the options.
   *
   * @param device name of the device
   * @throws IllegalArgumentException when they contradict each other
   */
  void check(String device) {
    require(listen == null || server, "--listen is for --server: add it, or leave --listen out");
    if (!isOne()) {
      require(port == null, "--port is for --server and --client: add one, or leave --port out");
      return;
    }
    require(!server || client == null, "--server and --client exclude each other: leave one out");
    require(port() >= 0 && port() <= MAX_PORT, "--port must be 0 to " + MAX_PORT);
    require(
        !DeviceOption.isSoft(device) || device.contains("listen="),
        "two processes need a device that both reach: --device socket:PATH, as 'bluebell serve'"
            + " prints it, or a device with an address on a network");
    if (isClient()) {
      InetSocketAddress unused = serverAddress();
    }
  }

  /** The address at which the server listens: loopback, unless {@code --listen} is given. */
  InetSocketAddress listenAddress() {
    return new InetSocketAddress(
        listen == null ? InetAddress.getLoopbackAddress() : listen, port());
  }

  private int port() {
    return port == null ? PORT : port;
  }

  /** The address that the client connects to. */
  InetSocketAddress serverAddress() {
    String text = String.valueOf(client);
    Matcher parts = ADDRESS.matcher(text);
    boolean matches = parts.matches();
    String digits = matches ? parts.group("port") : null;
    int number = digits == null ? port() : Integer.parseInt(digits);
    require(
        matches && number > 0 && number <= MAX_PORT,
        "--client is HOST, HOST:PORT or [IPV6]:PORT with a port of 1 to %d, not '%s'"
            .formatted(MAX_PORT, text));
    return new InetSocketAddress(String.valueOf(parts.group("host")), number);
  }
}
