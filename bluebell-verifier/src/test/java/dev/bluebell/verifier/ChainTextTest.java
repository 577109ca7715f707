package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.image.Queue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chains in text form, and the analysis of their order. */
class ChainTextTest {
  private static final int MAX_REQUESTS = 10_000;
  private static final Path CHAINS = Path.of("src/test/resources/chains");

  private static Analysis analyse(String text) {
    return Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE, MAX_REQUESTS);
  }

  private static Analysis analyseFile(String name) throws IOException {
    return analyse(Files.readString(CHAINS.resolve(name)));
  }

  @Test
  void aQueueHasItsEntriesWithIndexAndNumber() {
    Queue queue =
        ChainText.parse(
                """
                queue slow qpn=0x41 managed cq=7
                wqe {
                  ctrl opcode=NOP
                }
                wqe {
                  ctrl opcode=NOP ce=always
                }
                """)
            .image()
            .queues()
            .getFirst();
    assertThat(queue.managed()).isTrue();
    assertThat(queue.peer()).isEqualTo(0x41);
    assertThat(queue.sendCq()).isEqualTo(7);
    assertThat(queue.receiveCq()).isEqualTo(0x41);
    assertThat(queue.send().posted()).isEqualTo(2);
    assertThat(ControlSegment.INDEX.get(queue.send().slot(1), 0)).isEqualTo(1);
    assertThat(ControlSegment.QPN.get(queue.send().slot(1), 0)).isEqualTo(0x41);
  }

  @ParameterizedTest
  @CsvSource({
    "queue copy, line 1: queue copy needs qpn=",
    "queue copy qpn=x, line 1: qpn=x is not a number",
    "queue copy qpn=1 peer=2, line 1: peer 0x2 is not a queue of the chain",
    "queue copy qpn=1 colour=2, 'line 1: queue has no ''colour'': take address, cq, key'",
    "memory m key=1 address=0, line 1: memory m needs bytes=",
    "memory m key=1 address=0 content=zz, line 1: content=zz is not hexadecimal digits",
    "memory m key=1 address=0 content=, line 1: memory has 1 to 1048576 bytes",
    "memory m key=0x100000001 address=0 bytes=8, line 1: key=0x100000001 has more than 32 bits",
    "queue q qpn=0x1000040, line 1: qpn=0x1000040 has more than 24 bits",
    "queue q qpn=1 cq=-1, line 1: cq=-1 has more than 24 bits",
    "'queue q qpn=1 peer=0x100000001', line 1: peer=0x100000001 has more than 24 bits",
    "'memory q.send key=1 address=0 bytes=8\nqueue q qpn=1', line 2: 'q.send' is declared twice",
    "wqe {, 'line 1: an entry needs a queue above it'",
    "'queue q qpn=1\nrelies nothing', 'line 2: ''nothing'' is not memory of the chain'",
    "'queue q qpn=1\nrelies', 'line 2: ''relies'' needs names of memory'",
    "'queue q qpn=1\nrelies a after=b', 'line 2: ''relies'' takes names: ''relies NAME'",
    "memory m key=1 address=0 content=01 any=4, 'line 1: memory m takes one of bytes, content'",
    "'memory m key=1 address=-8 bytes=8\nqueue q qpn=1', 'line 1: m must lie between address 0'",
    "memory m key=1 address=0x8000000000000000 bytes=8, is not a number up to 0x7fffffffffffffff",
    "'queue q qpn=1\nrecv {\n  raw 0102\n}', line 2: a receive entry has segments of 16 bytes",
    "'queue q qpn=1\nwqe {\n}', line 2: a send entry begins with a control segment",
    "memory m key=1 address=0 bytes=0x, line 1: bytes=0x is not a number",
    "memory m key=1 address=0X0 bytes=0x-8, line 1: bytes=0x-8 is not a number",
    "# nothing, 'line 1: a chain needs a queue'",
    "'', 'line 1: a chain needs a queue'",
    "what, 'line 1: expected ''memory NAME'"
  })
  void aWrongLineIsNamed(String text, String message) {
    assertThatThrownBy(() -> ChainText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aNumberWithALeadingZeroIsDecimalAsInEntries() {
    ChainText chain = ChainText.parse("memory m key=1 address=0100 bytes=010\nqueue q qpn=1");
    assertThat(chain.image().regions().getFirst().address()).isEqualTo(100);
    assertThat(chain.image().regions().getFirst().length()).isEqualTo(10);
  }

  @Test
  void aQueueWithMoreEntriesThanItsIndexCountsNamesTheLine() {
    String nop = "wqe {\nctrl opcode=NOP\n}\n";
    assertThatThrownBy(() -> ChainText.parse("queue q qpn=1\n" + nop.repeat(65_537)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line %d: the entries of a queue have at most 4194304 bytes", 2 + 3 * 65_536);
  }

  @Test
  void memoryMustNotReachBeyondTheLastAddress() {
    assertThatThrownBy(
            () ->
                ChainText.parse("memory m key=1 address=0x7ffffffffffffff8 bytes=9\nqueue q qpn=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 1: m must lie between address 0 and 0x7fffffffffffffff");
  }

  @Test
  void aWrongLineOfAnEntryIsNamedByItsPlaceInTheWholeText() {
    assertThatThrownBy(
            () -> ChainText.parse("\nqueue copy qpn=1\nwqe {\n  ctrl opcode=NOTHING\n}\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line 4: ");
  }

  @Test
  void aMessageThatIsLongerThanItsReceiveEntryIsRefusedThere() {
    String text =
        """
        memory source key=0x100 address=0x1000 bytes=16
        memory inbox key=0x200 address=0x2000 bytes=16
        queue a qpn=0x40 peer=0x41
        wqe {
          ctrl opcode=SEND
          data byte_count=16 lkey=0x100 address=0x1000
        }
        queue b qpn=0x41
        recv {
          data byte_count=8 lkey=0x200 address=0x2000
        }
        """;
    ChainText chain = ChainText.parse(text);
    assertThat(Analysis.of(chain, Rules.CONSERVATIVE, 1000).refusals())
        .containsExactly("receive entry 0 of queue 0x41 (b) has no room for a message of 16 bytes");
  }

  @Test
  void aFenceOrdersAWriteBehindTheReadThatFetchesItsData() throws IOException {
    Analysis analysis = analyseFile("proved.chain");
    assertThat(analysis.refusals()).isEmpty();
    assertThat(analysis.superfluous()).isEmpty();
    assertThat(analysis.failure()).isEmpty();
  }

  @Test
  void withoutTheFenceTheWriteReadsBeforeTheAnswerIsWritten() throws IOException {
    Analysis analysis = analyseFile("missing-fence.chain");
    assertThat(analysis.refusals())
        .containsExactly(
            "WQE 0 of queue 0x40 (copy), an RDMA_READ, writes buffer+0x0 and WQE 1 of queue 0x40"
                + " (copy), an RDMA_WRITE, reads it: no WAIT, fence or enable orders them");
    List<String> events =
        analysis.failure().orElseThrow().events().stream().map(Event::what).toList();
    assertThat(events)
        .containsSubsequence(
            "reads its data from buffer+0x0, 8 bytes", "writes its answer to buffer+0x0, 8 bytes");
  }

  @Test
  void aWaitThatRepeatsAFenceIsReportedAsSuperfluous() throws IOException {
    Analysis analysis = analyseFile("superfluous.chain");
    assertThat(analysis.isProved()).isTrue();
    assertThat(analysis.superfluous()).extracting(each -> each.index()).containsExactly(1, 2);
  }

  @Test
  void aSendEnThatOnlySomePathsNeedIsNotSuperfluous() throws IOException {
    Analysis analysis = analyseFile("enabled-on-one-path.chain");
    assertThat(analysis.isProved()).isTrue();
    assertThat(analysis.superfluous()).isEmpty();
  }

  @Test
  void anEntryThatIsRewrittenAfterItWasFetchedIsShown() {
    Analysis analysis =
        analyse(
            """
            memory opcode key=0x100 address=0x1000 content=08
            memory result key=0x200 address=0x2000 content=0000000000000007
            memory target key=0x300 address=0x3000 bytes=8

            queue worker qpn=0x41 address=0x100000 key=0x500
            wqe {
              ctrl opcode=NOP
              raddr address=0x3000 rkey=0x300
              data byte_count=8 lkey=0x200 address=0x2000
            }

            queue main qpn=0x40
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x100003 rkey=0x500
              data byte_count=1 lkey=0x100 address=0x1000
            }
            """);
    assertThat(analysis.refusals().getFirst())
        .contains("WQE 0 of queue 0x41 (worker) may")
        .contains("fetched")
        .contains("WQE 0 of queue 0x40 (main), an RDMA_WRITE");
    assertThat(analysis.failure()).isPresent();
  }

  @Test
  void twoWritesToOnePlaceLeaveTheResultOpen() {
    Analysis analysis =
        analyse(
            """
            memory a key=0x100 address=0x1000 content=01
            memory b key=0x200 address=0x2000 content=02
            memory target key=0x300 address=0x3000 bytes=1

            queue first qpn=0x40
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x100 address=0x1000
            }

            queue second qpn=0x41
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x200 address=0x2000
            }
            """);
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.refusals().getFirst())
        .contains("target+0x0")
        .contains("nothing orders them");
    assertThat(analysis.missing()).isEmpty();
    assertThat(analysis.failure().orElseThrow().difference()).startsWith("target+0x0 holds 0");
  }

  @Test
  void memoryThatTheChainDoesNotRelyOnMayHoldAnything() {
    String text =
        """
        memory a key=0x100 address=0x1000 content=01
        memory b key=0x200 address=0x2000 content=02
        memory both key=0x300 address=0x3000 bytes=1
        memory own key=0x400 address=0x4000 bytes=1

        queue first qpn=0x40
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x3000 rkey=0x300
          data byte_count=1 lkey=0x100 address=0x1000
        }

        queue second qpn=0x41
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x3000 rkey=0x300
          data byte_count=1 lkey=0x200 address=0x2000
        }
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x4000 rkey=0x400
          data byte_count=1 lkey=0x200 address=0x2000
        }
        """;
    assertThat(analyse(text).isProved()).isFalse();
    assertThat(analyse("relies own\n" + text).isProved()).isTrue();
    assertThat(analyse("relies own both\n" + text).isProved()).isFalse();
  }

  @Test
  void aFlagThatMayComeBeforeItsDataIsRefusedAndShown() {
    String text =
        """
        memory source key=0x100 address=0x1000 content=01
        memory data key=0x200 address=0x2000 bytes=1
        memory flag key=0x300 address=0x3000 bytes=1
        relies flag after data

        queue one qpn=0x40
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x2000 rkey=0x200
          data byte_count=1 lkey=0x100 address=0x1000
        }
        %s
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x3000 rkey=0x300
          data byte_count=1 lkey=0x100 address=0x1000
        }
        """;
    assertThat(analyse(text.formatted("")).isProved()).isTrue();
    Analysis elsewhere = analyse(text.formatted("queue other qpn=0x41"));
    assertThat(elsewhere.refusals())
        .containsExactly(
            "WQE 0 of queue 0x41 (other), an RDMA_WRITE, may write flag+0x0 before WQE 0 of queue"
                + " 0x40 (one), an RDMA_WRITE, has written data+0x0: a reader that sees the flag"
                + " may not find the data");
    assertThat(elsewhere.failure().orElseThrow().difference())
        .isEqualTo("When flag changes, data does not yet have its final contents.");
    assertThat(elsewhere.missing()).as("no fence orders two queues").isEmpty();
  }

  @Test
  void theAllToAllOfUccNeedsOneSmallFenceForEachPeer() throws IOException {
    Analysis analysis = analyseFile("ucc-alltoall.chain");
    assertThat(analysis.refusals()).isEmpty();
    assertThat(analysis.superfluous()).isEmpty();
    assertThat(analyseFile("ucc-alltoall-unfenced.chain").missing())
        .containsExactly(
            "fence=small of WQE 1 of queue 0x41 (peer1), an RDMA_WRITE",
            "fence=small of WQE 1 of queue 0x42 (peer2), an RDMA_WRITE");
  }

  @Test
  void withoutTheSmallFenceAPeerFindsItsCounterBeforeItsBlock() throws IOException {
    FailingOrder order = analyseFile("ucc-alltoall-unfenced.chain").failure().orElseThrow();
    assertThat(order.difference())
        .isEqualTo("When counter1 changes, block1 does not yet have its final contents.");
    assertThat(order.events().stream().map(Event::toString))
        .containsSubsequence(
            "WQE 1 of queue 0x41 (peer1) (RDMA_WRITE) reads its data from buffer+0x0, 8 bytes",
            "WQE 2 of queue 0x41 (peer1) (ATOMIC_FA) changes counter1+0x0, 8 bytes",
            "WQE 0 of queue 0x41 (peer1) (LOCAL_MMO) writes the transposed matrix to buffer+0x0, 8"
                + " bytes");
  }

  @Test
  void theFormerFencesOfTranspositionAndAtomicWereSuperfluous() throws IOException {
    assertThat(analyseFile("ucc-alltoall-before.chain").superfluous())
        .extracting(each -> each.what())
        .containsExactly(
            "fence of WQE 0 of queue 0x41 (peer1), a LOCAL_MMO",
            "fence of WQE 2 of queue 0x41 (peer1), an ATOMIC_FA",
            "fence of WQE 0 of queue 0x42 (peer2), a LOCAL_MMO",
            "fence of WQE 2 of queue 0x42 (peer2), an ATOMIC_FA");
  }

  @Test
  void theWholeAllToAllOfUccNeedsItsSmallFencesAndWaitsAlone() throws IOException {
    Analysis analysis = analyseFile("ucc-alltoall-whole.chain");
    assertThat(analysis.refusals()).isEmpty();
    assertThat(analysis.superfluous()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "opcode=UMR, UMR, 4",
    "opcode=LOCAL_MMO, LOCAL_MMO, 2",
    "opcode=ATOMIC_FA, ATOMIC_FA, 2",
    "opcode=WAIT opmod=0x1, WAIT, 1"
  })
  void aFenceOfAnotherRequestOfTheAllToAllIsSuperfluous(String line, String request, int count)
      throws IOException {
    String text = whole().replace(line, line + " fence=strong");
    assertThat(analyse(text).superfluous())
        .extracting(each -> each.what())
        .hasSize(count)
        .allSatisfy(
            each -> assertThat(each).startsWith("fence of").endsWith(" " + Counted.a(request)));
  }

  @Test
  void withoutSmallFencesThePeerUsesUntransposedRows() throws IOException {
    Analysis analysis = analyse(whole().replace(" fence=small", ""));
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.failure().orElseThrow().difference()).startsWith("used+0x0 holds ");
  }

  @Test
  @Tag("slow")
  void noFenceReplacesAWaitOfTheProcessor() throws IOException {
    String wait = "wqe {\n  ctrl opcode=WAIT\n  wait producer_index=0 cqn=0x11\n}\n";
    String text = whole();
    assertThat(text).contains(wait);
    Analysis analysis = analyse(text.replace(wait, ""));
    assertThat(analysis.refusals().getFirst()).contains("key strides1");
    assertThat(analysis.missing()).isEmpty();
    assertThat(analysis.failure()).isPresent();
  }

  private static String whole() throws IOException {
    return Files.readString(CHAINS.resolve("ucc-alltoall-whole.chain"));
  }

  @Test
  void aSmallFenceDoesNotWaitForAGet() throws IOException {
    Analysis analysis = analyseFile("ucx-small-fence.chain");
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.missing())
        .containsExactly("fence=fence of WQE 1 of queue 0x40 (put), an RDMA_WRITE");
  }

  @Test
  void aPutAndItsFlagNeedUcxsStrongFenceWherePayloadIsPlacedOutOfOrder() throws IOException {
    ChainText chain = ChainText.parse(Files.readString(CHAINS.resolve("ucx-put-flag.chain")));
    Analysis outOfOrder = Analysis.of(chain, Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS);
    assertThat(outOfOrder.refusals()).isEmpty();
    assertThat(outOfOrder.superfluous()).isEmpty();
    assertThat(analyseFile("ucx-put-flag.chain").superfluous())
        .as("in order")
        .extracting(each -> each.what())
        .containsExactly("fence of WQE 1 of queue 0x40 (put), an RDMA_WRITE");
  }

  @Test
  void withoutTheStrongFenceTheFlagIsThereBeforeThePut() throws IOException {
    String text = Files.readString(CHAINS.resolve("ucx-put-flag.chain"));
    for (String fence : List.of("", "fence=small", "fence=fence")) {
      ChainText chain = ChainText.parse(text.replace("fence=strong", fence));
      Analysis analysis = Analysis.of(chain, Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS);
      assertThat(analysis.missing())
          .as(fence)
          .containsExactly("fence=strong of WQE 1 of queue 0x40 (put), an RDMA_WRITE");
      assertThat(analysis.failure().orElseThrow().difference())
          .isEqualTo("When flag changes, data does not yet have its final contents.");
    }
  }

  @Test
  void aMessageBehindAPutNeedsNoFenceWhereverPayloadIsPlaced() throws IOException {
    ChainText chain = ChainText.parse(Files.readString(CHAINS.resolve("ucx-rendezvous.chain")));
    for (Rules rules : List.of(Rules.CONSERVATIVE, Rules.CONSERVATIVE.outOfOrder())) {
      assertThat(Analysis.of(chain, rules, MAX_REQUESTS).superfluous())
          .extracting(each -> each.what())
          .containsExactly("fence of WQE 1 of queue 0x40 (put), a SEND");
    }
  }

  @Test
  void theImmediateOfAPutComesInOrderAndItsPayloadDoesNot() throws IOException {
    String put = Files.readString(CHAINS.resolve("ucx-put-flag.chain")).replace("fence=strong", "");
    String text =
        put.replace("queue put qpn=0x40", "queue put qpn=0x40 peer=0x41")
                .replace("opcode=RDMA_WRITE  ce=always", "opcode=RDMA_WRITE_IMM ce=always")
            + "queue peer qpn=0x41\nrecv {\n  data byte_count=0 lkey=0x100 address=0x1000\n}\n";
    assertThat(text).contains("RDMA_WRITE_IMM");
    assertThat(Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE, MAX_REQUESTS).isProved())
        .isTrue();
    Analysis polled =
        Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS);
    assertThat(polled.isProved()).isFalse();
    assertThat(polled.failure().orElseThrow().difference())
        .isEqualTo("When flag changes, data does not yet have its final contents.");
    ChainText used = ChainText.parse(text.replace("relies flag after data", "relies data"));
    assertThat(Analysis.of(used, Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS).isProved())
        .isTrue();
  }

  @Test
  void twoPutsToOnePlaceHaveNoOrderWherePayloadIsPlacedOutOfOrder() {
    ChainText chain =
        ChainText.parse(
            """
            memory source key=0x100 address=0x1000 content=0102
            memory target key=0x300 address=0x3000 bytes=1
            queue put qpn=0x40
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x100 address=0x1000
            }
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x100 address=0x1001
            }
            """);
    assertThat(Analysis.of(chain, Rules.CONSERVATIVE, MAX_REQUESTS).isProved()).isTrue();
    Analysis analysis = Analysis.of(chain, Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS);
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.failure()).isPresent();
    assertThat(analysis.missing())
        .containsExactly("fence=strong of WQE 1 of queue 0x40 (put), an RDMA_WRITE");
  }

  @Test
  void aReadFindsThePutBeforeItWhereverPayloadIsPlaced() {
    ChainText chain =
        ChainText.parse(
            """
            memory source key=0x100 address=0x1000 content=01
            memory target key=0x300 address=0x3000 bytes=1
            memory result key=0x400 address=0x4000 bytes=1
            queue put qpn=0x40
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x100 address=0x1000
            }
            wqe {
              ctrl opcode=RDMA_READ
              raddr address=0x3000 rkey=0x300
              data byte_count=1 lkey=0x400 address=0x4000
            }
            """);
    assertThat(Analysis.of(chain, Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS).isProved())
        .isTrue();
  }

  @Test
  void aProbeOfRednNeedsAllItsBarriers() throws IOException {
    assertThat(analyseUnchecked("redn-hash-get.chain").isProved()).isTrue();
    assertThat(analyseUnchecked("redn-hash-get.chain").superfluous()).isEmpty();
    Analysis unfenced = analyseUnchecked("redn-hash-get-unfenced.chain");
    assertThat(unfenced.isProved()).isFalse();
    assertThat(unfenced.missing())
        .containsExactly("fence=fence of WQE 2 of queue 0x41 (worker), an ATOMIC_CS");
  }

  private static Analysis analyseUnchecked(String name) throws IOException {
    ChainText chain = ChainText.parse(Files.readString(CHAINS.resolve(name)));
    return Analysis.of(chain, Rules.CONSERVATIVE.unchecked(), MAX_REQUESTS);
  }

  @Test
  void aTranspositionExchangesRowsAndColumns() {
    ChainText chain =
        ChainText.parse(
            """
            memory matrix key=0x100 address=0x1000 content=010203040506
            memory result key=0x200 address=0x2000 bytes=6
            queue one qpn=0x40
            wqe {
              ctrl opcode=LOCAL_MMO ce=always
              transpose element_size=1 num_cols=3 num_rows=2
              data byte_count=6 lkey=0x100 address=0x1000
              data byte_count=6 lkey=0x200 address=0x2000
            }
            """);
    Machine machine = new Machine(chain.image(), Rules.CONSERVATIVE);
    for (List<Step> steps = machine.steps(); !steps.isEmpty(); steps = machine.steps()) {
      machine.take(steps.getFirst(), 1);
    }
    assertThat(machine.contents("result")).containsExactly(1, 4, 2, 5, 3, 6);
  }

  @Test
  void aWaitForACompletionThatNeverComesIsRefusedAndFailsInNoOtherWay() {
    Analysis analysis =
        analyse(
            """
            queue main qpn=0x40 cq=1
            wqe {
              ctrl opcode=WAIT
              wait producer_index=0 cqn=1
            }
            """);
    assertThat(analysis.refusals().getFirst()).contains("waits for completion 1");
    assertThat(analysis.failure()).isEmpty();
  }

  @Test
  void memoryWithAnyContentIsUnknown() {
    ChainText chain = ChainText.parse("memory m key=1 address=0 any=16\nqueue q qpn=1\n");
    assertThat(chain.unknown()).isEqualTo(Set.of("m"));
    assertThat(chain.image().regions().getFirst().length()).isEqualTo(16);
  }
}
