package dev.bluebell.softnic.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.litmus.Duel;
import dev.bluebell.verbs.Completion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A poller sees a completion that the device is writing completely or not at all. The device
 * releases the last 8 bytes, and the driver acquires them; the slots were used before, so stale
 * bytes differ.
 */
class CompletionLitmusTest {
  private static final int POLLS = 64;
  private static final int BATCH = 5;
  private static final int MOST_BYTES = 1 << 20;

  private final Queues queues = new Queues(false);
  private boolean polled;
  private int torn;

  @Test
  @Tag("slow")
  void aCompletionIsSeenWholeOrNotAtAll() throws InterruptedException {
    request(0);
    int[] early = new int[1];
    Duel.run(
        round -> {
          Duel.delay(round);
          queues.time.set(round + 1L);
          queues.deviceCompletions.completeRequest(
              Queues.QPN, queues.userIndex, WqeOpcode.RDMA_READ, round & 0xffff, bytes(round));
        },
        round -> {
          polled = false;
          for (int i = 0; i < POLLS && !polled; i++) {
            check(queues.driverCompletions.poll(), round);
          }
        },
        round -> {
          early[0] += polled ? 1 : 0;
          if (!polled) {
            check(queues.driverCompletions.poll(), round);
          }
          assertThat(polled).as("the completion of round %d", round).isTrue();
          assertThat(torn).as("completions with fields of older ones, by round %d", round).isZero();
          request(round + 1);
        });
    assertThat(early[0]).as("rounds in which both sides met").isPositive();
  }

  @Test
  void completionsOfABatchAreSeenWholeOrNotAtAll() throws InterruptedException {
    int[] next = new int[1];
    int[] early = new int[1];
    requestBatch(0);
    Duel.run(
        round -> {
          Duel.delay(round);
          queues.batch.open(queues.deviceCompletions, BATCH);
          for (int i = 0; i < BATCH; i++) {
            int number = BATCH * round + i;
            queues.time.set(number + 1L);
            queues.deviceCompletions.completeRequest(
                Queues.QPN, queues.userIndex, WqeOpcode.RDMA_READ, number & 0xffff, bytes(number));
          }
          queues.batch.close();
        },
        round -> {
          for (int i = 0; i < POLLS && next[0] < BATCH * (round + 1); i++) {
            next[0] += checkNext(next[0]);
          }
        },
        round -> {
          early[0] += next[0] == BATCH * round ? 0 : 1;
          while (next[0] < BATCH * (round + 1)) {
            int taken = checkNext(next[0]);
            assertThat(taken).as("the completion after %d", next[0]).isPositive();
            next[0] += taken;
          }
          assertThat(torn).as("completions with fields of older ones, by round %d", round).isZero();
          requestBatch(round + 1);
        });
    assertThat(early[0]).as("rounds in which both sides met").isPositive();
  }

  private void requestBatch(int round) {
    for (int i = 0; i < BATCH; i++) {
      request(BATCH * round + i);
    }
  }

  private int checkNext(int number) {
    polled = false;
    check(queues.driverCompletions.poll(), number);
    return polled ? 1 : 0;
  }

  private void request(int round) {
    queues.driverSends.request().read(0, 0).scatter(0, 1, 0).signaled(round);
    queues.driverSends.ringDoorbell();
  }

  private static int bytes(int round) {
    return round % MOST_BYTES;
  }

  private void check(@Nullable Completion completion, int round) {
    if (completion != null) {
      polled = true;
      boolean whole =
          completion.id() == round
              && completion.isSuccess()
              && completion.byteCount() == bytes(round)
              && completion.timestamp() == round + 1L;
      torn += whole ? 0 : 1;
    }
  }
}
