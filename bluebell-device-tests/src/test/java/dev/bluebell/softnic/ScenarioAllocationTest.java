package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations on queues of all kinds allocate nothing, neither in the driver nor in the device. */
class ScenarioAllocationTest {
  private static final int ROUNDS = 1_000;

  /** Code that is still being compiled may allocate; a real allocation happens in all trials. */
  private static final int BYTES = 64;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(1 << 16, Access.rights());
  private final CompletionQueue sends = device.createCompletionQueue(4096);
  private final CompletionQueue receives = device.createCompletionQueue(4096);
  private final CompletionHandler handler = this::take;
  private int polled;
  private int failed;
  private long sum;

  @AfterEach
  void close() {
    device.close();
  }

  private void take(Completion completion) {
    polled++;
    failed += completion.isSuccess() ? 0 : 1;
    sum += completion.id() + completion.byteCount() + completion.opcode().ordinal();
  }

  /** Expects that a round allocates nothing, and has this many successful completions. */
  private void expectNoAllocation(int completions, Runnable round) {
    int[] rounds = {0};
    long least = Trials.leastBytes(() -> bytesAllocated(round, rounds));
    assertThat(failed).as("failed completions").isZero();
    assertThat(polled).isEqualTo(rounds[0] * completions);
    assertThat(least).as("bytes for %d rounds", ROUNDS).isZero();
    assertThat(sum).isNotZero();
  }

  private long bytesAllocated(Runnable round, int[] rounds) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      round.run();
    }
    rounds[0] += ROUNDS;
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void poll() {
    nic.settle();
    int unused = sends.poll(handler, 64) + receives.poll(handler, 64);
  }

  private SharedReceiveQueue sharedReceives() {
    return domain.sharedReceiveQueue().requests(31).create();
  }

  private void receive(SharedReceiveQueue shared, int count) {
    for (int i = 0; i < count; i++) {
      shared.receive().scatter(memory.address(), BYTES, memory.lkey()).post(i);
    }
    shared.ringDoorbell();
  }

  @Test
  void anInitiatorThatReachesManyTargetsAllocatesNothing() {
    SharedReceiveQueue shared = sharedReceives();
    DcInitiator initiator = domain.dcInitiator(sends).create();
    List<DcTargetAddress> targets = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      targets.add(initiator.targetAddress(domain.dcTarget(receives, shared).create().endpoint()));
    }
    expectNoAllocation(
        8,
        () -> {
          for (int i = 0; i < 8; i++) {
            initiator
                .target(targets.get(i))
                .write(memory.address(), memory.rkey())
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .signaled(i);
          }
          initiator.ringDoorbell();
          poll();
        });
  }

  @Test
  void twoTargetsThatShareAReceiveQueueAllocateNothing() {
    SharedReceiveQueue shared = sharedReceives();
    DcInitiator initiator = domain.dcInitiator(sends).create();
    DcTargetAddress first =
        initiator.targetAddress(domain.dcTarget(receives, shared).create().endpoint());
    DcTargetAddress second =
        initiator.targetAddress(domain.dcTarget(receives, shared).create().endpoint());
    expectNoAllocation(
        8,
        () -> {
          receive(shared, 4);
          for (int i = 0; i < 4; i++) {
            initiator
                .target(i % 2 == 0 ? first : second)
                .sendImmediate(i)
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .signaled(i);
          }
          initiator.ringDoorbell();
          poll();
        });
  }

  @Test
  void messagesInAStridingReceiveQueueAllocateNothing() {
    StridingReceiveQueue strides =
        domain.stridingReceiveQueue().requests(3).strides(8).strideBytes(4096).create();
    RcQueuePair left = domain.rcQueuePair(sends).create();
    RcQueuePair right = domain.rcQueuePair(receives).receiveFrom(strides).create();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    strides.entry(memory, 0, 1).post();
    strides.entry(memory, 32 << 10, 2).post();
    strides.ringDoorbell();
    CompletionHandler reader =
        completion -> {
          take(completion);
          sum += completion.stride().address() + completion.stride().offset();
          if (completion.stride().isLast() && completion.stride().entry().release()) {
            completion.stride().entry().post();
          }
        };
    expectNoAllocation(
        8,
        () -> {
          for (int i = 0; i < 4; i++) {
            left.send().gather(memory.address(), BYTES, memory.lkey()).signaled(i);
          }
          left.ringDoorbell();
          nic.settle();
          int unused = sends.poll(handler, 64) + receives.poll(reader, 64);
          strides.ringDoorbell();
        });
  }

  @Test
  void streamsOfAnInitiatorAllocateNothing() {
    SharedReceiveQueue shared = sharedReceives();
    DcStreamInitiator initiator = domain.dcStreamInitiator(sends, 4).create();
    DcTargetAddress target =
        initiator.targetAddress(domain.dcTarget(receives, shared).create().endpoint());
    expectNoAllocation(
        12,
        () -> {
          receive(shared, 4);
          for (int i = 0; i < 4; i++) {
            initiator.stream(i)
                .target(target)
                .read(memory.address(), memory.rkey())
                .scatter(memory.address() + 4096, BYTES, memory.lkey())
                .signaled(i);
            initiator.stream(i)
                .target(target)
                .send()
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .fence()
                .signaled(i);
          }
          initiator.ringDoorbell();
          poll();
        });
  }

  /** A connection whose right end receives by tags. */
  private RcQueuePair senderTo(TagMatchingReceiveQueue tags) {
    RcQueuePair left = domain.rcQueuePair(sends).create();
    RcQueuePair right = domain.rcQueuePair(sends).receiveFrom(tags).create();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    return left;
  }

  @Test
  void addingAndRemovingEightTagsAllocatesNothing() {
    TagMatchingReceiveQueue tags =
        domain.tagMatchingReceiveQueue(receives).tags(15).operations(64).create();
    int[] handles = new int[8];
    int[] refused = {0};
    expectNoAllocation(
        16,
        () -> {
          for (int i = 0; i < 8; i++) {
            handles[i] =
                tags.add(100 + i, -1)
                    .scatter(memory.address(), BYTES, memory.lkey())
                    .signaled(i, i);
          }
          for (int i = 0; i < 8; i++) {
            refused[0] += tags.remove(handles[i], i) ? 0 : 1;
          }
          tags.ringDoorbell();
          poll();
        });
    assertThat(refused[0]).isZero();
    assertThat(tags.exactFreeTags()).isEqualTo(15);
  }

  @Test
  void receivesOfATagMatchingQueueAllocateNothing() {
    int messages = 10;
    TagMatchingReceiveQueue tags =
        domain.tagMatchingReceiveQueue(receives).tags(15).requests(15).create();
    RcQueuePair sender = senderTo(tags);
    TagHeader.eager(memory.segment(), 8192, 7, 0);
    TagHeader.untagged(memory.segment(), 12288);
    expectNoAllocation(
        4 * messages,
        () -> {
          for (int i = 0; i < messages; i++) {
            tags.receive().scatter(memory.address(), BYTES, memory.lkey()).post(i);
            int unused =
                tags.add(7, -1)
                    .scatter(memory.address() + 4096, BYTES, memory.lkey())
                    .unsignaled(i);
          }
          tags.ringReceiveDoorbell();
          tags.ringDoorbell();
          // A message that comes before its tag is unexpected.
          nic.settle();
          for (int i = 0; i < messages; i++) {
            sender.send().gather(memory.address() + 12288, BYTES, memory.lkey()).signaled(i);
            sender.send().gather(memory.address() + 8192, BYTES, memory.lkey()).signaled(i);
          }
          sender.ringDoorbell();
          poll();
          // A signalled completion shows that the unsignalled requests before it are complete.
          tags.synchronize(0, 1);
          tags.ringDoorbell();
          nic.settle();
          int told = receives.poll(handler, 64);
          polled -= told;
        });
  }

  @Test
  void fencedWritesOfReadDataAllocateNothing() {
    RelaxedRcQueuePair queuePair = domain.rcQueuePair(sends).relaxedOrdering().create();
    queuePair.connect(queuePair.endpoint());
    expectNoAllocation(
        4,
        () -> {
          for (int i = 0; i < 4; i++) {
            queuePair
                .read(memory.address(), memory.rkey())
                .scatter(memory.address() + 4096, BYTES, memory.lkey())
                .unsignaled(i);
            queuePair
                .write(memory.address() + 8192, memory.rkey())
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .fence()
                .signaled(i);
          }
          queuePair.ringDoorbell();
          poll();
        });
  }

  @Test
  void manyQueuePairsWithOneCompletionQueueAllocateNothing() {
    List<RcQueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      RcQueuePair queuePair = domain.rcQueuePair(sends).sendQueue(4).maxGather(3).create();
      queuePair.connect(queuePair.endpoint());
      queuePairs.add(queuePair);
    }
    expectNoAllocation(
        32,
        () -> {
          for (int i = 0; i < 16; i++) {
            RcQueuePair queuePair = queuePairs.get(i);
            queuePair
                .write(memory.address(), memory.rkey())
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .signaled(i);
            queuePair
                .maskedCompareAndSwap8(memory.address(), memory.rkey(), 1, 2, 0, 3)
                .scatter(memory.address() + 4096, memory.lkey())
                .signaled(i);
            queuePair.ringDoorbell();
          }
          poll();
        });
  }

  @Test
  void messagesToXrcSharedReceiveQueuesAllocateNothing() {
    XrcDomain xrc = device.allocateXrcDomain();
    XrcSharedReceiveQueue first = domain.xrcSharedReceiveQueue(xrc, receives).create();
    XrcSharedReceiveQueue second = domain.xrcSharedReceiveQueue(xrc, receives).create();
    XrcInitiator initiator = domain.xrcInitiator(sends).create();
    XrcTarget target = xrc.target().create();
    target.connect(initiator.endpoint());
    initiator.connect(target.endpoint());
    expectNoAllocation(
        8,
        () -> {
          for (int i = 0; i < 4; i++) {
            XrcSharedReceiveQueue to = i % 2 == 0 ? first : second;
            to.receive().scatter(memory.address(), BYTES, memory.lkey()).post(i);
            to.ringDoorbell();
            initiator
                .toSharedReceives(to.number())
                .send()
                .gather(memory.address() + 4096, BYTES, memory.lkey())
                .signaled(i);
          }
          initiator.ringDoorbell();
          poll();
        });
  }

  @Test
  void messagesOfUnreliableServicesAllocateNothing() {
    UcQueuePair connection = domain.ucQueuePair(sends).receiveCompletions(receives).create();
    connection.connect(connection.endpoint());
    UdQueuePair datagrams = domain.udQueuePair(sends).receiveCompletions(receives).create();
    AddressHandle itself = datagrams.addressHandle(datagrams.endpoint());
    expectNoAllocation(
        5,
        () -> {
          connection.receive().scatter(memory.address(), BYTES, memory.lkey()).post(1);
          connection.ringReceiveDoorbell();
          datagrams.receive().scatter(memory.address(), 2 * BYTES, memory.lkey()).post(2);
          datagrams.ringReceiveDoorbell();
          connection
              .write(memory.address() + 8192, memory.rkey())
              .gather(memory.address() + 4096, BYTES, memory.lkey())
              .signaled(3);
          connection.send().gather(memory.address() + 4096, BYTES, memory.lkey()).signaled(4);
          connection.ringDoorbell();
          datagrams
              .to(itself)
              .sendImmediate(7)
              .gather(memory.address() + 4096, BYTES, memory.lkey())
              .signaled(5);
          datagrams.ringDoorbell();
          poll();
        });
  }
}
