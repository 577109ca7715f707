package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ReceivingQueuePairBuilder;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.WriteOperations;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The end on the software ConnectX. */
final class OwnEnd implements End, AutoCloseable {
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /**
   * Pause of the polling loop, since the device and the virtual machine need the processors more.
   */
  private static final long PAUSE_NANOS = 20_000;

  /** Entry of the GID table with the device's address on the network. */
  private static final int GID_INDEX = 3;

  private static final int REQUESTS = 256;
  private static final int READS = 4;

  private final Gid gid;
  private final Gid peer;
  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final MemoryRegion region;
  private final ReceivingQueuePair queue;

  private @Nullable AddressHandle destination;

  OwnEnd(Device device, Network network, Settings settings, int qkey) {
    gid = network.own();
    peer = network.guest();
    domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(4 * REQUESTS);
    region = domain.allocate(MEMORY, Access.rights());
    queue =
        switch (settings.service()) {
          case RC ->
              sized(domain.rcQueuePair(completions)).initialPsn(settings.firstPsn()).create();
          case UC ->
              sized(domain.ucQueuePair(completions)).initialPsn(settings.firstPsn()).create();
          case UD -> sized(domain.udQueuePair(completions)).queueKey(qkey).create();
        };
  }

  private static <B extends ReceivingQueuePairBuilder<B>> B sized(B builder) {
    return builder.gidIndex(GID_INDEX).sendQueue(REQUESTS).receiveQueue(REQUESTS);
  }

  int qpn() {
    return queue.number();
  }

  void connect(Settings settings, int peerQpn, int qkey) {
    if (queue instanceof UdQueuePair datagrams) {
      destination = datagrams.addressHandle(new UdEndpoint(peer, peerQpn, qkey, settings.mtu()));
      return;
    }
    QueuePairEndpoint end =
        new QueuePairEndpoint(peer, peerQpn, settings.firstPsn(), settings.mtu(), READS);
    ConnectOptions options =
        ConnectOptions.DEFAULT
            .withPathMtu(settings.mtu())
            .withMaxReads(READS)
            .withTimeout(settings.timeout())
            .withRetryCount(settings.retries())
            .withRnrRetry(settings.rnrRetries());
    ((ConnectedQueuePair) queue).connect(end, options);
  }

  @Override
  public String name() {
    return "ours";
  }

  @Override
  public Gid gid() {
    return gid;
  }

  @Override
  public long address(int offset) {
    return region.address() + offset;
  }

  @Override
  public int rkey() {
    return region.rkey();
  }

  @Override
  public void receive(long id, int offset, int bytes) {
    queue.receive().scatter(region, offset, bytes).post(id);
    queue.ringReceiveDoorbell();
  }

  @Override
  public void post(long id, Verb verb, int offset, int bytes, long remote, int key, int immediate) {
    if (verb == Verb.READ) {
      ((RcQueuePair) queue).read(remote, key).scatter(region, offset, bytes).signaled(id);
    } else {
      RequestData request =
          switch (verb) {
            case SEND -> messages().send();
            case SEND_IMM -> messages().sendImmediate(immediate);
            case WRITE -> ((WriteOperations) queue).write(remote, key);
            case WRITE_IMM -> ((WriteOperations) queue).writeImmediate(remote, key, immediate);
            case READ -> throw new IllegalStateException();
          };
      request.gather(region, offset, bytes).signaled(id);
    }
    queue.ringDoorbell();
  }

  private MessageOperations messages() {
    return queue instanceof UdQueuePair datagrams
        ? datagrams.to(Objects.requireNonNull(destination))
        : (MessageOperations) queue;
  }

  @Override
  public void fetchAndAdd(long id, int offset, long remote, int key, long add) {
    AtomicScatter request = ((RcQueuePair) queue).fetchAndAdd(remote, key, add);
    request.scatter(region, offset).signaled(id);
    queue.ringDoorbell();
  }

  @Override
  public void compareAndSwap(long id, int offset, long remote, int key, long compare, long swap) {
    AtomicScatter request = ((RcQueuePair) queue).compareAndSwap(remote, key, compare, swap);
    request.scatter(region, offset).signaled(id);
    queue.ringDoorbell();
  }

  @Override
  public List<Done> await(int count) {
    List<Done> done = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (done.size() < count) {
      Completion completion = completions.poll();
      if (completion != null) {
        done.add(Done.of(completion));
      } else if (System.nanoTime() - end > 0) {
        throw new Disagreement(
            "ours has %d of %d completions: %s. %s"
                .formatted(done.size(), count, done, queue.diagnose()));
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return done;
  }

  private MemorySegment memory() {
    return region.segment();
  }

  @Override
  public void fill(int offset, int bytes, long seed) {
    for (int i = 0; i < bytes; i++) {
      memory().set(ValueLayout.JAVA_BYTE, offset + i, End.pattern(seed, i));
    }
  }

  @Override
  public String differs(int offset, int bytes, long seed) {
    for (int i = 0; i < bytes; i++) {
      if (memory().get(ValueLayout.JAVA_BYTE, offset + i) != End.pattern(seed, i)) {
        return "differs at " + i;
      }
    }
    return "";
  }

  @Override
  public long get(int offset) {
    return memory().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  @Override
  public void put(int offset, long value) {
    memory().set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  @Override
  public void close() {
    queue.close();
    region.close();
    completions.close();
    domain.close();
  }
}
