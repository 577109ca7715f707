package dev.bluebell.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verifier.Analysis;
import dev.bluebell.verifier.ChainText;
import dev.bluebell.verifier.Rules;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Recorded requests can be verified: the record is written as a chain. */
class RecordedChainTest {
  /** A queue pair with recorded requests, connected to another, with memory of both. */
  private record Ends(
      RcQueuePair queuePair, RcQueuePair peer, MemoryRegion memory, MemoryRegion remote) {}

  /** Executes the caller's requests on a connection, the last one signalled; returns the record. */
  private static String record(Consumer<Ends> posting) {
    return record(CompletionStatus.SUCCESS, posting);
  }

  private static String record(CompletionStatus last, Consumer<Ends> posting) {
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
      CompletionStatus[] status = new CompletionStatus[1];
      while (status[0] != last) {
        int unused = completions.poll(completion -> status[0] = completion.status());
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
  void aFileWithTheExtensionChainIsWrittenAsAChain() {
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
        .contains("# QP 0x40 is left out: its peer is not recorded: record the processes of both")
        .contains("# QP 0x42 is left out: its service is UD")
        .doesNotContain("wqe {");
    assertThat(TraceFormat.CHAIN.describe(record))
        .isEqualTo(
            "as a chain for 'bluebell program verify' (0 queues, and 2 left out, such as QP 0x40:"
                + " its peer is not recorded: record the processes of both ends in one run, from"
                + " their start)");
  }

  @Test
  void aQueueWhoseConnectionIsNotRecordedIsLeftOutWithARemedy() {
    HcaHappening fetched = new HcaHappening(1, HcaHappening.FETCHED, 0x40, 0, WqeOpcode.NOP, "wqe");
    assertThat(new String(TraceFormat.CHAIN.write(List.of(fetched), "any"), StandardCharsets.UTF_8))
        .contains("# QP 0x40 is left out: its connection is not recorded: record the processes of");
  }

  @Test
  void theDescriptionOfAWholeChainCountsItsQueues() {
    HcaHappening connected = new HcaHappening(0, HcaHappening.CONNECTED, 0x40, 1, 0x40, "RC ::1");
    HcaHappening fetched = new HcaHappening(1, HcaHappening.FETCHED, 0x40, 0, WqeOpcode.NOP, "wqe");
    assertThat(TraceFormat.CHAIN.describe(List.of(connected, fetched)))
        .isEqualTo("as a chain for 'bluebell program verify' (1 queue)");
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

  @Test
  void requestsThatFailedOrWereFlushedAreLeftOut() {
    String chain =
        record(
            CompletionStatus.WORK_REQUEST_FLUSHED,
            ends -> {
              ends.peer().receive().scatter(ends.remote(), 8, 4).post(1);
              ends.peer().ringReceiveDoorbell();
              ends.queuePair()
                  .write(ends.remote().remote())
                  .gather(ends.memory(), 0, 8)
                  .signaled(2);
              ends.queuePair().send().inline(new byte[12], 0, 12).signaled(3);
              ends.queuePair().nop().signaled(4);
            });
    assertThat(chain)
        .contains("opcode=RDMA_WRITE", "# WQE 1 SEND is left out: it ended with REMOTE_")
        .doesNotContain("opcode=SEND", "opcode=NOP", "recv {");
    assertThat(analyse(chain).refusals()).isEmpty();
  }

  /** A record of requests on a queue pair that is its own peer. */
  private static String recorded(String... requests) {
    List<HcaHappening> record = new ArrayList<>();
    record.add(new HcaHappening(0, HcaHappening.CONNECTED, 0x40, 1, 0x40, "RC ::1"));
    for (int i = 0; i < requests.length; i++) {
      byte[] wqe = Decoder.encode(requests[i]);
      record.add(
          new HcaHappening(
              i + 1,
              HcaHappening.FETCHED,
              0x40,
              i,
              (int) ControlSegment.OPCODE.get(wqe, 0),
              Decoder.decode(Decoder.Kind.WQE, wqe)));
    }
    return new String(TraceFormat.CHAIN.write(record, "any"), StandardCharsets.UTF_8);
  }

  @Test
  void aKeyThatAUmrChangesIsAKeyOfTheChainAndTheMemoryBehindItIsMemory() {
    String chain =
        recorded(
            """
            wqe {
              ctrl opcode=UMR umr_mkey=0x700 ds=12 ce=always
              umr flags=0x80 klm_octowords=4 mkey_mask=0x203c0001
              mkc lw=1 rr=1 rw=1 len=4
              repeat byte_count=2 op=0x400 repeat_count=2 num_ent=1
              repeat_ent stride=4 byte_count=2 mkey=0x100 address=0x1000
            }
            """,
            """
            wqe {
              ctrl opcode=RDMA_WRITE ds=3 fence=small ce=always
              raddr address=0x2000 rkey=0x200
              data byte_count=4 lkey=0x700 address=0x0
            }
            """);
    assertThat(chain)
        .contains("memory key_0x100 key=0x100 address=0x1000 any=6\n")
        .contains("memory key_0x200 key=0x200 address=0x2000 any=4\n")
        .contains("key key_0x700 key=0x700 entries=4\n")
        .doesNotContain("memory key_0x700");
    assertThat(analyse(chain).refusals()).isEmpty();
    assertThat(analyse(chain.replace(" fence=small", "")).missing())
        .containsExactly("fence=small of WQE 3 of queue 0x40 (qp_0x40), an RDMA_WRITE");
  }

  @Test
  void memoryThatIsWaitedForNeedsItsContents() {
    String chain =
        recorded(
            """
            wqe {
              ctrl opcode=WAIT opmod=0x1 ds=3
              wait_value operation=0x1 lkey=0x300 address=0x3000 value=0x1 mask=0xff
            }
            """);
    assertThat(chain).contains("memory key_0x300 key=0x300 address=0x3000 any=8\n");
    assertThat(analyse(chain).refusals().getFirst()).endsWith("whose contents are unknown");
    assertThat(analyse(chain.replace("any=8", "content=0000000000000001")).refusals()).isEmpty();
  }
}
