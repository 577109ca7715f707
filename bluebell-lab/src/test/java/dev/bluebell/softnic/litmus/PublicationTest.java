package dev.bluebell.softnic.litmus;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.litmus.Duel;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A driver on one thread and the device on another, in small queues whose slots are soon used
 * again: every doorbell is seen, and each side sees everything that the other published. A receive
 * is posted just before the SEND that needs it and is never retried.
 */
class PublicationTest {
  private static final int MESSAGES = Integer.getInteger("bluebell.litmus.rounds", 100_000);
  private static final int DEPTH = 4;
  private static final int SLOT_BYTES = 64;
  private static final int SPINS_BEFORE_YIELD = 300;

  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(2 * DEPTH * SLOT_BYTES, LOCAL_WRITE);
  private final CompletionQueue sends = device.createCompletionQueue(DEPTH);
  private final CompletionQueue receives = device.createCompletionQueue(DEPTH);
  private final RcQueuePair left = queuePair();
  private final RcQueuePair right = queuePair();
  private final AtomicBoolean stop = new AtomicBoolean();

  /** Steps in which the device found nothing to do. */
  private final AtomicLong idleSteps = new AtomicLong();

  private int sent;
  private int received;

  private RcQueuePair queuePair() {
    return domain
        .rcQueuePair(sends)
        .receiveCompletions(receives)
        .sendQueue(DEPTH)
        .receiveQueue(DEPTH)
        .create();
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void eachSideSeesWhatTheOtherPublishes() throws InterruptedException {
    Duel.assumeSeveralProcessors();
    ConnectOptions once = ConnectOptions.DEFAULT.withRnrRetry(0).withTimeout(0);
    left.connect(right.endpoint(), once);
    right.connect(left.endpoint(), once);
    Thread engine = Thread.ofPlatform().name("engine").start(this::run);
    try {
      long start = System.nanoTime();
      int messages = MESSAGES;
      for (int posted = 0; received < messages; ) {
        if (posted < messages && posted - Math.min(sent, received) < DEPTH) {
          post(posted++);
          // A request is under way here; otherwise all steps would be idle.
          if (posted % 16 == 0 && Duel.isEnough(start)) {
            messages = posted;
          }
        } else {
          await(posted);
        }
      }
    } finally {
      stop.set(true);
      engine.join();
    }
    // The two queue pairs share a page, so one's doorbell may have overwritten the other's.
    assertThat(nic.diagnosis().orElseThrow().explanations())
        .allMatch(line -> line.contains("whose own doorbell was not seen"));
  }

  private void run() {
    while (!stop.get()) {
      if (nic.step() == 0) {
        idleSteps.getAndIncrement();
        Thread.onSpinWait();
      }
    }
  }

  private static int slot(int message) {
    return message % DEPTH * SLOT_BYTES;
  }

  private static int bytes(int message) {
    return 8 + message % (SLOT_BYTES - 8);
  }

  private void post(int message) {
    long from = memory.address() + slot(message);
    long to = from + DEPTH * SLOT_BYTES;
    right.receive().scatter(to, SLOT_BYTES, memory.lkey()).post(message);
    right.ringReceiveDoorbell();
    memory.segment().set(ValueLayout.JAVA_LONG, slot(message), message);
    left.sendImmediate(message).gather(from, bytes(message), memory.lkey()).signaled(message);
    left.ringDoorbell();
  }

  /** Polls until something completes; everything has rung, so the device must not come to rest. */
  private void await(int posted) {
    int before = sent + received;
    long idle = idleSteps.get();
    for (int spins = 0; sent + received == before; spins++) {
      long idleBeforePoll = idleSteps.get() - idle;
      sends.poll(this::takeSend);
      receives.poll(this::takeReceive);
      if (sent + received == before) {
        // One idle step may have begun before the last doorbell.
        assertThat(idleBeforePoll)
            .as("idle steps with %d posted, %d sent, %d received", posted, sent, received)
            .isLessThan(3);
        if (spins < SPINS_BEFORE_YIELD) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
    }
  }

  private void takeSend(Completion completion) {
    assertThat(completion.isSuccess() && completion.id() == sent)
        .as(completion.explanation())
        .isTrue();
    sent++;
  }

  private void takeReceive(Completion completion) {
    int message = received++;
    boolean right =
        completion.isSuccess()
            && completion.id() == message
            && completion.immediate() == message
            && completion.byteCount() == bytes(message)
            && memory.segment().get(ValueLayout.JAVA_LONG, slot(message) + DEPTH * SLOT_BYTES)
                == message;
    assertThat(right).as("message %d arrived as %s", message, completion).isTrue();
  }
}
