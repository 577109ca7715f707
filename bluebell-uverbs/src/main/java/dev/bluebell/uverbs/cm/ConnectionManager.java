package dev.bluebell.uverbs.cm;

import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What all clients of a device share of the connection manager: the numbers of ids, the ports, the
 * time. It is also the lock of all ids and files, so a thread that holds it never waits for a
 * client or the device: memory of clients is read and written, and the device is asked, without it.
 * The addresses of the machine are asked of the kernel under it.
 */
final class ConnectionManager {
  private static final Path FIRST_PORT = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  private static final int USUAL_FIRST_PORT = 1024;
  private static final int PSN_BITS = 24;

  private final Ports ports;
  private final RandomGenerator random;
  private final Timer timer;
  private final BitSet used = new BitSet();
  private final Map<Integer, Object> numbered = new HashMap<>();

  /** Runs something later, once. */
  interface Timer {
    void after(long nanos, Runnable action);
  }

  ConnectionManager() {
    this(
        ConnectionManager::isLocal,
        firstPort(),
        new SecureRandom(),
        (nanos, action) ->
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(action));
  }

  ConnectionManager(
      Predicate<InetAddress> local, int firstPort, RandomGenerator random, Timer timer) {
    ports = new Ports(local, firstPort, random);
    this.random = random;
    this.timer = timer;
  }

  private static boolean isLocal(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  // Clients are of the same user.
  private static int firstPort() {
    if (Processes.userId() == 0) {
      return 0;
    }
    try {
      return Integer.parseInt(Files.readString(FIRST_PORT).strip());
    } catch (IOException | NumberFormatException e) {
      return USUAL_FIRST_PORT;
    }
  }

  Ports ports() {
    return ports;
  }

  /** A random PSN, which no client can predict. */
  int psn() {
    return random.nextInt(1 << PSN_BITS);
  }

  /** Makes something that has the lowest free number, as librdmacm keeps a table of numbers. */
  <T> T number(IntFunction<T> maker) {
    int number = used.nextClearBit(0);
    T made = maker.apply(number);
    used.set(number);
    numbered.put(number, made);
    return made;
  }

  void forget(int number) {
    used.clear(number);
    numbered.remove(number);
  }

  /** What a number names. */
  <T> T find(Class<T> kind, int number) {
    @Nullable Object found = numbered.get(number);
    if (!kind.isInstance(found)) {
      throw new Refusal(Errno.ENOENT, "number %d names nothing of the client".formatted(number));
    }
    return kind.cast(found);
  }

  /** Runs something later, under the lock. */
  void after(long nanos, Runnable action) {
    timer.after(
        nanos,
        () -> {
          synchronized (this) {
            action.run();
          }
        });
  }
}
