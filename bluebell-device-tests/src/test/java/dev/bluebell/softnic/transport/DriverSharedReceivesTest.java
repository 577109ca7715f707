package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of queue pairs of a shared receive queue, on the device. */
class DriverSharedReceivesTest {
  private static final int BYTES = 40_000;

  // With this seed, the network loses packets in the middle of the message.
  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT
              .withEngine(EngineMode.STEPPED)
              .withClock(new ManualClock())
              .withLoss(LossOptions.none(3).withLoss(0.3)));
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(BYTES, Access.LOCAL_WRITE);
  private final CompletionQueue completions = device.createCompletionQueue(16);
  private final SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(1).create();
  private final RcQueuePair sender = domain.rcQueuePair(completions).create();
  private final RcQueuePair receiver =
      domain.rcQueuePair(completions).receiveFrom(receives).create();

  /** The sender ends in the middle of a message. */
  @BeforeEach
  void receiveHalfAMessage() {
    receives.receive().scatter(memory, 0, BYTES).post(7);
    receives.ringDoorbell();
    sender.connect(receiver.endpoint());
    receiver.connect(sender.endpoint());
    sender.send().gather(memory, 0, BYTES).signaled(1);
    sender.ringDoorbell();
    run();
    sender.close();
    run();
  }

  @AfterEach
  void close() {
    device.close();
  }

  private void run() {
    while (nic.step() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aRequestOfAMessageThatWasArrivingIsFreeAfterItsFlushWasPolled() {
    receiver.toError();
    run();
    AsyncEvent event = device.pollEvent();
    assertThat(event).isNotNull();
    assertThat(event.type()).isEqualTo(AsyncEvent.Type.LAST_WQE_REACHED);
    assertThat(event.number()).isEqualTo(receiver.number());
    assertThat(receives.exactFreeReceives()).isZero();
    Completion flushed = completions.poll();
    assertThat(flushed).isNotNull();
    assertThat(flushed.id()).isEqualTo(7);
    assertThat(flushed.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(receives.exactFreeReceives()).isEqualTo(1);
  }

  @Test
  void aQueuePairThatIsClosedWithoutTheErrorStateKeepsTheRequestOfSuchAMessage() {
    receiver.close();
    run();
    assertThat(completions.poll()).isNull();
    assertThat(receives.exactFreeReceives()).isZero();
  }
}
