package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains whose UMRs change keys. */
class ChainKeyTest {
  private static final int MAX_REQUESTS = 10_000;

  /** Two rows of four bytes, of each of which the key covers two. */
  private static final String MEMORY =
      """
      memory rows key=0x100 address=0x1000 content=1112131421222324
      memory result key=0x200 address=0x2000 bytes=8
      memory zeros key=0x300 address=0x3000 bytes=8
      key strided key=0x700 entries=4
      relies result
      """;

  private static final String UMR =
      """
      wqe {
        ctrl opcode=UMR umr_mkey=0x700 ds=12 ce=always
        umr flags=0x80 klm_octowords=4 mkey_mask=0x203e0001
        mkc lw=1 lr=1 rr=1 rw=1 len=4
        repeat byte_count=2 op=0x400 repeat_count=2 num_ent=1
        repeat_ent stride=4 byte_count=2 mkey=0x100 address=0x1000
      }
      """;

  private static final String PUT =
      """
      wqe {
        ctrl opcode=RDMA_WRITE
        raddr address=0x2000 rkey=0x200
        data byte_count=4 lkey=0x700 address=0x0
      }
      """;

  private static final String WAIT =
      """
      wqe {
        ctrl opcode=WAIT
        wait producer_index=0 cqn=9
      }
      """;

  private static String fenced(String wqe, String fence) {
    return wqe.replaceFirst("(opcode=\\w+)", "$1 fence=" + fence);
  }

  private static Analysis analyse(String text) {
    return Analysis.of(ChainText.parse(text), Rules.CONSERVATIVE, MAX_REQUESTS);
  }

  /** Final contents of the result in all orders; an error if the device reports one. */
  private static Set<String> results(String text) {
    ProgramImage image = ChainText.parse(text).image();
    int from = 2 * new Layout(image).place(Region.Owner.PROGRAM, 0x2000);
    return AbstractMachine.all(image, Rules.CONSERVATIVE, List.of(), 200_000).stream()
        .map(each -> each.error() == null ? each.memory().substring(from, from + 8) : each.error())
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"small", "fence", "strong", "small_and_fence"})
  void aRequestWithAnyFenceGoesThroughTheKeyThatTheUmrBeforeItMade(String fence) {
    String text = MEMORY + "queue a qpn=1\n" + UMR + fenced(PUT, fence);
    Analysis analysis = analyse(text);
    assertThat(analysis.refusals()).isEmpty();
    assertThat(analysis.superfluous()).isEmpty();
    assertThat(results(text)).containsExactly("11122122");
  }

  @Test
  void withoutAFenceTheRequestMayFindTheKeyAsItWas() {
    String text = MEMORY + "queue a qpn=1\n" + UMR + PUT;
    Analysis analysis = analyse(text);
    assertThat(analysis.refusals())
        .containsExactly(
            "WQE 0 of queue 0x1 (a), a UMR, changes key strided and WQE 3 of queue 0x1 (a), an"
                + " RDMA_WRITE, uses it: no WAIT, fence or enable orders them");
    assertThat(analysis.missing())
        .containsExactly("fence=small of WQE 3 of queue 0x1 (a), an RDMA_WRITE");
    assertThat(analysis.failure().orElseThrow().difference())
        .isEqualTo(
            "The device reports: WQE 3 of queue 0x1 names key 0x700, which is not in use at that"
                + " time.");
    assertThat(results(text)).hasSize(2).contains("11122122");
  }

  @Test
  void aFenceDoesNotOrderAnotherQueueBehindTheUmrAndAWaitDoes() {
    String umr = MEMORY + "queue a qpn=1 cq=9\n" + UMR + "queue b qpn=2\n";
    assertThat(analyse(umr + fenced(PUT, "small")).isProved()).isFalse();
    assertThat(analyse(umr + fenced(PUT, "small")).missing()).isEmpty();
    Analysis waiting = analyse(umr + WAIT + fenced(PUT, "small"));
    assertThat(waiting.refusals()).isEmpty();
    assertThat(waiting.superfluous())
        .extracting(each -> each.what())
        .containsExactly("fence of WQE 1 of queue 0x2 (b), an RDMA_WRITE");
    assertThat(results(umr + WAIT + PUT)).containsExactly("11122122");
  }

  @Test
  void oneUmrBehindAnotherNeedsNoFenceAndFollowsTheRequestsThatUseTheKey() {
    String other = UMR.replace("stride=4 byte_count=2", "stride=2 byte_count=2");
    String text =
        MEMORY
            + "queue a qpn=1\n"
            + UMR
            + other
            + fenced(PUT, "small")
            + other.replace("address=0x1000", "address=0x1002");
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(results(text)).containsExactly("11121314");
  }

  @Test
  void aWriteGoesToTheStridesThatItsRemoteKeyNames() {
    String text =
        MEMORY.replace("relies result", "")
            + "queue a qpn=1\n"
            + UMR.replace("mkey=0x100 address=0x1000", "mkey=0x200 address=0x2000")
            + """
            wqe {
              ctrl opcode=RDMA_WRITE fence=small
              raddr address=0x0 rkey=0x700
              data byte_count=4 lkey=0x100 address=0x1000
            }
            """;
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(results(text)).containsExactly("11120000");
  }

  @Test
  void aTranspositionReadsThroughAKeyAndAReadWritesThroughOne() {
    String text =
        MEMORY
            + "queue a qpn=1\n"
            + UMR
            + """
            wqe {
              ctrl opcode=LOCAL_MMO fence=small
              transpose element_size=1 num_cols=2 num_rows=2
              data byte_count=4 lkey=0x700 address=0x0
              data byte_count=4 lkey=0x200 address=0x2000
            }
            """;
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(results(text)).containsExactly("11211222");
    String read =
        MEMORY
            + "queue a qpn=1\n"
            + UMR.replace("mkey=0x100 address=0x1000", "mkey=0x200 address=0x2000")
            + """
            wqe {
              ctrl opcode=RDMA_READ fence=small
              raddr address=0x1000 rkey=0x100
              data byte_count=4 lkey=0x700 address=0x0
            }
            """;
    assertThat(analyse(read).refusals()).isEmpty();
  }

  @Test
  void aListOfKeysIsTheSequenceOfItsPieces() {
    String list =
        """
        wqe {
          ctrl opcode=UMR umr_mkey=0x700 ds=12
          umr flags=0x80 klm_octowords=4 mkey_mask=0x203e0001
          mkc lw=1 lr=1 rr=1 rw=1 len=4
          klm byte_count=3 mkey=0x100 address=0x1005
          klm byte_count=1 mkey=0x100 address=0x1000
        }
        """;
    assertThat(results(MEMORY + "queue a qpn=1\n" + list + fenced(PUT, "small")))
        .containsExactly("22232411");
  }

  @Test
  void theTranslationMayLieInMemoryAndMustBeThereBefore() {
    String there =
        """
        memory list key=0x400 address=0x4000 \
        content=00000002000004000000000200000001\
        00040002000001000000000000001000\
        0000000000000000000000000000000000000000000000000000000000000000
        """;
    String umr =
        """
        wqe {
          ctrl opcode=UMR umr_mkey=0x700 ds=9 ce=always
          umr flags=0x0 klm_octowords=4 mkey_mask=0x203e0001
          mkc lw=1 lr=1 rr=1 rw=1 len=4
          data byte_count=0 lkey=0x400 address=0x4000
        }
        """;
    String text = MEMORY + there + "queue a qpn=1\n" + umr + fenced(PUT, "small");
    assertThat(analyse(text).refusals()).isEmpty();
    assertThat(results(text)).containsExactly("11122122");
    String written =
        "queue b qpn=2\n"
            + """
            wqe {
              ctrl opcode=RDMA_WRITE
              raddr address=0x4000 rkey=0x400
              data byte_count=8 lkey=0x300 address=0x3000
            }
            """;
    assertThat(analyse(text + written).refusals().getFirst()).contains("list+0x0");
  }

  @Test
  void aKeyThatAUmrFreesIsNotUsedAfterwards() {
    String free =
        """
        wqe {
          ctrl opcode=UMR umr_mkey=0x700 ds=8
          umr flags=0x0 klm_octowords=0 mkey_mask=0x20000000
          mkc free=1
        }
        """;
    Analysis analysis = analyse(MEMORY + "queue a qpn=1\n" + UMR + free + fenced(PUT, "small"));
    assertThat(analysis.refusals().getFirst())
        .contains("names key 0x700, which is not in use at that time");
    assertThat(analyse(MEMORY + "queue a qpn=1\n" + UMR + fenced(PUT, "small") + free).refusals())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mkey_mask=0x203e0001 | mkey_mask=0x203e0081 | of which 0x80 is not supported in a chain",
        "flags=0x80 | flags=0xc0 | changes key 0x700, which is free at that time",
        "umr_mkey=0x700 | umr_mkey=0x800 | names key 0x800, which is not a key that UMRs change",
        "byte_count=2 op | byte_count=3 op | has a repeat block whose entries do not add up",
        "klm_octowords=4 | klm_octowords=8 | has ds 12, and a translation of 128 bytes in the WQE",
        "repeat_count=2 | repeat_count=1 | reaches beyond the translation of key 0x700",
        "len=4 | len=2 | names 4 bytes at 0x0, which are not in key 0x700",
        "mkey=0x100 address=0x1000 | mkey=0x700 address=0x0 | goes through more than 4 keys",
        "mkey=0x100 address=0x1000 | mkey=0x900 address=0x0 | names lkey 0x900, which belongs to no"
            + " region",
      })
  void aUmrThatMakesNoSenseIsRefused(String was, String is, String says) {
    assertThat(UMR).contains(was.strip());
    String text =
        MEMORY + "queue a qpn=1\n" + UMR.replace(was.strip(), is.strip()) + fenced(PUT, "small");
    assertThat(analyse(text).refusals()).hasSize(1).first().asString().contains(says.strip());
  }

  @Test
  void anAtomicAndAWaitGoThroughNoKeyThatUmrsChange() {
    String atomic =
        """
        wqe {
          ctrl opcode=ATOMIC_FA fence=small
          raddr address=0x0 rkey=0x700
          atomic add=0x1
          data byte_count=8 lkey=0x300 address=0x3000
        }
        """;
    assertThat(analyse(MEMORY + "queue a qpn=1\n" + UMR + atomic).refusals().getFirst())
        .contains("names rkey 0x700, which UMRs change: no atomic");
  }

  @Test
  void aKeyHasRoomForItsTranslation() {
    assertThatThrownBy(() -> ChainText.parse("key k key=0x700 entries=3\nqueue q qpn=1\n"))
        .hasMessage("line 1: a key has 4 to 1024 entries, in multiples of 4");
  }
}
