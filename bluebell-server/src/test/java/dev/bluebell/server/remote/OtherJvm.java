package dev.bluebell.server.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.QueuePairEndpoint;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A client in a JVM of its own, which executes commands line by line. */
final class OtherJvm implements AutoCloseable {
  static final long SEED = 42;

  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;
  private final QueuePairEndpoint endpoint;
  private final long address;
  private final int rkey;

  OtherJvm(Host host) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvm.class.getName(),
                host.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    from = process.inputReader();
    to = process.outputWriter();
    endpoint = QueuePairEndpoint.parse(line());
    address = Long.parseLong(line());
    rkey = Integer.parseInt(line());
  }

  private String line() throws IOException {
    String line = from.readLine();
    assertThat(line).as("a line of the other JVM").isNotNull();
    return line;
  }

  private String tell(Object what) throws IOException {
    to.write(what + "\n");
    to.flush();
    return line();
  }

  void connect(Peer peer) throws IOException {
    peer.queuePair().connect(endpoint);
    assertThat(tell(peer.queuePair().endpoint())).isEqualTo("connected");
  }

  long address() {
    return address;
  }

  int rkey() {
    return rkey;
  }

  /** Lets it write the first bytes of its memory to a peer's. */
  void write(Peer peer, long offset, int bytes) throws IOException {
    String told =
        tell("%d %d %d".formatted(peer.memory().address() + offset, peer.memory().rkey(), bytes));
    assertThat(told).isEqualTo("written");
  }

  /** Hash code of the first bytes of its memory. */
  int hash(int bytes) throws IOException {
    return Integer.parseInt(tell(bytes));
  }

  /** Ends it without a chance to clean up. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Override
  public void close() throws IOException {
    to.close();
    try {
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("the other JVM ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The other JVM: prints its addresses, and executes commands until its input ends. */
  public static void main(String[] names) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (Peer peer = new Peer(names[0], Peer.Payload.FOREIGN)) {
      peer.fill(SEED);
      System.out.println(peer.queuePair().endpoint());
      System.out.println(peer.memory().address());
      System.out.println(peer.memory().rkey());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(obey(peer, line));
      }
    }
  }

  private static String obey(Peer peer, String line) {
    if (line.startsWith("gid")) {
      peer.queuePair().connect(QueuePairEndpoint.parse(line));
      return "connected";
    }
    String[] words = line.split(" ", -1);
    if (words.length == 1) {
      return "" + Arrays.hashCode(peer.bytes(0, Integer.parseInt(line)));
    }
    peer.write(Long.parseLong(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    peer.awaitSuccess();
    return "written";
  }
}
