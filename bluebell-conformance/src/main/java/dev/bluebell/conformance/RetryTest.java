package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries when the peer does not answer. */
@Conformance
class RetryTest {
  /** 4.096 µs · 2^8 is about a millisecond. */
  private static final ConnectOptions SHORT =
      ConnectOptions.DEFAULT.withTimeout(8).withRetryCount(2);

  @Test
  void retriesToAPeerThatDoesNotExistAreGivenUp(Bench bench) {
    Ends ends = bench.ends().create();
    QueuePairEndpoint gone = ends.right().queuePair().endpoint();
    ends.right().queuePair().close();
    ends.left().queuePair().connect(gone, SHORT);
    expectGivenUp(ends, bench.saidInside("no QP 0x%x exists".formatted(gone.qpn())), "retry_count");
  }

  @Test
  void retriesToAPeerInTheErrorStateAreGivenUp(Bench bench) {
    Ends ends = bench.connected(options -> SHORT);
    ends.right().queuePair().toError();
    expectGivenUp(
        ends,
        bench.saidInside("QP 0x%x is in ERR".formatted(ends.right().queuePair().number())),
        "retry_count");
  }

  @Test
  void retriesToAnUnconnectedPeerAreGivenUp(Bench bench) {
    Ends ends = bench.ends().create();
    ends.left().queuePair().connect(ends.right().queuePair().endpoint(), SHORT);
    expectGivenUp(
        ends,
        bench.saidInside("QP 0x%x is in INIT".formatted(ends.right().queuePair().number())),
        "retry_count");
  }

  @Test
  void retriesToAPeerConnectedElsewhereAreGivenUp(Bench bench) {
    Ends ends = bench.connected(options -> SHORT);
    Ends stranger = bench.ends().create();
    stranger.left().queuePair().connect(ends.right().queuePair().endpoint(), SHORT);
    expectGivenUp(
        stranger,
        bench.saidInside(
            "QP 0x%x is connected to QP 0x%x"
                .formatted(ends.right().queuePair().number(), ends.left().queuePair().number())),
        bench.saidInside("remote_qpn"),
        "retry_count");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void givingUpTakesOneTimeoutForEachAttempt(int retries, Bench bench) {
    Ends ends = bench.connected(options -> options.withTimeout(8).withRetryCount(retries));
    ends.right().queuePair().toError();
    long start = bench.device().clock();
    expectGivenUp(ends, "after " + Counted.of(retries, "retry", "retries"));
    double microseconds =
        (bench.device().clock() - start) * 1e3 / bench.device().attributes().clockKilohertz();
    assertThat(microseconds).isGreaterThanOrEqualTo((retries + 1) * 1048.576);
  }

  @Test
  void aPeerThatConnectsInTimeIsReached(Bench bench) {
    Ends ends = bench.ends().create();
    // 8 attempts, a second apart, so even a busy machine connects in time.
    ConnectOptions patient = ConnectOptions.DEFAULT.withTimeout(18).withRetryCount(7);
    ends.left().queuePair().connect(ends.right().queuePair().endpoint(), patient);
    Buffer target = ends.right().buffer(8);
    byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
    ends.left().queuePair().write(target.remote(0)).inline(data, 0, 8).signaled(1);
    ends.left().queuePair().ringDoorbell();
    bench.device().progress();
    ends.right().queuePair().connect(ends.left().queuePair().endpoint(), patient);
    ends.left().awaitSuccess(1);
    assertThat(target.bytes()).isEqualTo(data);
  }

  @Test
  void theRetriesAreRestoredByEachSuccess(Bench bench) {
    int retries = 5;
    // 6 attempts, a quarter of a second apart, so even a busy machine connects in time.
    ConnectOptions options = ConnectOptions.DEFAULT.withTimeout(16).withRetryCount(retries);
    Ends ends = bench.ends().create();
    QueuePairEndpoint right = ends.right().queuePair().endpoint();
    QueuePairEndpoint left = ends.left().queuePair().endpoint();
    ends.left().queuePair().connect(right, options);
    // Together, the messages need more retries than one message has.
    for (int i = 0; i < retries + 1; i++) {
      ends.left().queuePair().write(0, 0).signaled(i);
      ends.left().queuePair().ringDoorbell();
      // The peer does not answer until it is connected.
      bench.expectCalm(ends.left().completions());
      ends.right().queuePair().connect(withPsn(left, left.psn() + i), options);
      ends.left().awaitSuccess(i);
      ends.right().queuePair().reset();
    }
  }

  private static QueuePairEndpoint withPsn(QueuePairEndpoint endpoint, int psn) {
    return new QueuePairEndpoint(
        endpoint.gid(),
        endpoint.lid(),
        endpoint.qpn(),
        psn & 0xffffff,
        endpoint.mtu(),
        endpoint.responderResources());
  }

  /** Posts two requests, the first of which must time out and the second be flushed. */
  private static void expectGivenUp(Ends ends, Object... explained) {
    ends.left().queuePair().write(0, 0).signaled(1);
    ends.left().queuePair().write(0, 0).unsignaled(2);
    ends.left().queuePair().ringDoorbell();
    var done = ends.left().await(2);
    done.get(0)
        .require(1, CompletionStatus.RETRY_EXCEEDED)
        .requireExplained(ends.left().bench(), explained);
    done.get(1).require(2, CompletionStatus.WORK_REQUEST_FLUSHED);
  }
}
