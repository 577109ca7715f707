package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.PendingRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Destroys or resets a queue pair with 32 requests in flight: each request either completes or is
 * reported as pending, and the peer has the executed ones, whole and in order.
 */
@Conformance
class EndUnderLoadTest {
  private static final int REQUESTS = 32;
  private static final int BYTES = 100_000;
  private static final int FIRST_RECEIVE = 1000;

  /** A connection whose left end writes, each time to a different place. */
  private static final class Load {
    private final Bench bench;
    private final Ends ends;
    private final Buffer source;
    private final Buffer target;
    private final List<Done> sent = new ArrayList<>();
    private final List<Done> received = new ArrayList<>();

    Load(Bench bench) {
      this.bench = bench;
      ends = bench.connected();
      source = ends.left().buffer((long) REQUESTS * BYTES).fill(3);
      target = ends.right().buffer((long) REQUESTS * BYTES);
    }

    /** Posts everything, and lets the device make some progress. */
    void begin(int turns) {
      ends.right().receiveNothing(REQUESTS, FIRST_RECEIVE);
      for (int i = 0; i < REQUESTS; i++) {
        long at = (long) i * BYTES;
        ends.left()
            .queuePair()
            .writeImmediate(target.remote(at), i)
            .gather(source.region(), at, BYTES)
            .signaled(i);
      }
      ends.left().queuePair().ringDoorbell();
      for (int i = 0; i < turns; i++) {
        bench.device().progress();
      }
      ends.left().completions().poll(completion -> sent.add(Done.of(completion)), 5);
    }

    /** Expects that completed and pending requests together are all requests, once and in order. */
    void expectNoneLost(PendingRequests pending) {
      List<Long> all = new ArrayList<>();
      for (Done done : sent) {
        all.add(done.requireSuccess(done.id()).id());
      }
      LongStream.of(pending.sends()).forEach(all::add);
      assertThat(all).containsExactlyElementsOf(LongStream.range(0, REQUESTS).boxed().toList());
      assertThat(pending.receives()).isEmpty();
    }

    /**
     * Expects at the peer at least the completed requests, whole and in order, and at most part of
     * one more.
     */
    void expectAtPeer() {
      // Packets in flight when the sender ended may still arrive.
      received.addAll(bench.pollForAWhile(ends.right().completions()));
      assertThat(received).hasSizeBetween(sent.size(), REQUESTS);
      for (int i = 0; i < received.size(); i++) {
        Done done = received.get(i).requireSuccess(FIRST_RECEIVE + i);
        assertThat(done.immediate()).isEqualTo(i);
        assertThat(done.byteCount()).isEqualTo(BYTES);
        assertThat(target.bytes((long) i * BYTES, BYTES))
            .isEqualTo(source.bytes((long) i * BYTES, BYTES));
      }
      int untouched = received.size() + 1;
      if (untouched < REQUESTS) {
        assertThat(target.bytes((long) untouched * BYTES, (REQUESTS - untouched) * BYTES))
            .as("memory of requests behind one that was not executed")
            .containsOnly(0);
      }
    }

    /** The ids of unused receive requests. */
    long[] unused() {
      return LongStream.range(FIRST_RECEIVE + received.size(), FIRST_RECEIVE + REQUESTS).toArray();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20, 80})
  void aDestroyedQueuePairLosesNoRequest(int turns, Bench bench) {
    Load load = new Load(bench);
    load.begin(turns);
    load.expectNoneLost(load.ends.left().queuePair().destroy());
    load.expectAtPeer();
    bench.expectCalm(load.ends.left().completions());
    assertThat(load.ends.right().queuePair().destroy().receives()).isEqualTo(load.unused());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20, 80})
  void aResetQueuePairLosesNoRequestAndWorksAgain(int turns, Bench bench) {
    Load load = new Load(bench);
    load.begin(turns);
    load.expectNoneLost(load.ends.left().queuePair().reset());
    load.expectAtPeer();
    assertThat(load.ends.right().queuePair().reset().receives()).isEqualTo(load.unused());
    bench.ends().connect(load.ends);
    load.sent.clear();
    load.received.clear();
    load.target.region().segment().fill((byte) 0);
    load.begin(0);
    load.sent.addAll(load.ends.left().await(REQUESTS - load.sent.size()));
    load.expectNoneLost(load.ends.left().queuePair().pending());
    load.expectAtPeer();
    assertThat(load.received).hasSize(REQUESTS);
  }
}
