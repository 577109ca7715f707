package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tag matching: messages go to the memory of their tags. Skipped on devices without it. */
@Conformance
@Needs("tag_matching")
class TagMatchingTest {
  private static final int BYTES = 64;
  private static final int WHOLE = -1;

  /** A completion of a tag-matching queue, copied. */
  private record Told(
      long id,
      WorkOpcode opcode,
      CompletionStatus status,
      int byteCount,
      long tag,
      int context,
      boolean match,
      boolean done,
      boolean synchronize) {}

  /** A connection whose right end receives by tags. */
  private static final class Matcher {
    private final Bench bench;
    private final CompletionQueue completions;
    private final TagMatchingReceiveQueue receives;
    private final Buffer memory;
    private final Buffer source;
    private final Ends ends;

    Matcher(Bench bench) {
      this(bench, CompletionQueueOptions.DEFAULT, 0);
    }

    /** A matcher whose messages may arrive inside completions. */
    Matcher(Bench bench, CompletionQueueOptions options, int inside) {
      this.bench = bench;
      ProtectionDomain domain = bench.domain();
      completions = bench.device().createCompletionQueue(64, options);
      receives = domain.tagMatchingReceiveQueue(completions).tags(15).requests(15).create();
      memory = new Buffer(domain.allocate(1 << 16, Access.LOCAL_WRITE));
      ends =
          bench
              .ends()
              .right(
                  plan ->
                      plan.receiveFrom(receives)
                          .receiveCompletions(completions)
                          .inlineReceive(inside))
              .connect();
      source = ends.left().buffer(1 << 16);
    }

    /** Adds a tag with the memory of a place; its id is the place. */
    int add(long tag, long mask, int place) {
      int handle =
          receives
              .add(tag, mask)
              .scatter(memory.region(), (long) place * BYTES, BYTES)
              .signaled(1000 + place, place);
      receives.ringDoorbell();
      assertThat(tell().opcode()).isEqualTo(WorkOpcode.TAG_ADD);
      return handle;
    }

    /** Posts a receive request with the memory of a place, including room for the header. */
    void receive(int place) {
      receives
          .receive()
          .scatter(memory.region(), (long) place * BYTES, BYTES + TagHeader.BYTES)
          .post(place);
      receives.ringReceiveDoorbell();
    }

    /** Sends a message of a header and some bytes. */
    void send(long tag, int context, int bytes) {
      source.fill(tag);
      TagHeader.eager(source.region().segment(), 0, tag, context);
      ends.left().send(source, 0, TagHeader.BYTES + bytes, tag);
      ends.left().awaitSuccess(tag);
    }

    byte[] sent(int bytes) {
      return source.bytes(TagHeader.BYTES, bytes);
    }

    Told tell() {
      return tell(1).getFirst();
    }

    List<Told> tell(int count) {
      return bench.await(
          completions,
          count,
          completion ->
              new Told(
                  completion.id(),
                  completion.opcode(),
                  completion.status(),
                  completion.byteCount(),
                  completion.tag(),
                  completion.tagContext(),
                  completion.isTagMatch(),
                  completion.isTagDone(),
                  completion.wantsSynchronization()));
    }
  }

  @Test
  void shortMessagesInsideCompletionsLandInMemory(Bench bench) {
    Matcher matcher =
        new Matcher(bench, CompletionQueueOptions.DEFAULT.withCqeBytes(Cqe.BYTES_128), 64);
    for (int bytes = 1; bytes <= BYTES; bytes += 21) {
      int unused = matcher.add(5, WHOLE, 0);
      matcher.send(5, 1, bytes);
      Told matched = matcher.tell();
      assertThat(matched.status()).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(matched.id()).isZero();
      assertThat(matched.byteCount()).isEqualTo(bytes);
      assertThat(matched.match() && matched.done()).isTrue();
      assertThat(matcher.memory.bytes(0, bytes)).isEqualTo(matcher.sent(bytes));
      matcher.receive(4);
      matcher.send(6, 1, bytes);
      Told unexpected = matcher.tell();
      assertThat(unexpected.id()).isEqualTo(4);
      assertThat(unexpected.byteCount()).isEqualTo(TagHeader.BYTES + bytes);
      assertThat(matcher.memory.bytes(4 * BYTES + TagHeader.BYTES, bytes))
          .isEqualTo(matcher.sent(bytes));
      // Later tags wait until the device knows that this message was handled.
      matcher.receives.synchronize(matcher.receives.unexpected(), 6);
      matcher.receives.ringDoorbell();
      assertThat(matcher.tell().opcode()).isEqualTo(WorkOpcode.TAG_SYNCHRONIZE);
    }
  }

  @Test
  void aMessageGoesToTheMemoryOfItsTag(Bench bench) {
    Matcher matcher = new Matcher(bench);
    matcher.add(7, WHOLE, 1);
    matcher.add(8, WHOLE, 2);
    matcher.send(8, 0x5eed, 40);
    Told told = matcher.tell();
    assertThat(told.id()).isEqualTo(2);
    assertThat(told.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(told.status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(told.byteCount()).isEqualTo(40);
    assertThat(told.tag()).isEqualTo(8);
    assertThat(told.context()).isEqualTo(0x5eed);
    assertThat(told.match()).isTrue();
    assertThat(told.done()).isTrue();
    assertThat(matcher.memory.bytes(2 * BYTES, 40)).isEqualTo(matcher.sent(40));
    assertThat(matcher.receives.exactFreeTags()).isEqualTo(14);
  }

  @Test
  void theFirstTagThatMatchesUnderItsMaskTakesTheMessage(Bench bench) {
    Matcher matcher = new Matcher(bench);
    matcher.add(0x1200, 0xff00, 1);
    matcher.add(0x1234, WHOLE, 2);
    matcher.send(0x1234, 0, 8);
    assertThat(matcher.tell().id()).isEqualTo(1);
    matcher.send(0x1234, 0, 8);
    assertThat(matcher.tell().id()).isEqualTo(2);
  }

  @Test
  void aMessageThatNoTagMatchesIsUnexpected(Bench bench) {
    Matcher matcher = new Matcher(bench);
    matcher.add(7, WHOLE, 1);
    matcher.receive(4);
    matcher.send(9, 3, 16);
    Told told = matcher.tell();
    assertThat(told.id()).isEqualTo(4);
    assertThat(told.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(told.match()).isFalse();
    assertThat(told.done()).isFalse();
    assertThat(told.byteCount()).isEqualTo(TagHeader.BYTES + 16);
    assertThat(TagHeader.tag(matcher.memory.region().segment(), 4 * BYTES)).isEqualTo(9);
    assertThat(TagHeader.context(matcher.memory.region().segment(), 4 * BYTES)).isEqualTo(3);
    assertThat(matcher.memory.bytes(4L * BYTES + TagHeader.BYTES, 16)).isEqualTo(matcher.sent(16));
    assertThat(matcher.receives.unexpected()).isEqualTo(1);
    assertThat(matcher.receives.exactFreeReceives()).isEqualTo(15);
  }

  @Test
  void aMessageWithoutTagGoesToAReceiveRequest(Bench bench) {
    Matcher matcher = new Matcher(bench);
    matcher.add(0, 0, 1);
    matcher.receive(4);
    TagHeader.untagged(matcher.source.region().segment(), 0);
    matcher.ends.left().send(matcher.source, 0, BYTES, 5);
    matcher.ends.left().awaitSuccess(5);
    Told told = matcher.tell();
    assertThat(told.id()).isEqualTo(4);
    assertThat(told.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITHOUT_TAG);
    assertThat(matcher.receives.unexpected()).isZero();
  }

  @Test
  void eightTagsAreAddedAndRemovedAgain(Bench bench) {
    Matcher matcher = new Matcher(bench);
    List<Integer> handles = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      handles.add(matcher.add(100 + i, WHOLE, i));
    }
    matcher.send(103, 0, 8);
    for (int i = 0; i < 8; i++) {
      assertThat(matcher.receives.remove(handles.get(i), 200 + i)).isTrue();
    }
    matcher.receives.ringDoorbell();
    List<Told> told = matcher.tell(9);
    assertThat(told.getFirst().id()).isEqualTo(3);
    for (int i = 0; i < 8; i++) {
      assertThat(told.get(1 + i).id()).isEqualTo(200 + i);
      assertThat(told.get(1 + i).status())
          .isEqualTo(i == 3 ? CompletionStatus.TAG_NOT_FOUND : CompletionStatus.SUCCESS);
    }
    assertThat(matcher.receives.exactFreeTags()).isEqualTo(15);
    assertThat(matcher.receives.remove(handles.getFirst(), 300)).isFalse();
  }

  @Test
  void tenReceiveRequestsAreReleasedInWhateverOrderTheirMessagesAreHandled(Bench bench) {
    int count = 10;
    Matcher matcher = new Matcher(bench);
    Ends other = bench.ends().right(plan -> plan.receiveFrom(matcher.receives)).connect();
    for (int i = 0; i < count; i++) {
      matcher.add(100 + i, WHOLE, i);
    }
    int[] unexpected = new int[count];
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < count; i++) {
        matcher.receive(2 * (count + i));
      }
      assertThat(matcher.receives.exactFreeReceives()).isEqualTo(5);
      // Unmatched messages take the receive requests, and the ones in between take their tags.
      for (int i = 0; i < count; i++) {
        Ends sender = i % 2 == 0 ? matcher.ends : other;
        long tag = 200L + i;
        Buffer message = sender.left().buffer(TagHeader.BYTES + 40).fill(tag + round);
        TagHeader.eager(message.region().segment(), 0, tag, round);
        sender.left().send(message, 0, TagHeader.BYTES + 40, tag);
        sender.left().awaitSuccess(tag);
        Told told = matcher.tell();
        assertThat(told.status()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(told.byteCount()).isEqualTo(TagHeader.BYTES + 40);
        assertThat(told.match()).isFalse();
        assertThat(matcher.memory.bytes(told.id() * BYTES, TagHeader.BYTES + 40))
            .isEqualTo(message.bytes());
        unexpected[(int) told.id() / 2 - count]++;
        if (round == 0) {
          int which = (i * 3) % count;
          matcher.send(100 + which, i, BYTES);
          assertThat(matcher.tell().id()).isEqualTo(which);
          assertThat(matcher.memory.bytes((long) which * BYTES, BYTES))
              .isEqualTo(matcher.sent(BYTES));
        }
      }
      assertThat(unexpected).containsOnly(round + 1);
      assertThat(matcher.receives.exactFreeReceives()).isEqualTo(15);
    }
    assertThat(matcher.receives.unexpected()).isEqualTo(5 * count);
  }

  @Test
  void tagsAreReusedInWhateverOrderTheirMessagesCome(Bench bench) {
    Matcher matcher = new Matcher(bench);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 15; i++) {
        matcher.add(100 + i, WHOLE, i);
      }
      assertThat(matcher.receives.exactFreeTags()).isZero();
      for (int i = 0; i < 15; i++) {
        int which = (i * 7 + round) % 15;
        matcher.send(100 + which, round, BYTES);
        assertThat(matcher.tell().id()).isEqualTo(which);
        assertThat(matcher.memory.bytes((long) which * BYTES, BYTES))
            .isEqualTo(matcher.sent(BYTES));
      }
      assertThat(matcher.receives.exactFreeTags()).isEqualTo(15);
    }
  }

  @Test
  void aTagThatRacedWithAnUnexpectedMessageWantsSynchronization(Bench bench) {
    Matcher matcher = new Matcher(bench);
    matcher.receive(4);
    matcher.send(9, 0, 8);
    // The message has arrived, but the application has not polled it.
    int unused =
        matcher
            .receives
            .add(9, WHOLE)
            .scatter(matcher.memory.region(), BYTES, BYTES)
            .signaled(1, 2);
    matcher.receives.ringDoorbell();
    List<Told> told = matcher.tell(2);
    assertThat(told.get(0).id()).isEqualTo(4);
    assertThat(told.get(1).opcode()).isEqualTo(WorkOpcode.TAG_ADD);
    assertThat(told.get(1).synchronize()).isTrue();
    matcher.receives.synchronize(matcher.receives.unexpected(), 6);
    matcher.receives.ringDoorbell();
    assertThat(matcher.tell().opcode()).isEqualTo(WorkOpcode.TAG_SYNCHRONIZE);
    matcher.send(9, 0, 8);
    assertThat(matcher.tell().id()).isEqualTo(2);
  }

  @Test
  void aQueueThatIsUsedIsNotClosed(Bench bench) {
    Matcher matcher = new Matcher(bench);
    assertThatIllegalStateException()
        .isThrownBy(matcher.receives::close)
        .withMessageContaining("still used by QP 0x");
    matcher.ends.right().queuePair().close();
    matcher.receives.close();
    matcher.completions.close();
  }
}
