package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Receive requests that several connections share. */
@Conformance
class SharedReceiveQueueTest {
  private static final int TEN_MICROSECONDS = 1;
  private static final int BYTES = 64;

  /** Connections whose right ends receive from one queue. */
  private static final class Hub {
    private final ProtectionDomain domain;
    private final SharedReceiveQueue receives;
    private final Buffer memory;
    private final List<Ends> all = new ArrayList<>();

    Hub(Bench bench, int connections, int requests) {
      domain = bench.domain();
      receives = domain.sharedReceiveQueue().requests(requests).create();
      memory = new Buffer(domain.allocate((long) requests * BYTES, Access.LOCAL_WRITE));
      for (int i = 0; i < connections; i++) {
        all.add(
            bench
                .ends()
                .right(plan -> plan.receiveFrom(receives))
                .options(o -> o.withRnrRetry(7).withMinRnrTimer(TEN_MICROSECONDS))
                .connect());
      }
    }

    /** Posts a request whose id names its place in memory. */
    void post(int place) {
      receives.receive().scatter(memory.region(), (long) place * BYTES, BYTES).post(place);
    }

    /** Posts requests for the first places, and rings for them. */
    void postAll(int count) {
      for (int place = 0; place < count; place++) {
        post(place);
      }
      receives.ringDoorbell();
    }
  }

  @Test
  void messagesOfAllConnectionsTakeTheRequestsInTheirOrder(Bench bench) {
    Hub hub = new Hub(bench, 2, 7);
    hub.postAll(6);
    for (int i = 0; i < 6; i++) {
      Ends ends = hub.all.get(i & 1);
      Buffer source = ends.left().buffer(BYTES).fill(10 + i);
      ends.left().send(source, 0, BYTES, i);
      ends.left().awaitSuccess(i);
      Done received = ends.right().awaitSuccess(i);
      assertThat(received.byteCount()).isEqualTo(BYTES);
      assertThat(hub.memory.bytes((long) i * BYTES, BYTES)).isEqualTo(source.bytes());
    }
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(7);
  }

  @Test
  void randomTrafficOfManyConnectionsArrivesWholeAndOnce(Bench bench) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int places = 31;
    Hub hub = new Hub(bench, 8, places);
    List<Integer> idle = new ArrayList<>();
    for (int i = 0; i < places; i++) {
      idle.add(i);
    }
    List<Buffer> sources = hub.all.stream().map(ends -> ends.left().buffer(BYTES)).toList();
    long message = 1;
    for (int round = 0; round < 300; round++) {
      while (!idle.isEmpty() && random.nextInt(4) != 0) {
        assertThat(hub.receives.exactFreeReceives()).as("seed %d", seed).isEqualTo(idle.size());
        hub.post(idle.removeLast());
      }
      hub.receives.ringDoorbell();
      int outstanding = places - idle.size();
      int first = random.nextInt(8);
      int senders = Math.min(outstanding, 1 + random.nextInt(8));
      for (int i = 0; i < senders; i++) {
        Ends ends = hub.all.get(first + i & 7);
        sources.get(first + i & 7).putLong(0, message + i);
        ends.left().send(sources.get(first + i & 7), 0, BYTES, message + i);
      }
      // In another order than that of the sends.
      for (int i = senders - 1; i >= 0; i--) {
        Ends ends = hub.all.get(first + i & 7);
        ends.left().awaitSuccess(message + i);
        Done received = ends.right().awaitOne();
        assertThat(received.status()).as("seed %d", seed).isEqualTo(CompletionStatus.SUCCESS);
        int place = (int) received.id();
        assertThat(hub.memory.getLong((long) place * BYTES))
            .as("seed %d", seed)
            .isEqualTo(message + i);
        assertThat(idle).as("seed %d", seed).doesNotContain(place);
        idle.add(place);
      }
      message += senders;
    }
  }

  @Test
  void aWriteWithImmediateTakesARequest(Bench bench) {
    Hub hub = new Hub(bench, 1, 3);
    hub.post(2);
    hub.receives.ringDoorbell();
    Ends ends = hub.all.getFirst();
    Buffer target = ends.right().buffer(8);
    ends.left().queuePair().writeImmediate(target.remote(0), 77).signaled(1);
    ends.left().queuePair().ringDoorbell();
    assertThat(ends.right().awaitSuccess(2).immediate()).isEqualTo(77);
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(3);
  }

  @Test
  void aMessageWaitsForARequest(Bench bench) {
    Hub hub = new Hub(bench, 1, 3);
    Ends ends = hub.all.getFirst();
    ends.left().send(ends.left().buffer(BYTES).fill(3), 0, BYTES, 1);
    bench.expectCalm(ends.left().completions());
    hub.postAll(1);
    ends.left().awaitSuccess(1);
    ends.right().awaitSuccess(0);
  }

  @Test
  void theLimitIsReportedOnceAndToItsHandler(Bench bench) {
    Hub hub = new Hub(bench, 1, 7);
    hub.postAll(6);
    int[] calls = {0};
    hub.receives.arm(4, () -> calls[0]++);
    Ends ends = hub.all.getFirst();
    Buffer source = ends.left().buffer(BYTES);
    for (int i = 0; i < 2; i++) {
      ends.left().send(source, 0, BYTES, i);
      ends.left().awaitSuccess(i);
    }
    assertThat(bench.events()).isEmpty();
    for (int i = 2; i < 6; i++) {
      ends.left().send(source, 0, BYTES, i);
      ends.left().awaitSuccess(i);
    }
    assertThat(bench.awaitEvent(AsyncEvent.Type.RECEIVE_LIMIT).number())
        .isEqualTo(hub.receives.number());
    assertThat(calls[0]).isEqualTo(1);
    assertThat(bench.events()).isEmpty();
  }

  @Test
  void aFailedConnectionLeavesTheRequestsToTheOthers(Bench bench) {
    Hub hub = new Hub(bench, 2, 7);
    hub.postAll(4);
    hub.all.get(0).right().queuePair().toError();
    assertThat(bench.awaitEvent(AsyncEvent.Type.LAST_WQE_REACHED).number())
        .isEqualTo(hub.all.get(0).right().queuePair().number());
    Ends other = hub.all.get(1);
    Buffer source = other.left().buffer(BYTES);
    for (int i = 0; i < 4; i++) {
      other.left().send(source, 0, BYTES, i);
      other.left().awaitSuccess(i);
      other.right().awaitSuccess(i);
    }
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(7);
  }

  @Test
  void requestsOfAConnectionThatWasResetOrClosedAreNotLost(Bench bench) {
    Hub hub = new Hub(bench, 2, 7);
    hub.postAll(7);
    for (Ends ends : hub.all) {
      Buffer source = ends.left().buffer(BYTES);
      for (int i = 0; i < 3; i++) {
        ends.left().send(source, 0, BYTES, i);
        ends.left().awaitSuccess(i);
      }
    }
    hub.all.get(0).right().queuePair().reset();
    hub.all.get(1).right().queuePair().close();
    bench.expectCalm(hub.all.get(0).right().completions());
    bench.expectCalm(hub.all.get(1).right().completions());
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(6);
  }

  @Test
  void aQueuePairThatReceivesFromAQueueTakesNoRequestsOfItsOwn(Bench bench) {
    Hub hub = new Hub(bench, 1, 3);
    assertThatIllegalStateException()
        .isThrownBy(() -> hub.all.getFirst().right().queuePair().receive())
        .withMessageContaining("receives from SRQ 0x");
    assertThat(hub.all.getFirst().right().queuePair().receiveQueueRequests()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(hub.receives::close)
        .withMessageContaining("still used by QP 0x");
  }

  @Test
  @ExpectsRefusal
  void aMessageThatIsTooLongFailsItsConnectionAlone(Bench bench) {
    Hub hub = new Hub(bench, 2, 7);
    hub.postAll(2);
    Ends first = hub.all.get(0);
    first.left().send(first.left().buffer(2 * BYTES), 0, 2 * BYTES, 1);
    assertThat(first.left().awaitOne().status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);
    assertThat(first.right().awaitOne().status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
    Ends second = hub.all.get(1);
    second.left().send(second.left().buffer(BYTES), 0, BYTES, 2);
    second.left().awaitSuccess(2);
    second.right().awaitSuccess(1);
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(7);
  }
}
