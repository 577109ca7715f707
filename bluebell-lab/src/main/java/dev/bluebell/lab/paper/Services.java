package dev.bluebell.lab.paper;

import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.MemoryRegion;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/** Latencies of the paper's services for a client, in virtual time, in microseconds. */
final class Services {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int CALLS = 15;

  /**
   * Time between two calls of a client among writers, chosen so that calls meet them in any state.
   */
  private static final int PAUSE_NANOS = 23_457;

  private Services() {}

  private static double micros(Timing timing, ToDoubleFunction<Testbed> nanos) {
    try (Testbed bed = Testbed.open(timing)) {
      return nanos.applyAsDouble(bed) / NANOS_PER_MICRO;
    }
  }

  /** One READ of a value. */
  static double read(Timing timing, int bytes) {
    return micros(
        timing,
        bed -> {
          Node server = bed.node();
          Client client = new Client(bed, bytes);
          Queue queue = client.queue();
          queue.connect(server.master());
          return client.read(server.memory(bytes), queue);
        });
  }

  /** A hash get whose first bucket has the key. */
  static double get(Timing timing, int bytes) {
    return gets(timing, bytes, true);
  }

  /** A hash get whose second bucket has the key, with one worker. */
  static double sequential(Timing timing, int bytes) {
    return gets(timing, bytes, false, true);
  }

  private static double gets(Timing timing, int bytes, boolean... found) {
    return micros(
        timing,
        bed -> {
          Node server = bed.node();
          Client client = new Client(bed, bytes);
          Gets gets = new Gets(bed, server, client, server.memory(bytes), found);
          for (int i = 0; i < found.length; i++) {
            client.message(gets.asking());
          }
          long begin = client.start(gets.asking());
          bed.rest();
          return gets.asking().lastReceive() - begin;
        });
  }

  /** As {@link #sequential}, with a worker and a connection for each bucket. */
  static double parallel(Timing timing, int bytes) {
    return micros(
        timing,
        bed -> {
          Node server = bed.node();
          Client client = new Client(bed, bytes);
          MemoryRegion value = server.memory(bytes);
          Queue first = new Gets(bed, server, client, value, false).asking();
          Queue second = new Gets(bed, server, client, value, true).asking();
          client.message(first);
          client.message(second);
          long begin = client.start(first);
          client.start(second);
          bed.rest();
          return second.lastReceive() - begin;
        });
  }

  /**
   * A list walk, the mean over all positions of the key.
   *
   * @param range number of nodes among which the key is, from the first
   */
  static double walk(Timing timing, int range, boolean breaks) {
    double sum = 0;
    for (int found = 0; found < range; found++) {
      int node = found;
      sum += micros(timing, bed -> Walk.follow(bed, node, breaks));
    }
    return sum / range;
  }

  /** A hash get in which a server's processor looks up the key. */
  static double twoSided(Timing timing, int bytes, double serviceMicros) {
    return micros(
        timing,
        bed -> {
          Server server = new Server(bed.node(), serviceMicros, timing);
          Client client = new Client(bed, bytes);
          Queue queue = client.queue();
          server.serve(queue, client.result());
          client.message(queue);
          long begin = client.start(queue);
          return await(bed, queue, server::look) - begin;
        });
  }

  /** A hash get by the card, while writers keep the server's processor busy. */
  static double amongWriters(Timing timing, int writers, double serviceMicros) {
    return micros(
        timing,
        bed -> {
          Node node = bed.node();
          Server server = new Server(node, serviceMicros, timing);
          Client client = new Client(bed, Verbs.BYTES);
          boolean[] found = new boolean[CALLS];
          Arrays.fill(found, true);
          Queue queue = new Gets(bed, node, client, node.memory(Verbs.BYTES), found).asking();
          return mean(bed, client, queue, server, writers);
        });
  }

  /** A hash get by the server's processor, while writers keep it busy. */
  static double twoSidedAmongWriters(Timing timing, int writers, double serviceMicros) {
    return micros(
        timing,
        bed -> {
          Server server = new Server(bed.node(), serviceMicros, timing);
          Client client = new Client(bed, Verbs.BYTES);
          Queue queue = client.queue();
          server.serve(queue, client.result());
          return mean(bed, client, queue, server, writers);
        });
  }

  private static double mean(Testbed bed, Client client, Queue queue, Server server, int count) {
    Writers writers = new Writers(bed, server, count);
    Runnable others =
        () -> {
          server.look();
          writers.look();
        };
    writers.start();
    double sum = 0;
    for (int call = 0; call < CALLS; call++) {
      long until = bed.now() + PAUSE_NANOS;
      while (bed.now() < until && bed.turn()) {
        others.run();
      }
      client.message(queue);
      long begin = client.start(queue);
      sum += await(bed, queue, others) - begin;
    }
    return sum / CALLS;
  }

  /** Waits for a message; runs the processors after each turn of the device. */
  private static long await(Testbed bed, Queue queue, Runnable look) {
    while (true) {
      long came = queue.nextReceive();
      if (came >= 0) {
        return came;
      }
      if (!bed.turn()) {
        throw new IllegalStateException("no message came before the device came to rest");
      }
      look.run();
    }
  }
}
