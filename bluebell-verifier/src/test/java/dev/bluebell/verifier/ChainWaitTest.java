package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Chains whose queues wait for values in memory. */
class ChainWaitTest {
  private static final int MAX_REQUESTS = 10_000;

  private static final String MEMORY =
      """
      memory one key=0x100 address=0x1000 content=0000000000000001
      memory data key=0x200 address=0x2000 content=1122334455667788
      memory block key=0x300 address=0x3000 bytes=8
      memory counter key=0x400 address=0x4000 bytes=8
      memory scratch key=0x500 address=0x5000 bytes=16
      memory copy key=0x600 address=0x6000 bytes=8
      relies copy
      """;

  private static final String PUT =
      """
      wqe {
        ctrl opcode=RDMA_WRITE
        raddr address=0x3000 rkey=0x300
        data byte_count=8 lkey=0x200 address=0x2000
      }
      """;

  private static final String ADD =
      """
      wqe {
        ctrl opcode=ATOMIC_FA ce=always
        raddr address=0x4000 rkey=0x400
        atomic add=0x1
        data byte_count=8 lkey=0x500 address=0x5000
      }
      """;

  private static final String FLAG =
      """
      wqe {
        ctrl opcode=RDMA_WRITE
        raddr address=0x4000 rkey=0x400
        data byte_count=8 lkey=0x100 address=0x1000
      }
      """;

  private static final String COPY =
      """
      wqe {
        ctrl opcode=RDMA_WRITE
        raddr address=0x6000 rkey=0x600
        data byte_count=8 lkey=0x300 address=0x3000
      }
      """;

  /** A WAIT until the counter equals a number that a little-endian processor has written. */
  private static String waitFor(int number) {
    return waitFor(1, (long) number << 56);
  }

  private static String waitFor(int operation, long value) {
    return """
    wqe {
      ctrl opcode=WAIT opmod=0x1
      wait_value operation=0x%x lkey=0x400 address=0x4000 value=0x%x mask=0xffffffffffffffff
    }
    """
        .formatted(operation, value);
  }

  private static Analysis analyse(String text) {
    return Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE, MAX_REQUESTS);
  }

  @Test
  void requestsAfterAWaitForACounterFindTheDataWrittenBeforeTheCounter() {
    String text = MEMORY + "queue a qpn=1\n" + PUT + ADD + "queue b qpn=2\n" + waitFor(1) + COPY;
    Analysis analysis = analyse(text);
    assertThat(analysis.refusals()).isEmpty();
    assertThat(analysis.superfluous()).isEmpty();
    assertThat(copies(text)).containsExactly("1122334455667788");
  }

  @Test
  void withoutTheWaitTheCopyIsMadeTooEarly() {
    Analysis analysis = analyse(MEMORY + "queue a qpn=1\n" + PUT + ADD + "queue b qpn=2\n" + COPY);
    assertThat(analysis.isProved()).isFalse();
    assertThat(analysis.failure().orElseThrow().difference()).startsWith("copy+0x0 holds 0000");
  }

  @Test
  void aCounterIncrementedBeforeItsDataOrdersNothing() {
    String text = MEMORY + "queue a qpn=1\n" + ADD + PUT + "queue b qpn=2\n" + waitFor(1) + COPY;
    Analysis analysis = analyse(text);
    assertThat(analysis.refusals())
        .containsExactly(
            "WQE 1 of queue 0x1 (a), an RDMA_WRITE, writes block+0x0 and WQE 1 of queue 0x2 (b), an"
                + " RDMA_WRITE, reads it: no WAIT, fence or enable orders them");
    assertThat(analysis.failure().orElseThrow().events().stream().map(Event::toString))
        .containsSubsequence(
            "WQE 1 of queue 0x2 (b) (RDMA_WRITE) reads its data from block+0x0, 8 bytes",
            "WQE 1 of queue 0x1 (a) (RDMA_WRITE) writes block+0x0, 8 bytes");
  }

  @Test
  void aWaitForAWrittenFlagOrdersLikeAWaitForACounter() {
    String text =
        MEMORY + "queue a qpn=1\n" + PUT + FLAG + "queue b qpn=2\n" + waitFor(1, 1) + COPY;
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(
            Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE.outOfOrder(), MAX_REQUESTS)
                .missing())
        .containsExactly("fence=strong of WQE 1 of queue 0x1 (a), an RDMA_WRITE");
  }

  @Test
  void aWaitForASumOrdersUnorderedAdditions() {
    String text =
        MEMORY.replace("0x3000 bytes=8", "0x3000 bytes=16")
            + "queue a qpn=1\n"
            + PUT
            + ADD
            + "queue b qpn=2\n"
            + PUT.replace("address=0x3000", "address=0x3008")
            + ADD.replace("0x5000", "0x5008")
            + "queue c qpn=3\n"
            + waitFor(2)
            + COPY.replace("address=0x3000", "address=0x3008")
            + COPY;
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(analyse(text.replace("value=0x200", "value=0x100")).isProved())
        .as("the counter may pass 1 before the WAIT looks")
        .isFalse();
    assertThat(copies(text)).hasSize(1);
  }

  /** Final contents of the copy in all orders. */
  private static Set<String> copies(String text) {
    ProgramImage image = ChainText.parse(text).image();
    int from = 2 * new Layout(image).place(Region.Owner.PROGRAM, 0x6000);
    return AbstractMachine.all(image, Rules.CONSERVATIVE, List.of(), 200_000).stream()
        .map(each -> each.memory().substring(from, from + 16))
        .collect(Collectors.toSet());
  }

  @Test
  void theFetchedResultOfAnUnorderedAdditionIsUncertain() {
    String text =
        MEMORY.replace("relies copy", "relies scratch counter")
            + "queue a qpn=1\n"
            + ADD
            + "queue b qpn=2\n"
            + ADD.replace("0x5000", "0x5008");
    assertThat(analyse(text).refusals().getFirst())
        .contains("scratch+0x0 the previous value of a sum")
        .contains("nothing orders it among the requests that add to the sum");
    assertThat(analyse(text).failure()).isPresent();
    assertThat(analyse(text.replace("relies scratch", "relies")).refusals()).isEmpty();
  }

  @Test
  void aWaitForEitherOfTwoOrdersOnlyRequestsBeforeBoth() {
    String text =
        MEMORY
            + "queue a qpn=1\n"
            + PUT
            + ADD
            + "queue b qpn=2\n"
            + ADD.replace("0x5000", "0x5008")
            + "queue c qpn=3\n"
            + waitFor(3, 0)
            + COPY;
    assertThat(analyse(text).isProved()).as("b may have added").isFalse();
    assertThat(analyse(text).failure()).isPresent();
  }

  @Test
  void aWaitThatMayMissItsValueIsRefused() {
    String text =
        MEMORY + "queue a qpn=1\n" + PUT + ADD + ADD + "queue b qpn=2\n" + waitFor(1) + COPY;
    Analysis analysis = analyse(text);
    assertThat(analysis.refusals())
        .containsExactly(
            "WQE 0 of queue 0x2 (b) waits for a condition on counter+0x0, which does not hold when"
                + " the program is at rest");
    assertThat(analysis.failure().orElseThrow().difference()).startsWith("copy+0x0 holds");
    assertThat(copies(text)).containsExactlyInAnyOrder("0000000000000000", "1122334455667788");
  }

  @Test
  void aWaitForAValueThatNeverComesIsRefused() {
    Analysis analysis = analyse(MEMORY + "queue b qpn=2\n" + waitFor(7) + COPY);
    assertThat(analysis.refusals().getFirst()).contains("waits for a condition on counter+0x0");
  }

  @Test
  void aCounterThatMayChangeBeforeTheWaitLooksIsRefused() {
    String reset =
        """
        wqe {
          ctrl opcode=RDMA_WRITE
          raddr address=0x4000 rkey=0x400
          data byte_count=8 lkey=0x500 address=0x5008
        }
        """;
    String waits = "queue b qpn=2\n" + waitFor(1, 1) + COPY;
    Analysis elsewhere = analyse(MEMORY + "queue a qpn=1\n" + PUT + FLAG + reset + waits);
    assertThat(elsewhere.isProved()).isFalse();
    assertThat(analyse(MEMORY + "queue a qpn=1\n" + PUT + FLAG + waits + reset).refusals())
        .as("the queue that has waited may reset it")
        .isEmpty();
  }

  @Test
  void aWaitForMemoryOfUnknownContentsIsRefused() {
    String text =
        MEMORY.replace(
                "memory counter key=0x400 address=0x4000 bytes=8",
                "memory counter key=0x400 address=0x4000 any=8")
            + "queue b qpn=2\n"
            + waitFor(1);
    assertThat(analyse(text).refusals().getFirst())
        .endsWith("waits for counter+0x0, whose contents are unknown");
  }

  @Test
  void aConditionThatDoesNotExistAndAnAddressThatIsNotAlignedAreRefused() {
    assertThat(analyse(MEMORY + "queue b qpn=2\n" + waitFor(6, 1)).refusals().getFirst())
        .contains("condition 0x6");
    String odd =
        (MEMORY + "queue b qpn=2\n" + waitFor(1)).replace("address=0x4000 v", "address=0x4004 v");
    assertThat(analyse(odd).refusals().getFirst()).contains("not a multiple of 8");
  }
}
