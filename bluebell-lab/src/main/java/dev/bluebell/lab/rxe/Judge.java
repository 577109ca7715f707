package dev.bluebell.lab.rxe;

import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Boots Linux in a virtual machine, and runs all exchanges between its Soft-RoCE and the software
 * ConnectX, in both directions. Prints a table; exits with 1 when they disagree. The arguments are
 * the boot script, the command {@code bluebell}, and optionally a folder in which to keep packets.
 */
final class Judge {
  private static final int QKEY = 0x11111111;
  private static final String LOSS = "3%";
  private static final int LOSS_SEED = 31;

  /** Counters that increase in a network that loses packets. */
  private static final Set<PortCounter> REPAIRS =
      Set.of(
          PortCounter.OUT_OF_SEQUENCE,
          PortCounter.DUPLICATE_REQUEST,
          PortCounter.PACKET_SEQ_ERR,
          PortCounter.IMPLIED_NAK_SEQ_ERR,
          PortCounter.LOCAL_ACK_TIMEOUT_ERR);

  private final Guest guest;
  private final String bluebell;
  private final int ownPort;
  private final int guestPort;
  private final @Nullable Path packets;
  private int passed;
  private int failed;

  private Judge(Guest guest, String bluebell, int ownPort, int guestPort, @Nullable Path packets) {
    this.guest = guest;
    this.bluebell = bluebell;
    this.ownPort = ownPort;
    this.guestPort = guestPort;
    this.packets = packets;
  }

  public static void main(String[] args) throws IOException {
    int ownPort = freePort();
    int guestPort = freePort();
    long begin = System.nanoTime();
    int failed;
    try (Guest guest = new Guest(args[0], "" + guestPort, "" + ownPort)) {
      System.out.printf("Linux and Soft-RoCE booted in %.1f s%n", seconds(begin));
      Judge judge =
          new Judge(guest, args[1], ownPort, guestPort, args.length > 2 ? Path.of(args[2]) : null);
      judge.runAll();
      failed = judge.failed;
      System.out.printf(
          "%d exchanges, %d FAILED, %.1f s%n",
          judge.passed + judge.failed, judge.failed, seconds(begin));
    }
    System.exit(failed == 0 ? 0 : 1);
  }

  private static int freePort() throws SocketException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private void runAll() throws IOException {
    for (Network network : List.of(Network.IPV4, Network.IPV6)) {
      run(network, "", Exchanges.all());
      changeQueue("replace dev eth0 root netem loss " + LOSS);
      run(network, ",loss=%s,seed=%d".formatted(LOSS, LOSS_SEED), Exchanges.withLosses());
      changeQueue("del dev eth0 root");
      runPrograms(network);
    }
  }

  /** Changes the queue of the virtual machine's network interface, which can lose packets. */
  private void changeQueue(String change) {
    // By its path, because BusyBox has a tc of its own, which knows no netem.
    int code = guest.shell("/bin/tc qdisc %s >/dev/ttyS1 2>&1", change);
    if (code != 0) {
      throw new IllegalStateException(
          "'tc qdisc %s' ended with %d in the virtual machine; its output is above"
              .formatted(change, code >> 8));
    }
  }

  private void run(Network network, String loss, List<Exchange> exchanges) {
    String kind = network.name() + (loss.isEmpty() ? "" : ", " + LOSS + " lost");
    String pcap =
        packets == null ? "" : ",pcap=" + packets.resolve(kind.replaceAll("\\W+", "-") + ".pcap");
    try (Device device =
        Device.open(
            "soft:listen=%s,frames=%d:%d%s%s"
                .formatted(network.address(), ownPort, guestPort, loss, pcap))) {
      for (Exchange exchange : exchanges) {
        run(device, network, kind, exchange, true);
        run(device, network, kind, exchange, false);
      }
      Map<PortCounter, Long> counters = new TreeMap<>(device.counters());
      counters.keySet().retainAll(REPAIRS);
      System.out.printf("%s: %s%n", kind, counters);
      if (!loss.isEmpty() && counters.values().stream().mapToLong(Long::longValue).sum() == 0) {
        failed++;
        System.out.println("FAILED: no lost packet was sent again");
      }
      device.diagnosis().orElseThrow().objects().stream()
          .filter(line -> line.startsWith("fabric "))
          .forEach(System.out::println);
    }
  }

  private void runPrograms(Network network) throws IOException {
    try (ManagedPrograms managed =
        new ManagedPrograms(bluebell, guest, network, ownPort, guestPort)) {
      for (ManagedPrograms.Program program : managed.programs()) {
        run(network, "ours -> Soft-RoCE", program, managed::ask);
        run(network, "Soft-RoCE -> ours", program, managed::serve);
      }
    }
  }

  private void run(
      Network network,
      String direction,
      ManagedPrograms.Program program,
      Consumer<ManagedPrograms.Program> body) {
    String what = "%-16s CM  %-22s %s".formatted(network.name(), direction, program.both());
    long begin = System.nanoTime();
    try {
      body.accept(program);
      passed(what, begin);
    } catch (Disagreement e) {
      failed(what, e);
    }
  }

  private void passed(String what, long begin) {
    passed++;
    System.out.printf(
        "ok      %s (%d ms)%n", what, Duration.ofNanos(System.nanoTime() - begin).toMillis());
  }

  private void failed(String what, Disagreement why) {
    failed++;
    System.out.printf("FAILED  %s: %s%n", what, why.getMessage());
  }

  private void run(
      Device device, Network network, String kind, Exchange exchange, boolean isFromHere) {
    Settings settings = exchange.settings();
    String what =
        "%-16s %-3s %-22s %s"
            .formatted(
                kind,
                settings.service(),
                isFromHere ? "ours -> Soft-RoCE" : "Soft-RoCE -> ours",
                exchange.name());
    long begin = System.nanoTime();
    try (OwnEnd own = new OwnEnd(device, network, settings, QKEY)) {
      GuestEnd other = new GuestEnd(guest, network, settings.service());
      other.connect(settings, own.qpn(), QKEY);
      own.connect(settings, other.qpn(), QKEY);
      exchange.body().accept(isFromHere ? own : other, isFromHere ? other : own);
      passed(what, begin);
    } catch (Disagreement e) {
      failed(what, e);
    } finally {
      String unused = guest.call("close");
    }
  }
}
