package dev.bluebell.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** verify prints the proof or the failing order, and returns the matching exit code. */
class VerifyCommandTest {
  private static final Path CHAINS = Path.of("../bluebell-verifier/src/test/resources/chains");

  private static Cli verify(String chain, String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "program";
    args[1] = "verify";
    args[2] = CHAINS.resolve(chain).toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return Cli.run(args);
  }

  @Test
  void aChainWithItsFenceIsProved() {
    Cli cli = verify("proved.chain");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out()).startsWith("proved: ").doesNotContain("superfluous");
  }

  @Test
  void theFenceOfAFlagIsNeededWherePayloadIsPlacedOutOfOrder() {
    Cli inOrder = verify("ucx-put-flag.chain");
    assertThat(inOrder.out()).contains("superfluous: fence of WQE 1 of queue 0x40 (put)");
    Cli outOfOrder = verify("ucx-put-flag.chain", "--out-of-order");
    assertThat(outOfOrder.out()).startsWith("proved: ").doesNotContain("superfluous");
  }

  @Test
  void aChainWithoutItsFenceShowsAnOrderInWhichItFails() {
    Cli cli = verify("missing-fence.chain");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out())
        .contains("not proved: ")
        .containsSubsequence(
            "An order in which it fails:",
            "WQE 1 of queue 0x40 (copy) (RDMA_WRITE) reads its data from buffer+0x0, 8 bytes",
            "WQE 0 of queue 0x40 (copy) (RDMA_READ) writes its answer to buffer+0x0, 8 bytes")
        .contains(
            "target+0x0 holds 0000000000000000 at the end; when each request ends before the next"
                + " begins, it holds 1122334455667788.");
  }

  @Test
  void ordersThatWereTriedWithZerosInUnknownMemoryAreMarked(@TempDir Path folder)
      throws IOException {
    String known = Files.readString(CHAINS.resolve("missing-fence.chain"));
    Path chain = folder.resolve("unknown.chain");
    Files.writeString(chain, known.replace("content=1122334455667788", "any=8"));
    assertThat(Cli.run("program", "verify", chain.toString()).out())
        .contains(
            "No order that was tried gives another result.",
            "Unknown contents (any=) were zeros in the orders that were tried");
    assertThat(verify("missing-fence.chain").out()).doesNotContain("any=");
  }

  @Test
  void theMissingFenceIsNamedAndTheOrderDrawn(@TempDir Path folder) throws IOException {
    Path svg = folder.resolve("order.svg");
    Cli cli = verify("ucc-alltoall-unfenced.chain", "--svg", svg.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out())
        .contains("missing: fence=small of WQE 1 of queue 0x41 (peer1), an RDMA_WRITE");
    assertThat(Files.readString(svg))
        .startsWith("<svg")
        .contains("WQE 1 (peer1)")
        .contains("RDMA_WRITE reads its data from buffer+0x0, 8 bytes")
        .contains("When counter1 changes, block1 does not yet have its final contents.");
    JsonNode json = verify("ucc-alltoall-unfenced.chain", "--json").json().getFirst();
    assertThat(json.get("missing")).hasSize(2);
  }

  @Test
  void aPictureThatIsNotWrittenIsNamed(@TempDir Path folder) {
    Path svg = folder.resolve("order.svg");
    Cli cli = verify("proved.chain", "--svg", svg.toString());
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err())
        .isEqualTo("bluebell: %s was not written: there is no failing order\n".formatted(svg));
    assertThat(svg).doesNotExist();
  }

  @Test
  void superfluousBarriersAreNamed() {
    Cli cli = verify("superfluous.chain");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out())
        .contains("proved: ")
        .contains("superfluous: fence of WQE 2 of queue 0x40 (copy), an RDMA_WRITE")
        .contains("superfluous: WAIT of WQE 1 of queue 0x40 (copy)");
  }

  /** They send an answer before all keys are compared; docs/verification.md says so. */
  @Test
  void theSuperfluousBarriersOfAServiceEnableAnEarlyAnswer() {
    Cli cli = Cli.run("program", "verify", "hash-get-24");
    List<String> superfluous =
        cli.out().lines().filter(line -> line.startsWith("superfluous: ")).toList();
    assertThat(superfluous).hasSize(2);
    String entries = Cli.run("program", "explain", "hash-get-24").out();
    for (int i = 0; i < 2; i++) {
      String index =
          superfluous.get(i).replaceFirst(".* SEND_EN of WQE (\\d+) .*\\(worker\\)", "$1");
      assertThat(entries).containsPattern("worker " + index + " +send_en +client < " + (i + 1));
    }
  }

  @Test
  void jsonHasTheOrderAndTheSuperfluousBarriers() {
    JsonNode failing = verify("missing-fence.chain", "--json").json().getFirst();
    assertThat(failing.get("proved").asBoolean()).isFalse();
    assertThat(failing.get("refusals")).hasSize(1);
    assertThat(failing.get("order")).isNotEmpty();
    JsonNode proved = verify("superfluous.chain", "--json").json().getFirst();
    assertThat(proved.get("proved").asBoolean()).isTrue();
    assertThat(proved.get("superfluous")).hasSize(2);
    assertThat(proved.at("/superfluous/0/index").asInt()).isEqualTo(1);
  }

  @Test
  void aServiceIsProved() {
    Cli cli = Cli.run("program", "verify", "fetch-add");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out()).startsWith("proved: fetch-add gives the same result in every order");
  }

  @Test
  void aWordThatIsNeitherProgramNorChainIsWrongUsage() {
    Cli none = Cli.run("program", "verify", "nothing");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err())
        .contains("nothing is neither a program nor a file", "Analysis.of", "docs/verification.md");
  }

  @Test
  void aChainWithoutRequestsIsNotProved(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("empty.chain");
    Files.writeString(file, "queue copy qpn=0x40\n");
    Cli cli = Cli.run("program", "verify", file.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("empty.chain has no requests, so there is nothing to prove");
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void aChainInAFileIsNotCompiledForManyCalls(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("own.chain"), "queue copy qpn=0x40\n");
    Cli cli = Cli.run("program", "verify", file.toString(), "--many-calls");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("--many-calls is for programs");
  }

  @Test
  void aFileThatIsNoChainIsAFailure(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.chain"), "queue copy qpn=0x40\nwqe {\n");
    Cli bad = Cli.run("program", "verify", file.toString());
    assertThat(bad.exitCode()).isEqualTo(1);
    assertThat(bad.err())
        .contains("bad.chain, line 2: the block has no closing '}'")
        .doesNotContain("--help");
  }
}
