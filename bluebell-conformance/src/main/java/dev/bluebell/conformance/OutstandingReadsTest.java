package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** READs and atomics beyond the outstanding limit wait. */
@Conformance
class OutstandingReadsTest {
  private static final int REQUESTS = 100;

  @ParameterizedTest
  @CsvSource({"1,1", "1,16", "16,1", "2,2", "4,16", "16,16", "3,5"})
  void moreReadsThanMayBeOutstandingAllComplete(int asked, int served, Bench bench) {
    Ends ends =
        bench
            .ends()
            .left(plan -> plan.sendQueue(128))
            .right(plan -> plan.responderResources(served))
            .options(options -> options.withMaxReads(asked))
            .connect();
    int bytes = 5000;
    Buffer source = ends.right().buffer((long) REQUESTS * bytes).fill(1);
    Buffer target = ends.left().buffer((long) REQUESTS * bytes);
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < REQUESTS; i++) {
      left.read(source.remote((long) i * bytes))
          .scatter(target.region(), (long) i * bytes, bytes)
          .signaled(i);
    }
    left.ringDoorbell();
    ends.left().awaitInOrder(REQUESTS, 0);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void atomicsAndReadsOfOneQueueAreAnsweredInOrder(int most, Bench bench) {
    Ends ends =
        bench
            .ends()
            .left(plan -> plan.sendQueue(128))
            .options(options -> options.withMaxReads(most))
            .connect();
    Buffer word = ends.right().buffer(8);
    Buffer target = ends.left().buffer(8 * REQUESTS);
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < REQUESTS; i++) {
      if (i % 2 == 0) {
        left.fetchAndAdd(word.remote(0), 1).scatter(target.region(), 8L * i).signaled(i);
      } else {
        left.write(0, 0).unsignaled(1000 + i);
        left.read(word.remote(0)).scatter(target.region(), 8L * i, 8).fence().signaled(i);
      }
      if (i % 7 == 0) {
        left.ringDoorbell();
      }
      if (i % 50 == 49) {
        left.ringDoorbell();
        ends.left().await(50);
      }
    }
    for (int i = 0; i < REQUESTS; i += 2) {
      assertThat(target.getLong(8L * i)).isEqualTo(i / 2);
      // Another addition may execute between this one and its READ, but not before it.
      assertThat(target.getLong(8L * i + 8)).isGreaterThanOrEqualTo(i / 2 + 1);
    }
  }
}
