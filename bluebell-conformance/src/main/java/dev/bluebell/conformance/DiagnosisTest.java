package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import org.junit.jupiter.api.Test;

/** Diagnosis by the driver: why nothing completes. */
@Conformance
class DiagnosisTest {

  @Test
  void requestsThatWereNotRungAreNamed(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair queuePair = ends.left().queuePair();
    queuePair.nop().signaled(1);
    queuePair.nop().signaled(2);
    bench.expectCalm(ends.left().completions());
    assertThat(queuePair.diagnose())
        .startsWith(
            queuePair
                + ": 2 of 2 outstanding send requests were posted but not rung: the doorbell record"
                + " says 0 and should say 2")
        .contains("call ringDoorbell()");
    queuePair.ringDoorbell();
    assertThat(bench.await(ends.left().completions(), 2))
        .extracting(Done::id)
        .containsExactly(1L, 2L);
    assertThat(queuePair.diagnose()).contains("No send request is outstanding.");
  }

  @Test
  void unsignalledRequestsAreReportedAsTheReasonForSilence(Bench bench) {
    Ends ends = bench.connected();
    ends.left().queuePair().nop().unsignaled(1);
    ends.left().queuePair().ringDoorbell();
    bench.expectCalm(ends.left().completions());
    assertThat(ends.left().queuePair().diagnose())
        .contains("1 send request that has not completed, and none is signalled");
  }

  @Test
  void receivesThatAreNotInTheDoorbellRecordAreReported(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair queuePair = ends.right().queuePair();
    assertThat(queuePair.diagnose()).contains("No receive request is posted");
    queuePair.receive().empty().post(1);
    assertThat(queuePair.diagnose())
        .contains(
            "1 of 1 posted receive requests are not in the doorbell record, which says 0",
            "call ringReceiveDoorbell()");
    queuePair.ringReceiveDoorbell();
    assertThat(queuePair.diagnose()).contains("Receive requests that wait for messages: 1.");
  }

  @Test
  void receivesOfASharedQueueThatWereNotRungAreReported(Bench bench) {
    ProtectionDomain domain = bench.domain();
    SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(4).create();
    CompletionQueue completions = bench.device().createCompletionQueue(4);
    RcQueuePair queuePair =
        Bench.toItself(domain.rcQueuePair(completions).receiveFrom(receives).create());
    receives.receive().empty().post(1);
    String cause =
        "Receive requests that were posted to %s but not rung: 1. The device does not know of them; call ringDoorbell() of the queue."
            .formatted(receives);
    assertThat(queuePair.diagnose()).startsWith("%s: %s".formatted(queuePair, cause));
    assertThat(completions.diagnose()).contains(cause);
    receives.ringDoorbell();
    assertThat(queuePair.diagnose()).doesNotContain("not rung");
  }

  @Test
  void aQueuePairThatIsNotConnectedOrFailedSaysSo(Bench bench) {
    RcQueuePair queuePair =
        bench.domain().rcQueuePair(bench.device().createCompletionQueue(4)).create();
    assertThat(queuePair.diagnose())
        .contains("is in INIT: it neither sends nor receives until it is connected");
    queuePair.toError();
    assertThat(queuePair.diagnose())
        .contains(
            "is in ERROR (the device's ERR): all its requests complete as flushed; if one of them"
                + " failed, the first completion with another status says why");
    queuePair.close();
    assertThat(queuePair.diagnose())
        .isEqualTo(queuePair + " is closed, so none of its requests completes.");
  }

  @Test
  void receivesOfAQueuePairInErrorDoNotWaitForMessages(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair queuePair = ends.right().queuePair();
    queuePair.receive().empty().post(1);
    queuePair.ringReceiveDoorbell();
    queuePair.toError();
    assertThat(queuePair.diagnose())
        .contains("Receive requests whose completions were not polled: 1.")
        .doesNotContain("wait for messages");
  }

  @Test
  void aCompletionQueueReportsItsNextSlotAndItsQueuePairs(Bench bench) {
    Ends ends = bench.connected();
    ends.left().queuePair().nop().signaled(1);
    assertThat(ends.left().completions().diagnose())
        .startsWith(ends.left().queuePair() + ": 1 of 1 outstanding send requests")
        .contains(
            ends.left().completions()
                + " have returned 0 completions; the next is slot 0, whose byte 63 is 0xf0: opcode"
                + " INVALID, owner 0. Opcode INVALID means that the device has never written the"
                + " slot, so a poll finds nothing.",
            ends.left().queuePair() + " is in RTS",
            "call ringDoorbell()");
    ends.left().queuePair().ringDoorbell();
    bench.until(
        () -> ends.left().completions().diagnose().contains("so a poll takes it"),
        () -> "a completion that is not polled");
    assertThat(ends.left().completions().diagnose())
        .startsWith(
            "Polls of %s have returned 0 completions;".formatted(ends.left().completions()));
    ends.left().awaitSuccess(1);
  }

  @Test
  void theDiagnosisIncludesTheDescriptionByASoftwareDevice(Bench bench) {
    Ends ends = bench.connected();
    ends.left().sendNothing(1);
    if (bench.explains()) {
      String wanted = "The device says: " + ends.left().queuePair() + ": RC, RTS";
      bench.until(
          () -> {
            String said = ends.left().queuePair().diagnose();
            return said.contains(wanted) && said.contains("WQE 0 (SEND, PSN");
          },
          () -> "the request in what the device says");
    }
    ends.right().receiveNothing(1, 2);
    ends.left().awaitSuccess(1);
    ends.right().awaitSuccess(2);
  }
}
