package dev.bluebell.softnic.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.litmus.Duel;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue.Fetch;
import dev.bluebell.verbs.Completion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A doorbell that rings while the device takes an earlier one is not lost, and the device sees its
 * WQE and record. The driver writes WQE, record, register; the device clears the register, then
 * reads record and WQE. Without the device's fence between clearing and reading, a processor may
 * read the old record and clear the new doorbell.
 */
class DoorbellLitmusTest {
  private static final int CACHE_LINES = 8;
  private static final long EARLIER_DOORBELL = 1;

  private final MemorySegment litterMemory = Arena.ofAuto().allocate(64 * CACHE_LINES, 64);
  private final long litter = litterMemory.address();
  private final Fault fault = new Fault();
  private int faults;
  private int lastId;

  /** Pending stores of the processor, like those of a device that has just moved data. */
  private void storeElsewhere(int round) {
    for (int i = round / Duel.DELAYS % CACHE_LINES; i > 0; i--) {
      Memory.putLong(litter + 64L * i, round);
    }
  }

  /** Takes the cache lines away from the device again. */
  private void readElsewhere() {
    for (int i = 0; i < CACHE_LINES; i++) {
      faults += Memory.getLong(litter + 64L * i) < 0 ? 1 : 0;
    }
  }

  private void serveSends(Queues queues) {
    while (isRung(queues.page)) {
      if (queues.deviceSends.look()) {
        faults += queues.deviceSends.fetch(fault) == Fetch.WQE ? 0 : 1;
        queues.deviceSends.retire(1);
      }
    }
  }

  private static boolean isRung(UarPage page) {
    for (int i = 0; i < UarPage.BUFFERS; i++) {
      if (page.takeSendDoorbell(i) != UarPage.IDLE) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest(name = "BlueFlame {0}")
  @ValueSource(booleans = {false, true})
  void aSendDoorbellIsSeenAndItsRequestIsThere(boolean blueFlame) throws InterruptedException {
    Queues queues = new Queues(blueFlame);
    Duel.run(
        round -> {
          Duel.delay(round);
          queues.driverSends.nop().signaled(round);
          queues.driverSends.ringDoorbell();
        },
        round -> {
          storeElsewhere(round);
          serveSends(queues);
        },
        judge(queues));
  }

  /**
   * Lets both sides come to rest, judges, and puts earlier doorbells in place for the next round.
   */
  private Duel.Side judge(Queues queues) {
    return round -> {
      serveSends(queues);
      assertThat(faults).as("requests that were missing, by round %d", round).isZero();
      assertThat(queues.deviceSends.producer())
          .as("send counter that the device knows after the doorbell of round %d", round)
          .isEqualTo(queues.driverSends.producerIndex() & 0xffff);
      completeLast(queues);
      for (int i = 0; i < 2; i++) {
        Memory.putLong(
            queues.page.address() + Uar.BLUEFLAME + (long) i * Uar.BLUEFLAME_BUFFER_BYTES,
            EARLIER_DOORBELL);
      }
      readElsewhere();
    };
  }

  private void completeLast(Queues queues) {
    int index = queues.driverSends.producerIndex() - 1 & 0xffff;
    queues.deviceCompletions.completeRequest(Queues.QPN, queues.userIndex, WqeOpcode.NOP, index, 0);
    Completion completion = queues.driverCompletions.poll();
    assertThat(completion).isNotNull();
    lastId = (int) completion.id();
  }

  @Test
  void anArmCommandIsSeenAndRaisesOneEvent() throws InterruptedException {
    Queues queues = new Queues(false);
    Duel.run(
        round -> {
          Duel.delay(round);
          queues.driverCompletions.arm(false);
        },
        round -> {
          storeElsewhere(round);
          serveArms(queues);
        },
        round -> {
          serveArms(queues);
          queues.driverSends.nop().signaled(round);
          queues.driverSends.ringDoorbell();
          completeLast(queues);
          assertThat(lastId).isEqualTo(round);
          assertThat(queues.events())
              .as("events of %d armed rounds", round + 1)
              .isEqualTo(round + 1);
          queues.driverCompletions.eventTaken();
          Memory.putLong(queues.page.address() + Uar.CQ_DOORBELL, EARLIER_DOORBELL);
          readElsewhere();
        });
  }

  /** A first command and the record of a second one may look like no write at all. */
  @Test
  void theLastOfTwoArmCommandsIsTaken() throws InterruptedException {
    UarPage page = new UarPage(0);
    long register = page.address() + Uar.CQ_DOORBELL;
    long[] taken = {0};
    Duel.run(
        round -> {
          Duel.delay(round);
          Memory.putLongRelease(register, 1);
          Memory.putLongRelease(register, 2);
        },
        round -> {
          for (int look = 0; look < Duel.DELAYS; look++) {
            long rang = page.takeCqDoorbell();
            taken[0] = rang == UarPage.IDLE ? taken[0] : rang;
          }
        },
        round -> {
          long rang = page.takeCqDoorbell();
          assertThat(rang == UarPage.IDLE ? taken[0] : rang).isEqualTo(2);
          taken[0] = 0;
        });
  }

  private static void serveArms(Queues queues) {
    for (long rang = queues.page.takeCqDoorbell();
        rang != UarPage.IDLE;
        rang = queues.page.takeCqDoorbell()) {
      if (CqArm.cqn(rang) == Queues.CQN) {
        queues.deviceCompletions.arm(CqArm.record(rang));
      } else {
        queues.deviceCompletions.armUnrung();
      }
    }
  }
}
