package dev.bluebell.examples.keyvalue;

import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.examples.shared.Percentiles;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs random operations of clients in this JVM on a server in another, and checks each answer. The
 * clients have different keys but share the buckets, and so contend for them.
 */
public final class KeyValueTrial {
  private static final int BUCKETS = 16_384;
  private static final int KEYS_OF_A_BUCKET = 3;

  private KeyValueTrial() {}

  /**
   * Runs a trial.
   *
   * @param device that of a device process, {@code socket:PATH}
   * @param operations of all clients together
   * @throws IllegalStateException when an answer is wrong
   */
  static List<RandomOperations> run(String device, long operations, int clients, long seed)
      throws IOException, InterruptedException, ExecutionException {
    try (ChildJvm server = ChildJvm.start(KeyValueServer.class, device, "" + BUCKETS);
        Device opened = Device.open(device);
        ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      InetSocketAddress address = server.address();
      List<Future<RandomOperations>> running = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int first = 1 + client;
        running.add(
            threads.submit(
                () -> operate(opened, address, operations / clients, clients, first, seed)));
      }
      List<RandomOperations> done = new ArrayList<>();
      for (Future<RandomOperations> one : running) {
        done.add(one.get());
      }
      return done;
    }
  }

  private static RandomOperations operate(
      Device device, InetSocketAddress server, long operations, int clients, int first, long seed)
      throws IOException {
    try (KeyValueStore store = new RdmaKeyValueStore(device, server)) {
      int keys = BUCKETS * KEYS_OF_A_BUCKET / clients;
      RandomOperations random = new RandomOperations(store, seed + first, keys, first, clients);
      random.run(operations);
      return random;
    }
  }

  /**
   * Runs a trial, and prints its latencies.
   *
   * @param arguments the device; then, if not a million, two and a random one, the numbers of
   *     operations and of clients, and the seed
   */
  public static void main(String... arguments)
      throws IOException, InterruptedException, ExecutionException {
    long operations = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1_000_000;
    int clients = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2;
    long seed = arguments.length > 3 ? Long.parseLong(arguments[3]) : System.nanoTime();
    System.out.printf("%,d operations, %d clients, seed %d%n", operations, clients, seed);
    long start = System.nanoTime();
    List<RandomOperations> done = run(arguments[0], operations, clients, seed);
    System.out.printf(
        "all answers are right, after %.1f s%n%s%n",
        (System.nanoTime() - start) / 1e9, Percentiles.head());
    for (int client = 0; client < clients; client++) {
      System.out.println(
          Percentiles.row("client %d, get".formatted(client), done.get(client).reads));
      System.out.println(
          Percentiles.row("client %d, put or remove".formatted(client), done.get(client).changes));
    }
  }
}
