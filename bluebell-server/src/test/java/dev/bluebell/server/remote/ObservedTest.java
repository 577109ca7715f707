package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaObserver.Subject;
import org.junit.jupiter.api.Test;

/** The objects that the clients of an observer had at each time. */
class ObservedTest {
  private static final int KEPT = 1 << 14;

  private final Observed observed = new Observed(1, false);

  @Test
  void anObjectWasThereBetweenItsCreationAndItsEnd() {
    observed.begin(Subject.QUEUE_PAIR, 0x40, 10).end(20);
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 9)).isFalse();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 10)).isTrue();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 20)).isTrue();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 21)).isFalse();
    assertThat(observed.had(Subject.COMPLETION_QUEUE, 0x40, 10)).isFalse();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x41, 10)).isFalse();
  }

  @Test
  void aNumberMayBeUsedAgain() {
    observed.begin(Subject.QUEUE_PAIR, 0x40, 10).end(20);
    observed.begin(Subject.QUEUE_PAIR, 0x40, 30);
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 15)).isTrue();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 25)).isFalse();
    assertThat(observed.had(Subject.QUEUE_PAIR, 0x40, 35)).isTrue();
  }

  @Test
  void aRefusalThatTheOtherEndReportedIsNotRepeated() {
    say("QP 0x40: the responder refused it: QP 0x41 refused the request", false);
    say("QP 0x41 refused the request", false);
    say("QP 0x42 refused the request", false);
    assertThat(observed.rest())
        .extracting(Explanation::sentence)
        .containsExactly(
            "QP 0x40: the responder refused it: QP 0x41 refused the request",
            "QP 0x42 refused the request");
    assertThat(observed.latest()).hasSize(3);
  }

  @Test
  void anOutdatedSentenceIsNotReportedLater() {
    say("one", false);
    say("two", true);
    say("three", false);
    assertThat(observed.rest()).extracting(Explanation::sentence).containsExactly("one", "three");
    assertThat(observed.latest()).containsExactly("one", "two", "three");
  }

  @Test
  void failuresThatWereNotReadInTimeAreCounted() {
    for (int i = 0; i < 1024; i++) {
      say("failure " + i, false);
    }
    say("requests, " + HcaDiagnosis.ARMED_BEFORE_EVENT, false);
    assertThat(observed.rest()).extracting(Explanation::sentence).last().isEqualTo("failure 1023");
    for (int i = 1024; i < 2050; i++) {
      say("failure " + i, false);
    }
    assertThat(observed.rest())
        .extracting(Explanation::sentence)
        .last()
        .isEqualTo("2 more failures are not listed: they came too fast");
    assertThat(observed.rest()).isEmpty();
  }

  private void say(String sentence, boolean tooLate) {
    observed.say(new Explanation(7, "7 (test)", sentence), () -> tooLate);
  }

  @Test
  void theOldestAreForgotten() {
    observed.begin(Subject.QUEUE_PAIR, 1, 0);
    observed.begin(Subject.QUEUE_PAIR, 1, 1);
    for (int i = 2; i <= KEPT; i++) {
      observed.begin(Subject.QUEUE_PAIR, i, i);
    }
    assertThat(observed.had(Subject.QUEUE_PAIR, 1, 0)).isFalse();
    assertThat(observed.had(Subject.QUEUE_PAIR, 1, 1)).isTrue();
    observed.begin(Subject.QUEUE_PAIR, KEPT + 1, KEPT + 1);
    assertThat(observed.had(Subject.QUEUE_PAIR, 1, 1)).isFalse();
    assertThat(observed.had(Subject.QUEUE_PAIR, 2, 2)).isTrue();
  }
}
