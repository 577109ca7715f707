package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.RendezvousTarget;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Rendezvous: tagged messages that offer their payload instead of carrying it. */
@Conformance
@Needs({"tag_matching", "rndv_offload_rc"})
class RendezvousTest {
  private static final int ROOM = 1 << 15;
  private static final int WHOLE = -1;
  private static final int CONTEXT = 0x5eed;

  /** A sender of offers, and a queue whose rendezvous the device executes. */
  private static final class Offers {
    private final Bench bench;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final TagMatchingReceiveQueue receives;
    private final RendezvousTarget target;
    private final Buffer memory;
    private final End sender;
    private final Buffer payload;
    private final Buffer messages;

    Offers(Bench bench) {
      this.bench = bench;
      domain = bench.domain();
      completions = bench.device().createCompletionQueue(64);
      receives = domain.tagMatchingReceiveQueue(completions).tags(7).rendezvous(true).create();
      target = receives.rendezvousTarget().create();
      memory = new Buffer(domain.allocate(ROOM, Access.LOCAL_WRITE));
      sender = bench.ends().create().left();
      Bench.connect(sender.queuePair(), target);
      payload = sender.buffer(ROOM, Access.REMOTE_READ).fill(7);
      messages = sender.buffer(1024, Access.LOCAL_WRITE);
    }

    /** Adds a tag with {@code bytes} of memory; its id is the tag. */
    void add(long tag, int bytes) {
      int unused = receives.add(tag, WHOLE).scatter(memory.region(), 0, bytes).signaled(1000, tag);
      receives.ringDoorbell();
      assertThat(await().id()).isEqualTo(1000);
    }

    RemoteMemory payload(int bytes) {
      return payload.region().remote().slice(100, bytes);
    }

    /** Offers {@code bytes} of the payload, and posts a receive request for the answer. */
    void offer(long tag, int bytes) {
      sender.receive(messages, 512, 64, 20 + tag);
      TagHeader.offer(messages.region().segment(), 0, tag, CONTEXT, payload(bytes));
      sender.send(messages, 0, TagHeader.OFFER_BYTES, 10 + tag);
    }

    void expectAnswer(long tag, int bytes) {
      assertThat(sender.await(2))
          .allSatisfy(done -> assertThat(done.status()).isEqualTo(CompletionStatus.SUCCESS))
          .extracting(Done::id)
          .containsExactlyInAnyOrder(10 + tag, 20 + tag);
      MemorySegment answer = messages.region().segment().asSlice(512, TagHeader.OFFER_BYTES);
      assertThat(TagHeader.isDone(answer, 0)).isTrue();
      assertThat(TagHeader.tag(answer, 0)).isEqualTo(tag);
      assertThat(TagHeader.context(answer, 0)).isEqualTo(CONTEXT);
      assertThat(TagHeader.payload(answer, 0)).isEqualTo(payload(bytes));
    }

    /** The next completion of the queue, which is valid until the next call. */
    Completion await() {
      Completion completion = bench.awaitView(completions);
      assertThat(completion.status())
          .as("%s", completion.explanation())
          .isEqualTo(CompletionStatus.SUCCESS);
      return completion;
    }
  }

  @Test
  void theDeviceReadsAnOfferThatMatchesATagAndNotifiesTheSender(Bench bench) {
    Offers offers = new Offers(bench);
    for (int bytes : new int[] {1, 40, 5000, 20000}) {
      offers.add(bytes, 20000);
      offers.offer(bytes, bytes);
      Completion match = offers.await();
      assertThat(match.id()).isEqualTo(bytes);
      assertThat(match.isTagMatch()).isTrue();
      assertThat(match.isTagDone()).isFalse();
      assertThat(match.wantsRendezvous()).isFalse();
      assertThat(match.tagContext()).isEqualTo(CONTEXT);
      Completion done = offers.await();
      assertThat(done.id()).isEqualTo(bytes);
      assertThat(done.isTagDone()).isTrue();
      assertThat(done.byteCount()).isEqualTo(bytes);
      assertThat(offers.memory.bytes(0, bytes)).isEqualTo(offers.payload.bytes(100, bytes));
      offers.expectAnswer(bytes, bytes);
      assertThat(offers.receives.exactFreeTags()).isEqualTo(7);
    }
  }

  @Test
  void theClientReadsWhatDoesNotFitByAnotherQueuePair(Bench bench) {
    Offers offers = new Offers(bench);
    CompletionQueue reads = bench.device().createCompletionQueue(16);
    RcQueuePair reader = offers.domain.rcQueuePair(reads).create();
    RcQueuePair server = offers.sender.domain().rcQueuePair(offers.sender.completions()).create();
    Bench.connect(reader, server);

    offers.add(3, 64);
    offers.offer(3, 5000);
    Completion left = offers.await();
    assertThat(left.id()).isEqualTo(3);
    assertThat(left.wantsRendezvous()).isTrue();
    assertThat(left.isTagDone()).isTrue();
    MemorySegment message = offers.memory.region().segment();
    assertThat(TagHeader.isOffer(message, 0)).isTrue();
    RemoteMemory offered = TagHeader.payload(message, 0);
    assertThat(offered.length()).isEqualTo(5000);
    reader.read(offered).scatter(offers.memory.region(), 1024, 5000).unsignaled(1);
    TagHeader.done(message, 0, left.tag(), left.tagContext(), offered);
    server.receive().scatter(offers.messages.region(), 512, 64).post(20 + 3);
    server.ringReceiveDoorbell();
    reader.send().gather(offers.memory.region(), 0, TagHeader.OFFER_BYTES).fence().signaled(2);
    reader.ringDoorbell();
    bench.await(reads, 1).getFirst().requireSuccess(2);
    assertThat(offers.memory.bytes(1024, 5000)).isEqualTo(offers.payload.bytes(100, 5000));
    offers.expectAnswer(3, 5000);
  }

  @Test
  void anOfferThatNoTagMatchesIsUnexpected(Bench bench) {
    Offers offers = new Offers(bench);
    offers.receives.receive().scatter(offers.memory.region(), 128, 64).post(4);
    offers.receives.ringReceiveDoorbell();
    offers.offer(9, 300);
    assertThat(offers.await().id()).isEqualTo(4);
    MemorySegment message = offers.memory.region().segment();
    assertThat(TagHeader.isOffer(message, 128)).isTrue();
    assertThat(TagHeader.tag(message, 128)).isEqualTo(9);
    assertThat(TagHeader.payload(message, 128)).isEqualTo(offers.payload(300));
  }

  @Test
  void aQueueCreatedWithoutRendezvousHasNoTarget(Bench bench) {
    TagMatchingReceiveQueue receives =
        bench.domain().tagMatchingReceiveQueue(bench.device().createCompletionQueue(16)).create();
    assertThatIllegalStateException()
        .isThrownBy(receives::rendezvousTarget)
        .withMessageContaining("rendezvous(true)");
  }

  @Test
  void aQueueIsClosedAfterItsTargets(Bench bench) {
    Offers offers = new Offers(bench);
    assertThatIllegalStateException()
        .isThrownBy(offers.receives::close)
        .withMessageContaining("still used by QP 0x");
    offers.target.close();
    offers.receives.close();
  }
}
