package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.counter.PortCounter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** An open RDMA device. Thread-safe. */
public interface Device extends AutoCloseable {
  /**
   * Opens the preferred device: the first of the provider with the highest priority.
   *
   * @throws IllegalStateException when there is no device
   * @throws HcaException when it cannot be opened
   */
  static Device open() {
    for (HcaProvider provider : HcaProvider.all()) {
      List<String> names = provider.names();
      if (!names.isEmpty()) {
        return open(names.getFirst());
      }
    }
    throw new IllegalStateException(
        "there is no RDMA device: add bluebell-softnic to the application for the software"
            + " ConnectX");
  }

  /**
   * Opens a device by name.
   *
   * @param name one of {@link #names}, possibly with options as its provider documents
   * @throws IllegalArgumentException when no provider knows the name, or an option is wrong
   * @throws HcaException when it cannot be opened
   */
  static Device open(String name) {
    return over(HcaProvider.require(Objects.requireNonNull(name, "the name is null")));
  }

  /**
   * Drives a device that is already open, and takes ownership: closing the result closes the
   * device, and so does a failure of this call.
   */
  static Device over(Hca hca) {
    return driver().over(Objects.requireNonNull(hca, "the device is null"));
  }

  /** Names of the devices that can be opened now, the preferred first. */
  static List<String> names() {
    return HcaProvider.all().stream().flatMap(provider -> provider.names().stream()).toList();
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
   * Reads the counters of port 1, in the order of {@link PortCounter}: those of the sysfs
   * directories {@code counters} and {@code hw_counters}. A software device counts from when it was
   * opened, for all its clients together; a card counts from when it was started, and has only the
   * counters for which its kernel has files. Data counters count units of 4 bytes; counters of
   * queues have 32 bits.
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
   * Type of an entry of the port's GID table.
   *
   * @param index index of an entry that is not empty
   */
  GidType gidType(int port, int index);

  /** The device clock in cycles, see {@link DeviceAttributes#clockKilohertz}. */
  long clock();

  /**
   * Runs a device that has no thread of its own. Polling and waiting do this as well; only an
   * application with an end that neither polls nor waits needs this method.
   *
   * @return amount of work done; 0 when there was none or another thread is running the device
   */
  int progress();

  /** Explanations and inspection, which only software devices have. */
  Optional<HcaDiagnosis> diagnosis();

  /**
   * Closes this device but leaves what was created on it: queues and memory outlive this process,
   * until the device ends or they are {@linkplain #residents removed}. Requests that were posted
   * and rung continue; connect queue pairs first. The memory of regions stays mapped in this
   * process as long as something refers to it.
   *
   * <p>Call it when no other thread uses these objects.
   *
   * @param name name by which clients find the objects: 1 … 64 letters, digits, dots, dashes or
   *     underscores
   * @return a token with which their owner can remove them
   * @throws UnsupportedOperationException when the device ends with this process; only a device
   *     process ({@code socket:PATH}) does not
   * @throws HcaException when the device refuses, for example because a region's memory belongs to
   *     this process alone, see {@link ProtectionDomain#allocate}; this device is unchanged
   */
  default long handOver(String name) {
    return handOver(name, "");
  }

  /**
   * As {@link #handOver(String)}, with a notice for later clients.
   *
   * @param notice for example the endpoints of unconnected queue pairs, which clients may
   *     {@linkplain #join join}; at most 8192 characters
   */
  long handOver(String name, String notice);

  /**
   * Connects a reliable queue pair that a client left on the device to one of this process. Only
   * one client can join it.
   *
   * @param resident name under which it was left
   * @param seat the endpoint of the queue pair that was left
   * @param own the endpoint of this process's queue pair, which must itself connect to {@code seat}
   * @throws HcaException when there is no such queue pair, or another client has it
   * @throws IllegalStateException when clients cannot leave objects on this device
   */
  void join(String resident, QueuePairEndpoint seat, QueuePairEndpoint own);

  /**
   * Opens a file of the RDMA connection manager; applications use {@code Connections.rdmaCm} of
   * bluebell-connect instead. Closing the device closes it.
   *
   * @return empty for a software device in this process, which has no connection manager
   * @throws HcaException when it cannot be opened
   */
  Optional<HcaConnectionManager> openConnectionManager();

  /** Objects that clients have left on the device; empty when the device ends with this process. */
  Optional<HcaResidents> residents();

  /** Allocates a protection domain. */
  ProtectionDomain allocateProtectionDomain();

  /** Allocates a domain of extended reliable connections. */
  XrcDomain allocateXrcDomain();

  /**
   * Creates a completion queue.
   *
   * @param entries minimum number of completions that it can hold; rounded up to a power of two. It
   *     overruns when more requests complete than are polled, so choose at least the number of
   *     requests that can be outstanding on all queues that complete to it.
   */
  default CompletionQueue createCompletionQueue(int entries) {
    return createCompletionQueue(entries, CompletionQueueOptions.DEFAULT);
  }

  /** Creates a completion queue with options, as {@link #createCompletionQueue(int)}. */
  CompletionQueue createCompletionQueue(int entries, CompletionQueueOptions options);

  /**
   * Allocates memory of the device itself. Its contents are undefined.
   *
   * @param bytes at least 1; the device rounds it up to its unit
   * @throws UnsupportedOperationException when the device has no memory that this process can reach
   * @throws HcaException when its memory is exhausted
   */
  DeviceMemory allocateDeviceMemory(long bytes);

  /** Opens a channel on which a thread waits for many completion queues. */
  CompletionChannel openCompletionChannel();

  /**
   * Takes the next asynchronous event; null when there is none. This call runs the handler of a
   * {@linkplain SharedReceiveQueue#arm limit} when it takes that event. If the handler throws, so
   * does this call, which then does not return the event.
   */
  @Nullable AsyncEvent pollEvent();

  /**
   * Waits for the next asynchronous event, and handles it as {@link #pollEvent} does.
   *
   * @param timeout maximum time to wait
   * @return null on timeout, or when the device was closed
   * @throws dev.bluebell.hca.DeviceLostException when the device is lost and there is no event
   */
  @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException;

  /**
   * Records from now on where objects are created, for {@link #openObjects}. Meant for tests: each
   * creation takes a stack trace.
   */
  void traceCreations();

  /** Objects of the device that are not closed, in the order of creation. */
  List<OpenObject> openObjects();

  /**
   * Closes the device and all its objects that are still open. Idempotent. As soon as it begins,
   * creating objects throws {@link ClosedException}, also in threads that have begun to create one:
   * the close waits for these.
   */
  @Override
  void close();

  private static Driver driver() {
    return ServiceLoader.load(Driver.class, Driver.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("bluebell-verbs is incomplete: no driver"));
  }
}
