package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.counter.PortCounter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** An open RDMA device. Thread-safe. */
public interface Device extends AutoCloseable {
  /**
   * Opens the preferred device: the first of the provider with the highest priority.
   *
   * @throws IllegalStateException when there is none
   * @throws HcaException when it can't be opened
   */
  static Device open() {
    for (HcaProvider provider : providers()) {
      List<String> names = provider.names();
      if (!names.isEmpty()) {
        return open(names.getFirst());
      }
    }
    throw new IllegalStateException(
        "there is no RDMA device: add bluebell-softnic to the program for the software ConnectX");
  }

  /**
   * Opens a device by name.
   *
   * @param name one of {@link #names}, perhaps with options as its provider documents
   * @throws IllegalArgumentException when no provider knows the name, or an option is wrong
   * @throws HcaException when it can't be opened
   */
  static Device open(String name) {
    for (HcaProvider provider : providers()) {
      Optional<Hca> hca = provider.open(name);
      if (hca.isPresent()) {
        return over(hca.get());
      }
    }
    throw new IllegalArgumentException(
        "there is no device '%s'%s%s".formatted(name, choice(), missingModule(name)));
  }

  private static String choice() {
    List<String> names = names();
    return names.isEmpty() ? "" : ": choose one of " + String.join(", ", names);
  }

  /** A hint for names that a provider in another module would have taken. */
  private static String missingModule(String name) {
    if (name.startsWith("socket:")) {
      return "; a device process needs bluebell-server at run time, which is not there";
    }
    return name.matches("mlx5_\\d+|(roce|ib)[opsx]\\w+")
        ? "; a card needs bluebell-devx at run time, which is not there"
        : "";
  }

  /**
   * Uses a device that is open already, and owns it from now on: closing this closes it, and so
   * does a failure here.
   */
  static Device over(Hca hca) {
    return driver().over(hca);
  }

  /** Names of the devices that can be opened now, the preferred first. */
  static List<String> names() {
    return providers().stream().flatMap(provider -> provider.names().stream()).toList();
  }

  /** Name of the device. */
  String name();

  /** Limits of the device. */
  DeviceAttributes attributes();

  /**
   * State of a port: its link layer, its LIDs on InfiniBand, its MTU.
   *
   * @param number from 1
   */
  HcaPort port(int number);

  /**
   * What the counters of port 1 are now, in the order of {@link PortCounter}; those that the files
   * of an RDMA device have in {@code counters} and {@code hw_counters}. Of the whole device, for
   * all its clients, since it was opened; a card has those that its kernel has files for, since it
   * was started. Counters of data count units of 4 bytes, those of queues have 32 bits.
   *
   * @throws HcaException when the device does not answer
   */
  Map<PortCounter, Long> counters();

  /**
   * An entry of a port's GID table.
   *
   * @param port from 1
   * @param index from 0
   * @return all zeros when the entry is empty
   */
  Gid gid(int port, int index);

  /**
   * How packets travel that leave from an entry of the port's GID table.
   *
   * @param index of an entry that is not empty
   */
  GidType gidType(int port, int index);

  /** The device clock in cycles, see {@link DeviceAttributes#clockKilohertz}. */
  long clock();

  /**
   * Lets a device that has no thread of its own work. Polling does this by itself; only a program
   * that neither polls nor waits on one side needs it.
   *
   * @return how much was done; 0 for nothing, also when another thread has the device
   */
  int progress();

  /** Explanations and inspection, which only software devices have. */
  Optional<HcaDiagnosis> diagnosis();

  /**
   * Leaves all that was created on this device where it is, and closes this: queues and memory live
   * on without this program, as long as the device does or until they are {@linkplain #residents
   * removed}. Requests that were posted and rung go on; connect queue pairs before. The memory of
   * regions stays mapped here as long as something refers to it.
   *
   * <p>Call it when no other thread uses what is left.
   *
   * @param name by which others find it: 1 … 64 letters, digits, dots, dashes or underscores
   * @return a token by which its owner removes it
   * @throws UnsupportedOperationException when the device lives no longer than this program: only a
   *     device process ({@code socket:PATH}) does
   * @throws HcaException when the device refuses, as it does for memory of this program that it
   *     only borrows, see {@link ProtectionDomain#allocate}; this device is as before
   */
  long handOver(String name);

  /**
   * As {@link #handOver(String)}, with a notice for those who come later.
   *
   * @param notice such as the endpoints of queue pairs that are not connected, which clients may
   *     {@linkplain #join join}; at most 8192 characters
   */
  long handOver(String name, String notice);

  /**
   * Connects a reliable queue pair that a program has left, and nobody has joined, to one of this
   * program.
   *
   * @param resident its name
   * @param seat the endpoint of the queue pair that was left
   * @param own the endpoint of this program's queue pair, which connects to the seat itself
   * @throws HcaException when there is no such queue pair, or another client has it
   * @throws IllegalStateException when nothing can be left on this device
   */
  void join(String resident, QueuePairEndpoint seat, QueuePairEndpoint own);

  /** What programs have left on the device; empty when the device ends with this program. */
  Optional<HcaResidents> residents();

  /** Allocates a protection domain. */
  ProtectionDomain allocateProtectionDomain();

  /** Allocates a domain of extended reliable connections. */
  XrcDomain allocateXrcDomain();

  /**
   * Creates a completion queue.
   *
   * @param entries completions that it shall hold at least; rounded up to a power of two. It
   *     overruns when more requests complete than are polled, so choose at least the number of
   *     requests that can be outstanding on all queues that report to it.
   */
  CompletionQueue createCompletionQueue(int entries);

  /** Creates a completion queue with options, as {@link #createCompletionQueue(int)}. */
  CompletionQueue createCompletionQueue(int entries, CompletionQueueOptions options);

  /**
   * Allocates memory of the device itself, zeroed or not.
   *
   * @param bytes at least 1; the device rounds it up to its unit
   * @throws UnsupportedOperationException when the device has none that this program can reach
   * @throws HcaException when there is no more
   */
  DeviceMemory allocateDeviceMemory(long bytes);

  /** Opens a channel on which a thread waits for many completion queues. */
  CompletionChannel openCompletionChannel();

  /**
   * The next asynchronous event; null when there is none now. The handler of a {@linkplain
   * SharedReceiveQueue#arm limit} runs in this call when its event is taken.
   */
  @Nullable AsyncEvent pollEvent();

  /**
   * Waits for the next asynchronous event, and handles it as {@link #pollEvent} does.
   *
   * @param timeout how long at most
   * @return null when the time is over or the device was closed
   */
  @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException;

  /**
   * Remembers from now on where objects are created, for {@link #openObjects}: in tests, as it
   * costs each of them a stack trace.
   */
  void traceCreations();

  /** What was created on the device and is not closed, in the order of creation. */
  List<OpenObject> openObjects();

  /** Closes what was created on the device and still exists, and the device. Idempotent. */
  @Override
  void close();

  private static List<HcaProvider> providers() {
    return ServiceLoader.load(HcaProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(HcaProvider::priority).reversed())
        .toList();
  }

  private static Driver driver() {
    return ServiceLoader.load(Driver.class, Driver.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("bluebell-verbs is incomplete: no driver"));
  }
}
