package dev.bluebell.softnic.timing;

import static dev.bluebell.softnic.Timing.Constant.ATOMIC_RATE;
import static dev.bluebell.softnic.Timing.Constant.COMPARE_SWAP;
import static dev.bluebell.softnic.Timing.Constant.FETCH_ADD;
import static dev.bluebell.softnic.Timing.Constant.NOP_LOCAL;
import static dev.bluebell.softnic.Timing.Constant.QUEUE_ORDER;
import static dev.bluebell.softnic.Timing.Constant.READ;
import static dev.bluebell.softnic.Timing.Constant.READ_RATE;
import static dev.bluebell.softnic.Timing.Constant.WRITE;
import static dev.bluebell.softnic.Timing.Constant.WRITE_RATE;

import dev.bluebell.softnic.Timing.Constant;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The figures of the paper that plain requests tell, and those of {@link Constructs}. */
final class Figures {
  private static final int CHAIN = 60;
  private static final int BYTES = 64;
  private static final double NANOS_PER_MICRO = 1_000;

  private Figures() {}

  static List<Figure> all() {
    List<Figure> all = new ArrayList<>(plain());
    all.addAll(Constructs.all());
    return all;
  }

  private static List<Figure> plain() {
    return List.of(
        new Figure("first NOP of a chain", "µs", 1.21, Set.of(NOP_LOCAL), rig -> chain(rig, 1)),
        new Figure(
            "each further NOP, queue order",
            "µs",
            0.149,
            Set.of(QUEUE_ORDER),
            rig -> (chain(rig, CHAIN) - chain(rig, 1)) / (CHAIN - 1)),
        verb("READ, 64 B", 1.82, READ, Figures::read),
        verb("WRITE, 64 B", 1.59, WRITE, Figures::write),
        verb("CAS", 1.73, COMPARE_SWAP, Figures::swap),
        verb("ADD", 1.64, FETCH_ADD, Figures::add),
        new Figure("READ, one port", "M/s", 65, Set.of(READ_RATE), rig -> rate(rig, Figures::read)),
        new Figure(
            "WRITE, one port", "M/s", 63, Set.of(WRITE_RATE), rig -> rate(rig, Figures::write)),
        new Figure(
            "CAS, one port", "M/s", 8.4, Set.of(ATOMIC_RATE), rig -> rate(rig, Figures::swap)),
        new Figure(
            "ADD, one port", "M/s", 8.4, Set.of(ATOMIC_RATE), rig -> rate(rig, Figures::add)));
  }

  // ---- order

  private static double chain(Rig rig, int length) {
    TimedHost host = new TimedHost(rig);
    Wqe[] chain = new Wqe[length];
    Arrays.setAll(chain, i -> Wqe.nop());
    return Latency.of(rig, host.connect(host).left(), chain) / NANOS_PER_MICRO;
  }

  // ---- verbs

  interface Verb {
    Wqe of(RawMemory local, RawMemory remote);
  }

  private static Wqe read(RawMemory local, RawMemory remote) {
    return Wqe.read(remote, 0).data(local, 0, BYTES);
  }

  private static Wqe write(RawMemory local, RawMemory remote) {
    return Wqe.write(remote, 0).data(local, 0, BYTES);
  }

  private static Wqe swap(RawMemory local, RawMemory remote) {
    return Wqe.compareAndSwap(remote, 0, 0, 1).data(local, 0, 8);
  }

  private static Wqe add(RawMemory local, RawMemory remote) {
    return Wqe.fetchAndAdd(remote, 0, 1).data(local, 0, 8);
  }

  private static Figure verb(String name, double paper, Constant constant, Verb verb) {
    return new Figure(
        name,
        "µs",
        paper,
        Set.of(constant),
        rig -> {
          TimedHost client = new TimedHost(rig);
          TimedHost server = new TimedHost(rig);
          RawQp queue = client.connect(server).left();
          Wqe request = verb.of(client.memory(BYTES), server.memory(BYTES));
          return Latency.of(rig, queue, request) / NANOS_PER_MICRO;
        });
  }

  // ---- rates

  private static final int QUEUES = 16;
  private static final int REQUESTS = 60;

  /** Requests of one host in millions a second, when many queues have more to do than it can. */
  private static double rate(Rig rig, Verb verb) {
    TimedHost client = new TimedHost(rig);
    TimedHost server = new TimedHost(rig);
    List<RawQp> queues = new ArrayList<>();
    RawMemory local = client.memory(BYTES);
    RawMemory remote = server.memory(BYTES);
    for (int i = 0; i < QUEUES; i++) {
      RawPair pair = client.connect(server);
      queues.add(pair.left());
    }
    double alone = Latency.of(rig, queues.getFirst(), verb.of(local, remote));
    long begin = rig.clock().nanos();
    Wqe[] requests = new Wqe[REQUESTS];
    Arrays.setAll(requests, i -> verb.of(local, remote));
    for (RawQp queue : queues) {
      Latency.post(queue, requests);
    }
    rig.settle();
    long end = 0;
    for (RawQp queue : queues) {
      end = Math.max(end, Latency.end(queue.sends()));
    }
    return QUEUES * REQUESTS * NANOS_PER_MICRO / (end - begin - alone);
  }
}
