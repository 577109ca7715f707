package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Diagnoses of missing completions from the driver's memory only. */
class DiagnoseTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final CompletionQueue completions = device.createCompletionQueue(4);
  private final RcQueuePair queuePair =
      Connected.toItself(device.allocateProtectionDomain().rcQueuePair(completions).create());

  private void writeSlot(int slot, int opOwn) {
    MemorySegment ring =
        hca.umems.get(
            View.over(hca.commands.get(CommandOpcode.CREATE_CQ).getFirst())
                .getInt(CreateCqIn.CQ_UMEM_ID));
    Memory.putLongRelease(ring.address() + 64L * slot + Cqe.LAST_WORD, opOwn);
  }

  @Test
  void anEntryOfThePassBeforeIsReadAsOne() {
    writeSlot(0, 0x01);
    assertThat(completions.diagnose())
        .contains(
            "byte 63 is 0x01: opcode REQ, owner 1",
            "In this pass a new entry has owner 0, so a poll treats this one as left over from the"
                + " previous pass");
  }

  @Test
  void aRingOfZerosLooksReady() {
    writeSlot(0, 0x00);
    assertThat(completions.diagnose())
        .contains("byte 63 is 0x00: opcode REQ, owner 0", "so a poll takes it");
  }

  @Test
  void aCompletionThatWaitsForAPollIsSaidOnce() {
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
    writeSlot(0, 0x00);
    String unpolled =
        "has not completed, or whose completion no poll has returned. No receive request is"
            + " posted.";
    assertThat(queuePair.diagnose())
        .contains("A completion waits in %s: poll it.".formatted(completions), unpolled);
    assertThat(completions.diagnose())
        .startsWith("Polls of %s have returned 0 completions; the next".formatted(completions))
        .contains(unpolled)
        .doesNotContain("A completion waits");
  }

  @Test
  void requestsThatWereRungAndThoseThatWereNotAreCounted() {
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
    queuePair.nop().unsignaled(2);
    assertThat(queuePair.diagnose())
        .contains(
            "1 of 2 outstanding send requests were posted but not rung: the doorbell record says 1"
                + " and should say 2",
            "The doorbell record counts 1 send request that has not completed.");
  }

  @Test
  void aLostDeviceIsDiagnosedFromTheDriversMemory() {
    hca.isLost = true;
    hca.refused.add(CommandOpcode.QUERY_QP);
    assertThat(queuePair.diagnose()).contains("The device did not report its state");
    assertThat(completions.diagnose())
        .contains("The device did not report its state", "Polls of %s".formatted(completions));
  }

  @Test
  void aStateThatTheDeviceDoesNotReportIsNotGuessed() {
    hca.refused.add(CommandOpcode.QUERY_QP);
    assertThat(queuePair.diagnose())
        .contains("The device did not report its state")
        .doesNotContain("is in RTS");
  }

  @Test
  void aRequestThatIsHalfBuiltIsNamed() {
    RequestData unused = queuePair.write(1, 2);
    ReceiveLanding unusedToo = queuePair.receive();
    assertThat(unused).isNotNull();
    assertThat(unusedToo).isNotNull();
    assertThat(queuePair.diagnose())
        .contains("A send request is half built", "A receive request is half built");
  }

  @Test
  void bothCompletionQueuesAreNamedAndTheOneThatHasACompletion() {
    CompletionQueue receives = device.createCompletionQueue(4);
    RcQueuePair two =
        Connected.toItself(
            device
                .allocateProtectionDomain()
                .rcQueuePair(completions)
                .receiveCompletions(receives)
                .create());
    assertThat(receives.diagnose())
        .contains(
            "Its send requests complete in %s, its receive requests in %s."
                .formatted(completions, receives));
    writeSlot(0, 0x00);
    assertThat(two.diagnose())
        .contains(
            "Its send requests complete in %s, where a completion waits for a poll, its receive"
                    .formatted(completions)
                + " requests in %s.".formatted(receives));
  }

  @Test
  void theDiagnosisReportsAQueueWithoutQueuePairsAndAClosedOne() {
    CompletionQueue lonely = device.createCompletionQueue(4);
    assertThat(lonely.diagnose()).contains("No queue pair completes in " + lonely);
    lonely.close();
    assertThat(lonely.diagnose()).endsWith("is closed, so nothing completes in it.");
  }
}
