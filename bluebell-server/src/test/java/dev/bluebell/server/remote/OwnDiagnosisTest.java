package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaDiagnosis;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The device's diagnosis for a client is only about the client's own objects. */
class OwnDiagnosisTest extends Hosted {
  private Peer one;
  private Peer two;
  private Peer stranger;

  @BeforeEach
  void open() {
    one = new Peer(host.name(), Peer.Payload.SHARED);
    two = new Peer(host.name(), Peer.Payload.SHARED);
    stranger = new Peer(host.name(), Peer.Payload.SHARED);
    Peer.connect(one, two);
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    stranger.close();
  }

  private static HcaDiagnosis diagnosis(Peer peer) {
    return peer.device().diagnosis().orElseThrow();
  }

  private static String name(Peer peer) {
    return "QP 0x%x".formatted(peer.queuePair().number());
  }

  @Test
  void theTablesHaveTheObjectsOfTheClientAlone() {
    String all = String.join("\n", host.objects());
    for (Peer peer : List.of(one, two, stranger)) {
      List<String> own = diagnosis(peer).objects();
      assertThat(own).allMatch(all::contains);
      assertThat(own)
          .anyMatch(line -> line.startsWith(name(peer)))
          .anyMatch(line -> line.startsWith("mkey 0x%x:".formatted(peer.memory().lkey())))
          .filteredOn(line -> line.startsWith("mkey") || line.startsWith("QP"))
          .hasSize(2);
    }
    assertThat(diagnosis(stranger).objects()).hasSizeLessThan(host.objects().size() / 2);
  }

  @Test
  void anExplanationIsShownOnlyToTheClientThatFailed() {
    one.write(two.memory().address(), two.memory().rkey() + 1, 8);
    assertThat(one.await()).isNotNull();
    assertThat(diagnosis(one).explanations()).anyMatch(line -> line.contains("rkey"));
    assertThat(diagnosis(stranger).explanations()).isEmpty();
    int cqn = one.completions().number();
    assertThat(diagnosis(one).explain(cqn, 0)).isPresent();
    assertThat(diagnosis(stranger).explain(cqn, 0)).isEmpty();
  }

  @Test
  void explanationsAreReportedAfterTheTurnThatTheyCameIn() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CompletableFuture<List<String>> told = new CompletableFuture<>();
    host.observe(
        (subject, number, sentence) -> {
          failed.countDown();
          // An answer by now would be too early.
          told.completeOnTimeout(List.of("nothing yet"), 100, TimeUnit.MILLISECONDS).join();
        });
    one.write(two.memory().address(), two.memory().rkey() + 1, 8);
    assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
    List<String> sentences = diagnosis(two).explanations();
    told.complete(sentences);
    assertThat(told.get()).containsExactly("nothing yet");
    assertThat(sentences).anyMatch(line -> line.contains("rkey"));
  }

  @Test
  void theFlightRecordIsAboutTheClientsOwnQueues() {
    one.write(two.memory().address(), two.memory().rkey(), 8);
    one.awaitSuccess();
    assertThat(diagnosis(one).flightRecord()).isNotEmpty();
    assertThat(diagnosis(stranger).flightRecord())
        .noneMatch(line -> line.contains(name(one)) || line.contains(name(two)));
  }

  @Test
  void tracingCoversOnlyTheClientsOwnQueuesAndEndsWithTheClient() {
    diagnosis(stranger).trace(true);
    one.write(two.memory().address(), two.memory().rkey(), 8);
    one.awaitSuccess();
    assertThat(diagnosis(one).flightRecord()).noneMatch(OwnDiagnosisTest::isTraced);

    diagnosis(one).trace(true);
    one.write(two.memory().address(), two.memory().rkey(), 8);
    one.awaitSuccess();
    assertThat(diagnosis(one).flightRecord()).anyMatch(OwnDiagnosisTest::isTraced);

    try (Peer later = new Peer(host.name(), Peer.Payload.SHARED);
        Peer other = new Peer(host.name(), Peer.Payload.SHARED)) {
      diagnosis(one).trace(false);
      Peer.connect(later, other);
      later.write(other.memory().address(), other.memory().rkey(), 8);
      later.awaitSuccess();
      assertThat(diagnosis(later).flightRecord()).noneMatch(OwnDiagnosisTest::isTraced);
    }
  }

  @Test
  void aHandOverThatIsRefusedLeavesTracingOn() {
    diagnosis(one).trace(true);
    assertThatThrownBy(() -> one.device().handOver("not a name"))
        .hasMessageContaining("the name of a resident");
    one.write(two.memory().address(), two.memory().rkey(), 8);
    one.awaitSuccess();
    assertThat(diagnosis(one).flightRecord()).anyMatch(OwnDiagnosisTest::isTraced);
  }

  private static boolean isTraced(String line) {
    return line.contains("ctrl opcode=");
  }
}
