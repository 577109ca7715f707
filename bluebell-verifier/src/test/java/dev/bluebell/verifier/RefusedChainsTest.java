package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Chains that must not be proved, because a device may execute them in another way or refuse them.
 */
class RefusedChainsTest {
  private static final int MAX_REQUESTS = 10_000;
  private static final Path CHAINS = Path.of("src/test/resources/chains/refused");
  private static final Rules ENDLESS = Rules.ASSUMED.unchecked();

  private static String text(String name) throws IOException {
    return Files.readString(CHAINS.resolve(name + ".chain"));
  }

  private static ChainText chain(String name) throws IOException {
    return ChainText.parse(text(name));
  }

  private static Analysis analyse(String name) throws IOException {
    return analyse(chain(name), Rules.CONSERVATIVE);
  }

  private static Analysis analyse(ChainText chain, Rules rules) {
    return Analysis.of(chain, rules, MAX_REQUESTS);
  }

  private static String refusal(String text) {
    return analyse(ChainText.parse(text), Rules.CONSERVATIVE).refusals().getFirst();
  }

  @Test
  void aWriteThatOverlapsPartOfALongOneDoesNotHideTheRestOfIt() throws IOException {
    assertThat(analyse("overlapping-wide-writes").isProved()).isFalse();
    assertThat(analyse("overlapping-wide-writes").failure()).isPresent();
  }

  @Test
  void aFenceBehindAReadDoesNotWaitForTheTranspositionBeforeIt() throws IOException {
    assertThat(analyse("fence-behind-transposition").refusals().getFirst())
        .contains("WQE 0 of queue 0x40 (q), a LOCAL_MMO, writes buffer+0x0");
    assertThat(analyse("fence-behind-transposition").failure()).isPresent();
  }

  @Test
  void aWaitForOnePieceOfAWriteDoesNotWaitForTheOtherPieces() throws IOException {
    assertThat(analyse("wait-for-half-a-write").refusals().getFirst())
        .contains("WQE 3 of queue 0x40 (a), an RDMA_WRITE, writes block+0x0");
    ProgramImage image = chain("wait-for-half-a-write").image();
    assertThat(
            IntStream.range(0, 200)
                .mapToObj(seed -> AbstractMachine.run(image, Rules.CONSERVATIVE, List.of(), seed))
                .map(Outcome::memory)
                .distinct())
        .hasSizeGreaterThan(1);
  }

  @Test
  void messagesOfTwoQueuesToOneReceiveQueueAreRefused() throws IOException {
    assertThat(analyse("two-senders").refusals())
        .containsExactly(
            "WQE 0 of queue 0x40 (a), a SEND, reaches queue 0x42 (c), which receives the messages"
                + " of queue 0x41 (b): connect each queue that receives to one sender");
    assertThat(analyse("two-senders").failure()).isPresent();
  }

  @Test
  void theAnswerOfAMaskedAtomicOf4BytesIsBigEndian() throws IOException {
    assertThat(analyse("answer-of-4-bytes").refusals().getFirst())
        .contains("waits for a condition on old+0x0, which does not hold");
    String swapped = text("answer-of-4-bytes").replace("value=0x01020304", "value=0x04030201");
    assertThat(analyse(ChainText.parse(swapped), Rules.CONSERVATIVE).refusals()).isEmpty();
    ProgramImage image = ChainText.parse(swapped).image();
    int old = 2 * new Layout(image).place(Region.Owner.PROGRAM, 0x2000);
    assertThat(AbstractMachine.run(image, Rules.CONSERVATIVE, List.of(), 0).memory().substring(old))
        .startsWith("04030201");
  }

  @Test
  @Tag("slow")
  void twoUnorderedWritesBesideAnEndlessLoopAreRefused() throws IOException {
    ChainText chain = chain("endless");
    Verdict verdict =
        Verifier.verify(chain.image(), ENDLESS, chain.unknown(), chain.reliance(), 200_000);
    assertThat(verdict.refusals()).isEmpty();
    assertThat(verdict.uncertain()).hasSize(1);
    assertThat(verdict.uncertain().getFirst())
        .contains("writes target+0x0 and another request writes it too");
  }

  @Test
  @Tag("slow")
  void aFlagBeforeItsDataIsRefusedAlsoOnAPathThatEndsLikeAnother() throws IOException {
    ChainText chain = chain("flag-on-second-path");
    assertThat(analyse(chain, Rules.CONSERVATIVE.unchecked()).refusals())
        .containsExactly(
            "WQE 1 of queue 0x42 (cond), an RDMA_WRITE, may write flag+0x0 before WQE 0 of queue"
                + " 0x41 (writer), an RDMA_WRITE, has written payload+0x0: a reader that sees the"
                + " flag may not find the data");
  }

  @Test
  @Tag("slow")
  void anUnknownAddendMakesTheHigherBytesOfASumUnknown() throws IOException {
    assertThat(analyse("unknown-addend").refusals())
        .anyMatch(each -> each.endsWith("waits for counter+0x0, whose contents are unknown"));
  }

  @Test
  void anAtomicWithTwoDataSegmentsIsRefused() throws IOException {
    assertThat(analyse("atomic-with-two-segments").refusals())
        .containsExactly(
            "WQE 0 of queue 0x40 (q) is an atomic with 2 data segments: it needs exactly one");
    assertThat(analyse("atomic-with-two-segments").failure()).isEmpty();
  }

  @Test
  void aMatrixThatExceedsTheLimitsOfTheDeviceIsRefused() throws IOException {
    String text = text("matrix-of-65-rows");
    assertThat(refusal(text)).contains("a matrix of 65 rows, 1 columns and elements of 1 bytes");
    String wide = text.replace("bytes=65", "bytes=129").replace("byte_count=65", "byte_count=129");
    assertThat(
            refusal(
                wide.replace("element_size=1", "element_size=129").replace("rows=65", "rows=1")))
        .contains("a matrix of 1 rows, 1 columns and elements of 129 bytes");
  }

  @Test
  void aKeyThatDoesNotGrantLocalReadingCanNotBeReadLocally() throws IOException {
    assertThat(analyse("key-without-local-read").refusals().getFirst())
        .contains("reads locally through key 0x700, which does not grant it (lr=0)");
    String granting = text("key-without-local-read").replace("lw=1 rr=1", "lw=1 lr=1 rr=1");
    assertThat(analyse(ChainText.parse(granting), Rules.CONSERVATIVE).refusals()).isEmpty();
  }

  @Test
  void aTranslationInMemoryMustBeAtAMultipleOf2048() throws IOException {
    String text = text("unaligned-translation");
    assertThat(refusal(text))
        .contains("has its translation at 0x4010, which is not a multiple of 2048");
    String aligned = text.replace("address=0x4010", "address=0x4000");
    assertThat(analyse(ChainText.parse(aligned), Rules.CONSERVATIVE).refusals()).isEmpty();
  }

  @Test
  void aRepeatBlockThatIsNeverRepeatedIsRefused() {
    String text =
        """
        memory rows key=0x100 address=0x1000 bytes=8
        key strides key=0x700 entries=4
        queue q qpn=0x40
        wqe {
          ctrl opcode=UMR umr_mkey=0x700 ds=12
          umr flags=0x80 klm_octowords=4 mkey_mask=0x203c0001
          mkc lw=1 rr=1 rw=1 len=4
          repeat byte_count=2 op=0x400 repeat_count=2 num_ent=1
          repeat_ent stride=4 byte_count=2 mkey=0x100 address=0x1000
        }
        """;
    assertThat(analyse(ChainText.parse(text), Rules.CONSERVATIVE).refusals()).isEmpty();
    assertThat(refusal(text.replace("repeat_count=2", "repeat_count=0")))
        .contains("has a repeat block with repeat_count 0");
  }

  @Test
  void aRingWithoutAKeyCanNotBeReadByAnyKey() throws IOException {
    assertThat(analyse("key-of-a-private-ring").refusals())
        .containsExactly(
            "WQE 0 of queue 0x40 (q) names lkey 0xfffffffe, which belongs to no region");
  }

  @Test
  void thePayloadOfALongMessageMayComeBeforeAnEarlierWriteWhenPlacedOutOfOrder()
      throws IOException {
    ChainText chain = chain("message-out-of-order");
    assertThat(analyse(chain, Rules.CONSERVATIVE).refusals()).isEmpty();
    assertThat(analyse(chain, Rules.CONSERVATIVE.outOfOrder()).refusals())
        .containsExactly(
            "receive entry 0 of queue 0x41 (peer), a message, may write inbox+0x0 before WQE 0 of"
                + " queue 0x40 (put), an RDMA_WRITE, has written data+0x0: a reader that sees the"
                + " flag may not find the data");
  }

  /** In these, another queue's request is hidden from the one that conflicts with it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "read-before-a-hiding-write",
        "fetch-before-a-hiding-write",
        "wait-before-a-hiding-write",
        "write-before-a-hiding-sum",
        "read-before-a-hiding-sum",
      })
  void aRequestIsComparedWithAllThatNothingOrdersBeforeIt(String name) throws IOException {
    assertThat(analyse(name).isProved()).isFalse();
  }

  @Test
  void aWaitForACountThatIsHalfACounterAheadIsRefused() throws IOException {
    assertThat(analyse("wait-half-a-counter-ahead").refusals())
        .containsExactly(
            "WQE 0 of queue 0x40 (waits) waits for completion 8388609 of completion queue 65, which"
                + " has 0: the device compares 24-bit numbers, so they must be nearer");
  }

  @ParameterizedTest
  @MethodSource("chains")
  void theVerdictDoesNotDependOnTheOrderOfTheQueuesInTheText(Path file) throws IOException {
    String text = Files.readString(file);
    int first = text.indexOf("\nqueue ") + 1;
    List<String> queues = List.of(text.substring(first).split("(?m)(?=^queue )"));
    boolean isProved = isProved(text);
    for (int turn = 1; turn < queues.size(); turn++) {
      List<String> rotated = new ArrayList<>(queues);
      Collections.rotate(rotated, turn);
      for (List<String> order : List.of(rotated, rotated.reversed())) {
        String other = text.substring(0, first) + String.join("", order);
        assertThat(isProved(other)).as(other).isEqualTo(isProved);
      }
    }
  }

  private static boolean isProved(String text) {
    ChainText chain = ChainText.parse(text);
    Verdict verdict =
        Verifier.verify(
            chain.image(), Rules.ASSUMED, chain.unknown(), chain.reliance(), MAX_REQUESTS);
    return verdict.isProved() && verdict.uncertain().isEmpty();
  }

  static List<Path> chains() throws IOException {
    try (Stream<Path> files = Files.walk(CHAINS.getParent())) {
      return files.filter(file -> file.toString().endsWith(".chain")).sorted().toList();
    }
  }
}
