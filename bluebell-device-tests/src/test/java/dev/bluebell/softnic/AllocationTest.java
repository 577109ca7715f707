package dev.bluebell.softnic;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Once compiled, posting, executing and polling allocate nothing on the Java heap, neither in the
 * driver nor in the device with its checks and its flight recorder. Everything runs in the test's
 * thread.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AllocationTest {
  private static final int BATCH = 16;
  private static final int OPERATIONS = 200_000;

  /** Code that is still being compiled may allocate; a real allocation happens in all trials. */
  private static final int LARGE = 10_000;

  private static final int SMALL = 32;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory =
      domain.allocate(1 << 16, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
  private final CompletionQueue sends = device.createCompletionQueue(64);
  private final CompletionQueue receives = device.createCompletionQueue(64);
  private final RcQueuePair plain = queuePair(false);
  private final RcQueuePair blueFlame = queuePair(true);
  private final byte[] array = new byte[SMALL];
  private long sum;
  private int polled;
  private int trials;
  private final CompletionHandler handler = this::take;

  private RcQueuePair queuePair(boolean blue) {
    return domain
        .rcQueuePair(sends)
        .receiveCompletions(receives)
        .sendQueue(64)
        .receiveQueue(64)
        .maxGather(4)
        .maxInline(SMALL)
        .blueFlame(blue)
        .access(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC)
        .create();
  }

  @BeforeAll
  void connect() {
    plain.connect(blueFlame.endpoint());
    blueFlame.connect(plain.endpoint());
  }

  @AfterAll
  void close() {
    device.close();
  }

  /** A request, and whether it consumes a receive. */
  private enum Request {
    NOP,
    SEND,
    SEND_WITH_IMMEDIATE,
    SEND_INLINE,
    WRITE,
    WRITE_OF_SEVERAL_PACKETS,
    WRITE_GATHERED,
    WRITE_FENCED,
    WRITE_INLINE,
    WRITE_INLINE_OF_AN_ARRAY,
    WRITE_WITH_IMMEDIATE,
    READ,
    READ_SCATTERED,
    COMPARE_AND_SWAP,
    FETCH_AND_ADD;

    boolean takesReceive() {
      return name().startsWith("SEND") || this == WRITE_WITH_IMMEDIATE;
    }
  }

  private enum Poll {
    HANDLER,
    VIEW,
    SIXTEEN_AT_ONCE
  }

  private static final Poll[] POLLS = Poll.values();

  @ParameterizedTest
  @EnumSource
  void aRequestAndItsCompletionAllocateNothing(Request request) {
    int before = polled;
    trials = 0;
    assertThat(Trials.leastBytes(() -> bytesAllocated(request)))
        .as("bytes for %d operations, each polled in one of three ways", OPERATIONS)
        .isZero();
    int completions = request.takesReceive() ? 2 : 1;
    assertThat(polled - before).isEqualTo(trials * OPERATIONS * completions);
    assertThat(sum).isNotZero();
  }

  private long bytesAllocated(Request request) {
    trials++;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < OPERATIONS / BATCH; i++) {
      operate((i & 1) == 0 ? plain : blueFlame, request, POLLS[i % POLLS.length]);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void operate(RcQueuePair queuePair, Request request, Poll polling) {
    boolean single = polling != Poll.SIXTEEN_AT_ONCE;
    for (int i = 0; i < BATCH; i++) {
      if (request.takesReceive()) {
        RcQueuePair peer = queuePair.equals(plain) ? blueFlame : plain;
        peer.receive().scatter(memory.address(), SMALL, memory.lkey()).post(i);
        peer.ringReceiveDoorbell();
      }
      post(queuePair, request, i);
      if (single) {
        queuePair.ringDoorbell();
        nic.settle();
        poll(sends, polling);
        poll(receives, polling);
      }
    }
    if (!single) {
      queuePair.ringDoorbell();
      nic.settle();
      poll(sends, polling);
      poll(receives, polling);
    }
  }

  private void post(RcQueuePair queuePair, Request request, long id) {
    long there = memory.address() + 32_768;
    long here = memory.address();
    int rkey = memory.rkey();
    int lkey = memory.lkey();
    switch (request) {
      case NOP -> queuePair.nop().signaled(id);
      case SEND -> queuePair.send().gather(here, SMALL, lkey).signaled(id);
      case SEND_WITH_IMMEDIATE -> queuePair.sendImmediate(7).gather(here, SMALL, lkey).signaled(id);
      case SEND_INLINE -> queuePair.send().inline(array, 0, SMALL).signaled(id);
      case WRITE -> queuePair.write(there, rkey).gather(here, SMALL, lkey).signaled(id);
      case WRITE_OF_SEVERAL_PACKETS ->
          queuePair.write(there, rkey).gather(here, LARGE, lkey).signaled(id);
      case WRITE_GATHERED ->
          queuePair
              .write(there, rkey)
              .gather(here, 5, lkey)
              .gather(here + 64, 20, lkey)
              .gather(here + 128, 7, lkey)
              .signaled(id);
      case WRITE_FENCED ->
          queuePair.write(there, rkey).gather(here, SMALL, lkey).fence().signaled(id);
      case WRITE_INLINE ->
          queuePair.write(there, rkey).inline(memory.segment(), 0, SMALL).signaled(id);
      case WRITE_INLINE_OF_AN_ARRAY ->
          queuePair.write(there, rkey).inline(array, 0, SMALL).signaled(id);
      case WRITE_WITH_IMMEDIATE ->
          queuePair.writeImmediate(there, rkey, 7).gather(here, SMALL, lkey).signaled(id);
      case READ -> queuePair.read(there, rkey).scatter(here, SMALL, lkey).signaled(id);
      case READ_SCATTERED ->
          queuePair
              .read(there, rkey)
              .scatter(here, 8, lkey)
              .scatter(here + 64, SMALL, lkey)
              .signaled(id);
      case COMPARE_AND_SWAP ->
          queuePair.compareAndSwap(there, rkey, 1, 2).scatter(here, lkey).signaled(id);
      case FETCH_AND_ADD -> queuePair.fetchAndAdd(there, rkey, 1).scatter(here, lkey).signaled(id);
    }
  }

  private void poll(CompletionQueue completions, Poll polling) {
    if (polling == Poll.VIEW) {
      Completion completion = completions.poll();
      if (completion != null) {
        take(completion);
      }
    } else {
      completions.poll(handler, BATCH);
    }
  }

  private void take(Completion completion) {
    polled += completion.isSuccess() ? 1 : 0;
    sum +=
        completion.id()
            + completion.opcode().ordinal()
            + completion.byteCount()
            + completion.timestamp();
    sum += completion.hasImmediate() ? completion.immediate() : completion.status().ordinal() + 1;
  }
}
