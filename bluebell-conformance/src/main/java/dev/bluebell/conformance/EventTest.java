package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.ConnectOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Asynchronous events from the driver. */
@Conformance
class EventTest {

  @Test
  void normalTrafficCausesNoEvent(Bench bench) throws Exception {
    Ends ends = bench.connected();
    ends.right().receiveNothing(1, 1);
    ends.left().sendNothing(1);
    ends.left().awaitSuccess(1);
    assertThat(bench.device().awaitEvent(Duration.ofMillis(5))).isNull();
  }

  @Test
  void aWriteWithoutImmediateIsSilentAtTheResponder(Bench bench) {
    Ends ends = bench.connected();
    Buffer target = ends.right().buffer(8);
    ends.left().queuePair().write(target.remote(0)).inline(new byte[8], 0, 8).signaled(1);
    ends.left().complete(1);
    bench.expectCalm(ends.right().completions());
    assertThat(bench.events()).isEmpty();
  }

  @Test
  void aWaitForEventsEndsWhenTheDeviceIsClosed(Bench bench) throws Exception {
    @Nullable AsyncEvent[] event = {new AsyncEvent(AsyncEvent.Type.OTHER, 0, 0)};
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    event[0] = bench.device().awaitEvent(Duration.ofSeconds(60));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    bench.device().close();
    waiter.join();
    assertThat(event[0]).isNull();
  }

  @Test
  void eachFailureIsOneEvent(Bench bench) {
    for (int i = 0; i < 5; i++) {
      Ends ends = bench.connected();
      ends.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(1);
      ends.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(2);
      ends.left().queuePair().ringDoorbell();
      ends.left().await(2);
      assertThat(bench.awaitEvent(AsyncEvent.Type.WQ_ACCESS_ERROR).number())
          .isEqualTo(ends.right().queuePair().number());
    }
    bench.expectCalm(bench.device().createCompletionQueue(1));
    assertThat(bench.events()).extracting(AsyncEvent::type).isEqualTo(List.of());
  }

  @Test
  void optionsOfAConnectionAreThoseThatTheDeviceReports(Bench bench) {
    ConnectOptions options =
        ConnectOptions.DEFAULT
            .withPathMtu(1024)
            .withMaxReads(4)
            .withTimeout(17)
            .withRetryCount(3)
            .withRnrRetry(5)
            .withMinRnrTimer(21);
    Ends ends =
        bench.ends().both(plan -> plan.initialPsn(0x123456)).options(ignored -> options).connect();
    var attributes = ends.left().queuePair().query();
    assertThat(attributes.pathMtu()).isEqualTo(1024);
    assertThat(attributes.maxReads()).isEqualTo(4);
    assertThat(attributes.timeout()).isEqualTo(17);
    assertThat(attributes.retryCount()).isEqualTo(3);
    assertThat(attributes.rnrRetry()).isEqualTo(5);
    assertThat(attributes.minRnrTimer()).isEqualTo(21);
    assertThat(attributes.remoteQpn()).isEqualTo(ends.right().queuePair().number());
    assertThat(attributes.sendPsn()).isEqualTo(0x123456);
    assertThat(attributes.receivePsn()).isEqualTo(0x123456);
  }
}
