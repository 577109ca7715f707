package dev.bluebell.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verifier.Analysis;
import dev.bluebell.verifier.ChainText;
import dev.bluebell.verifier.Rules;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a queue executed can be verified: its record is a chain. */
class RecordedChainTest {
  /** A queue pair whose requests are recorded, connected to another one, with memory of both. */
  private record Ends(
      RcQueuePair queuePair, RcQueuePair peer, MemoryRegion memory, MemoryRegion remote) {}

  /** Lets a connection execute what the caller posts, the last request signalled; its record. */
  private static String record(Consumer<Ends> posting) {
    try (Device device = Device.open("soft:engine=poll")) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(16);
      MemoryRegion memory = domain.allocate(64, Access.rights());
      MemoryRegion remote = domain.allocate(64, Access.rights());
      RcQueuePair queuePair = domain.rcQueuePair(completions).create();
      RcQueuePair peer = domain.rcQueuePair(completions).create();
      queuePair.connect(peer.endpoint());
      peer.connect(queuePair.endpoint());
      device.diagnosis().orElseThrow().trace(true);
      posting.accept(new Ends(queuePair, peer, memory, remote));
      queuePair.ringDoorbell();
      while (completions.poll(completion -> assertThat(completion.isSuccess()).isTrue()) == 0) {
        Thread.onSpinWait();
      }
      List<HcaHappening> record = device.diagnosis().orElseThrow().happenings();
      return new String(TraceFormat.CHAIN.write(record, "any"), StandardCharsets.UTF_8);
    }
  }

  private static Analysis analyse(String chain) {
    return Analysis.of(ChainText.parse(chain), Rules.CONSERVATIVE, 1000);
  }

  @Test
  void aRecordedQueueLacksTheFenceThatItsApplicationForgot() {
    String chain =
        record(
            ends -> {
              ends.queuePair()
                  .read(ends.remote().remote())
                  .scatter(ends.memory(), 0, 8)
                  .unsignaled(1);
              ends.queuePair()
                  .write(ends.remote().remote().slice(32, 8))
                  .gather(ends.memory(), 0, 8)
                  .signaled(2);
            });
    Analysis analysis = analyse(chain);
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.missing()).hasSize(1).first().asString().contains("fence=fence of WQE 1");
  }

  @Test
  void aRecordedQueueWithItsFenceIsProved() {
    String chain =
        record(
            ends -> {
              ends.queuePair()
                  .read(ends.remote().remote())
                  .scatter(ends.memory(), 0, 8)
                  .unsignaled(1);
              ends.queuePair()
                  .write(ends.remote().remote().slice(32, 8))
                  .gather(ends.memory(), 0, 8)
                  .fence()
                  .signaled(2);
            });
    assertThat(analyse(chain).refusals()).isEmpty();
  }

  @Test
  void inlineBytesAreWrittenToMemoryOfTheChain() {
    String chain =
        record(
            ends ->
                ends.queuePair()
                    .write(ends.remote().remote().slice(8, 16))
                    .inline(new byte[12], 0, 12)
                    .signaled(2));
    assertThat(chain).contains(" any=12");
    assertThat(analyse(chain).refusals()).isEmpty();
  }

  @Test
  void theNameOfItsFileAsksForIt() {
    assertThat(TraceFormat.of(Path.of("run.chain"))).isEqualTo(TraceFormat.CHAIN);
  }

  @Test
  void aQueueWhosePeerIsNotRecordedIsLeftOutAndTheChainSaysWhy() {
    HcaHappening connected = new HcaHappening(0, HcaHappening.CONNECTED, 0x40, 0, 0x41, "RC ::1");
    HcaHappening datagrams = new HcaHappening(0, HcaHappening.CONNECTED, 0x42, 1, 0x42, "UD ::1");
    String nop = "wqe {\n  ctrl opcode=NOP index=0 qpn=0x40 ds=1 ce=always\n}\n";
    List<HcaHappening> record =
        List.of(
            connected,
            datagrams,
            new HcaHappening(1, HcaHappening.FETCHED, 0x40, 0, WqeOpcode.NOP, nop),
            new HcaHappening(2, HcaHappening.FETCHED, 0x42, 0, WqeOpcode.NOP, nop));
    assertThat(new String(TraceFormat.CHAIN.write(record, "any"), StandardCharsets.UTF_8))
        .contains("# QP 0x40 is left out: its peer is not recorded")
        .contains("# QP 0x42 is left out: its service is UD")
        .doesNotContain("wqe {");
  }

  @Test
  void theReceiveThatAMessageTookIsPartOfTheChain() {
    String chain =
        record(
            ends -> {
              ends.peer().receive().scatter(ends.remote(), 8, 16).post(1);
              ends.peer().ringReceiveDoorbell();
              ends.queuePair().send().inline(new byte[12], 0, 12).signaled(2);
            });
    assertThat(chain).contains("recv {", "any=16").contains("peer=0x");
    assertThat(analyse(chain).refusals()).isEmpty();
  }
}
