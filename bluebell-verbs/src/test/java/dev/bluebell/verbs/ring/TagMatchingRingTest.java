package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.TagBuffer;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tag-matching queue with room for 7 tags, 7 receive requests and 16 changes. */
class TagMatchingRingTest {
  private final TagBench bench = new TagBench(3, 4);
  private final TagMatchingRing tags = bench.tags;
  private final TestMemory buffer = new TestMemory(128);

  private int add(long id) {
    return tags.add(id, -1).scatter(0x1000, 64, 7).signaled(1000 + id, id);
  }

  private Completion poll() {
    Completion completion = bench.completions.poll();
    assertThat(completion).isNotNull();
    return completion;
  }

  @Test
  void aTagIsReportedWhenItIsInTheListAndWhenItsMessageArrives() {
    add(5);
    tags.ringDoorbell();
    bench.changed(TagMatchingCqe.APPEND, 0, true, 0);
    bench.match(TagMatchingCqe.CONSUMED_MSG, 0, 100);
    Completion added = poll();
    assertThat(added.opcode()).isEqualTo(WorkOpcode.TAG_ADD);
    assertThat(added.id()).isEqualTo(1005);
    assertThat(added.isSuccess()).isTrue();
    assertThat(added.wantsSynchronization()).isFalse();
    Completion message = poll();
    assertThat(message.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(message.id()).isEqualTo(5);
    assertThat(message.byteCount()).isEqualTo(100);
    assertThat(message.tag()).isEqualTo(0x11);
    assertThat(message.tagContext()).isEqualTo(0x1234);
    assertThat(message.isTagMatch()).isTrue();
    assertThat(message.isTagDone()).isTrue();
    assertThat(message.queuePairNumber()).isEqualTo(TagBench.OTHER_QPN);
  }

  @ParameterizedTest
  @ValueSource(ints = {TagMatchingCqe.CONSUMED_MSG, TagMatchingCqe.EXPECTED})
  void aMessageInsideItsCompletionLandsInTheMemoryOfItsTag(int operation) {
    TagBench large = largeBench();
    large.tags.add(5, -1).scatter(buffer.address() + 16, 40, 7).unsignaled(5);
    large.tags.ringDoorbell();
    large.matchInside(operation, 0, Cqe.FORMAT_INLINE_64, message(40));
    Completion matched = large.completions.poll();
    assertThat(matched.isSuccess()).as(matched.toString()).isTrue();
    assertThat(matched.id()).isEqualTo(5);
    assertThat(matched.byteCount()).isEqualTo(40);
    assertThat(matched.tag()).isEqualTo(0x11);
    assertThat(buffer.bytes(16, 40)).isEqualTo(message(40));
    assertThat(buffer.byteAt(15)).isEqualTo(TestMemory.POISON);
    assertThat(buffer.byteAt(56)).isEqualTo(TestMemory.POISON);
    assertThat(large.tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void aMessageInsideItsCompletionThatDoesNotFitItsTagFailsAndFreesIt() {
    TagBench large = largeBench();
    large.tags.add(1, -1).scatter(buffer.address(), 39, 7).unsignaled(1);
    large.tags.add(2, -1).scatter(buffer.address(), 40, 8).unsignaled(2);
    large.tags.add(3, -1).empty().unsignaled(3);
    large.tags.ringDoorbell();
    for (int entry = 0; entry < 3; entry++) {
      large.matchInside(TagMatchingCqe.CONSUMED_MSG, entry, Cqe.FORMAT_INLINE_64, message(40));
    }
    Completion longer = large.completions.poll();
    assertThat(longer.status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
    assertThat(longer.explanation()).contains("tag request of XRQ 0x9", "no room");
    assertThat(longer.id()).isEqualTo(1);
    assertThat(longer.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(longer.isTagDone()).isTrue();
    Completion unknownKey = large.completions.poll();
    assertThat(unknownKey.id()).isEqualTo(2);
    assertThat(unknownKey.status()).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
    assertThat(large.completions.poll().status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
    assertThat(buffer.bytes()).containsOnly(TestMemory.POISON);
    assertThat(large.tags.exactFreeTags()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({"3, 1, 32", "4, 1, 32", "3, 2, 64", "4, 2, 64"})
  void anUnexpectedMessageInsideItsCompletionLandsInItsReceiveRequest(
      int operation, int format, int bytes) {
    TagBench large = largeBench();
    large.tags.receive().scatter(buffer.address(), 64, 7).post(40);
    large.tags.ringReceiveDoorbell();
    large.receiveInside(operation, 0, format, message(bytes));
    Completion unexpected = large.completions.poll();
    assertThat(unexpected.id()).isEqualTo(40);
    assertThat(unexpected.byteCount()).isEqualTo(bytes);
    assertThat(buffer.bytes(0, bytes)).isEqualTo(message(bytes));
    assertThat(large.receives.exactFreeRequests()).isEqualTo(7);
  }

  @Test
  void dataInsideCompletionsThatCannotHaveAnyAreRefused() {
    TagBench large = largeBench();
    large.tags.add(5, -1).scatter(buffer.address(), 64, 7).unsignaled(5);
    large.tags.ringDoorbell();
    large.matchInside(TagMatchingCqe.CONSUMED_MSG, 0, Cqe.FORMAT_INLINE_32, message(8));
    assertThatIllegalStateException()
        .isThrownBy(large.completions::poll)
        .withMessageContaining("has format 1")
        .withMessageContaining("which have no data inside");
    large.matchInside(TagMatchingCqe.CONSUMED, 0, Cqe.FORMAT_INLINE_64, message(8));
    assertThatIllegalStateException().isThrownBy(large.completions::poll);
    large.matchInside(TagMatchingCqe.CONSUMED_MSG, 3, Cqe.FORMAT_INLINE_64, message(8));
    assertThatIllegalStateException()
        .isThrownBy(large.completions::poll)
        .withMessageContaining("not outstanding");
    assertThat(buffer.bytes()).containsOnly(TestMemory.POISON);
  }

  private TagBench largeBench() {
    TagBench large = new TagBench(3, 4, Cqe.BYTES_128);
    large.memory.add(7, buffer.address(), buffer.segment());
    return large;
  }

  private static byte[] message(int bytes) {
    byte[] message = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      message[i] = (byte) (i + 1);
    }
    return message;
  }

  @Test
  void anEntryIsFreeAfterItsLastCompletion() {
    add(5);
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.CONSUMED, 0, 0);
    assertThat(poll().isTagDone()).isFalse();
    assertThat(tags.exactFreeTags()).isEqualTo(6);
    bench.match(TagMatchingCqe.EXPECTED, 0, 100);
    Completion last = poll();
    assertThat(last.isTagMatch()).isFalse();
    assertThat(last.isTagDone()).isTrue();
    assertThat(tags.freeTags()).isEqualTo(6);
    assertThat(tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void anEntryIsNotCompletedTwice() {
    add(5);
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.CONSUMED_MSG, 0, 1);
    bench.match(TagMatchingCqe.CONSUMED_MSG, 0, 1);
    bench.match(TagMatchingCqe.CONSUMED_MSG, 0xffff, 1);
    poll();
    assertThatIllegalStateException()
        .isThrownBy(this::poll)
        .withMessageContaining("entry 0 in the list of tags of XRQ 0x9, which is not outstanding");
    assertThatIllegalStateException().isThrownBy(this::poll);
    assertThat(tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void aMessageThatIsCanceledFailsItsTagAndFreesIt() {
    add(5);
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.MSG_COMPLETION_CANCELED, 0, 0);
    Completion canceled = poll();
    assertThat(canceled.id()).isEqualTo(5);
    assertThat(canceled.isSuccess()).isFalse();
    assertThat(canceled.status()).isEqualTo(CompletionStatus.MESSAGE_CANCELED);
    assertThat(canceled.syndrome()).isZero();
    assertThat(canceled.vendorSyndrome()).isZero();
    assertThat(canceled.explanation()).contains("its connection failed");
    assertThat(tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void aRendezvousIsLeftToTheApplication() {
    add(5);
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.CONSUMED_MSG_SW_RNDV, 0, 32);
    Completion asked = poll();
    assertThat(asked.wantsRendezvous()).isTrue();
    assertThat(asked.isSuccess()).isTrue();
    assertThat(tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void aTagThatWasRemovedIsFree() {
    int handle = add(5);
    assertThat(tags.remove(handle, 77)).isTrue();
    tags.ringDoorbell();
    bench.changed(TagMatchingCqe.APPEND, 0, true, 0);
    bench.changed(TagMatchingCqe.REMOVE, 1, true, 0);
    poll();
    Completion removed = poll();
    assertThat(removed.opcode()).isEqualTo(WorkOpcode.TAG_REMOVE);
    assertThat(removed.id()).isEqualTo(77);
    assertThat(removed.isSuccess()).isTrue();
    assertThat(tags.exactFreeTags()).isEqualTo(7);
    assertThat(tags.remove(handle, 78)).isFalse();
  }

  @Test
  void aTagThatAMessageTookIsNotRemoved() {
    int handle = add(5);
    assertThat(tags.remove(handle, 77)).isTrue();
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.CONSUMED_MSG, 0, 8);
    bench.changed(TagMatchingCqe.REMOVE, 1, false, 0);
    assertThat(poll().id()).isEqualTo(5);
    Completion removed = poll();
    assertThat(removed.id()).isEqualTo(77);
    assertThat(removed.status()).isEqualTo(CompletionStatus.TAG_NOT_FOUND);
    assertThat(removed.isSuccess()).isFalse();
    assertThat(removed.toString()).contains("TAG_REMOVE id 77");
    assertThat(tags.exactFreeTags()).isEqualTo(7);
  }

  @Test
  void anOldHandleRemovesNoNewTag() {
    TagBench small = new TagBench(1, 4);
    int first = small.tags.add(1, -1).empty().unsignaled(1);
    small.tags.ringDoorbell();
    small.match(TagMatchingCqe.CONSUMED_MSG, 0, 0);
    assertThat(small.completions.poll()).isNotNull();
    int second = small.tags.add(2, -1).empty().unsignaled(2);
    small.tags.ringDoorbell();
    small.match(TagMatchingCqe.CONSUMED_MSG, 1, 0);
    assertThat(small.completions.poll()).isNotNull();
    int third = small.tags.add(3, -1).empty().unsignaled(3);
    assertThat(third & 0xffff).as("the same entry").isEqualTo(first & 0xffff);
    assertThat(small.tags.remove(first, 9)).isFalse();
    assertThat(small.tags.remove(second, 9)).isFalse();
    assertThat(small.tags.remove(0x7fff_ffff, 9)).isFalse();
    assertThat(small.tags.remove(third, 9)).isTrue();
  }

  @Test
  void unexpectedMessagesAreCountedAndComeToReceiveRequests() {
    tags.receive().scatter(0x5000, 256, 7).post(40);
    tags.receive().scatter(0x6000, 256, 7).post(41);
    tags.ringReceiveDoorbell();
    assertThat(bench.receiveRecord.hex(0, 4)).isEqualTo("00000002");
    bench.receive(TagMatchingCqe.UNEXPECTED, 0);
    bench.receive(TagMatchingCqe.NO_TAG, 1);
    Completion unexpected = poll();
    assertThat(unexpected.id()).isEqualTo(40);
    assertThat(unexpected.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(unexpected.isTagMatch()).isFalse();
    assertThat(unexpected.isTagDone()).isFalse();
    assertThat(tags.unexpected()).isEqualTo(1);
    Completion untagged = poll();
    assertThat(untagged.id()).isEqualTo(41);
    assertThat(untagged.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITHOUT_TAG);
    assertThat(tags.unexpected()).isEqualTo(1);
    assertThat(bench.receives.exactFreeRequests()).isEqualTo(7);
  }

  @Test
  void aChangeThatRacedWithUnexpectedMessagesWantsSynchronization() {
    add(5);
    tags.synchronize(3, 9);
    tags.ringDoorbell();
    assertThat(bench.commandMemory.hex(64 + 16, 8)).isEqualTo("00c0000000000003");
    bench.changed(TagMatchingCqe.APPEND, 0, true, 3);
    bench.changed(TagMatchingCqe.NOOP, 1, true, 0);
    assertThat(poll().wantsSynchronization()).isTrue();
    Completion synchronize = poll();
    assertThat(synchronize.opcode()).isEqualTo(WorkOpcode.TAG_SYNCHRONIZE);
    assertThat(synchronize.id()).isEqualTo(9);
    assertThat(synchronize.wantsSynchronization()).isFalse();
  }

  @Test
  void manyUnsynchronizedUnexpectedMessagesWantSynchronization() {
    for (int i = 0; i <= 0x3fff; i++) {
      tags.receive().scatter(0x5000, 256, 7).post(i);
      tags.ringReceiveDoorbell();
      bench.receive(TagMatchingCqe.UNEXPECTED, i & 7);
      assertThat(poll().wantsSynchronization()).as("message %d", i).isEqualTo(i == 0x3fff);
    }
  }

  @Test
  void tagsBeyondTheListAreRefused() {
    for (int i = 0; i < 7; i++) {
      add(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> add(7))
        .withMessageContaining("the list of tags of XRQ 0x9 is full (7 tags)");
    tags.ringDoorbell();
    bench.match(TagMatchingCqe.CONSUMED_MSG, 4, 0);
    poll();
    add(8);
    assertThat(bench.commandMemory.hex(7 * 64 + 18, 2)).as("the freed entry").isEqualTo("0004");
  }

  @Test
  void theUnsignalledChangeThatWouldFillTheQueueIsRefused() {
    TagBench small = new TagBench(4, 2);
    for (int i = 0; i < 3; i++) {
      small.tags.add(i, -1).empty().unsignaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> small.tags.add(3, -1).empty().unsignaled(3))
        .withMessageContaining("full of unsignalled requests");
    assertThat(small.tags.freeTags()).isEqualTo(12);
    small.tags.add(3, -1).empty().signaled(33, 3);
    small.tags.ringDoorbell();
    small.changed(TagMatchingCqe.APPEND, 3, true, 0);
    assertThat(small.completions.poll().id()).isEqualTo(33);
    assertThat(small.tags.freeOperations()).isEqualTo(4);
  }

  @Test
  void aChangeThatWasNotPostedIsNotCompleted() {
    add(1);
    tags.ringDoorbell();
    bench.changed(TagMatchingCqe.REMOVE, 3, true, 0);
    assertThatIllegalStateException().isThrownBy(this::poll).withMessageContaining("index 3");
  }

  @Test
  void aTagTakesOneMemoryRangeOfAtLeastOneByte() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tags.add(1, -1).scatter(0x1000, 0, 7).unsignaled(1))
        .withMessageContaining("use empty()");
    TagBuffer stage = tags.add(1, -1);
    assertThat(stage.empty()).isNotNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> stage.scatter(0x1000, 8, 7).unsignaled(1))
        .withMessageContaining("already has its memory");
    assertThat(tags.dropUnfinished()).isFalse();
    assertThat(tags.freeTags()).isEqualTo(7);
    assertThatIllegalStateException().isThrownBy(() -> stage.empty().unsignaled(1));
  }

  @Test
  void oneChangeIsBuiltAtATime() {
    assertThat(tags.add(1, -1)).isNotNull();
    assertThatIllegalStateException().isThrownBy(() -> tags.add(2, -1).empty().unsignaled(2));
    assertThatIllegalStateException().isThrownBy(() -> tags.synchronize(0, 1));
    assertThatIllegalStateException().isThrownBy(tags::ringDoorbell);
    assertThat(tags.dropUnfinished()).isTrue();
    add(3);
  }

  static LongStream seeds() {
    return new Random().longs(6);
  }

  /** A device that takes tags in any order, and whose list knows the entry of the next tag. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noEntryOfTheListIsHandedOutTwice(long seed) {
    Random random = new Random(seed);
    TreeMap<Integer, Long> list = new TreeMap<>();
    List<Integer> consumed = new ArrayList<>();
    int next = 0;
    int command = 0;
    for (int step = 0; step < 10_000; step++) {
      if (random.nextBoolean() && list.size() + consumed.size() < 7) {
        long id = step;
        int handle = add(id);
        tags.ringDoorbell();
        assertThat(handle & 0xffff).as("seed %d", seed).isEqualTo(next);
        assertThat(list.put(next, id)).as("seed %d", seed).isNull();
        assertThat(consumed).as("seed %d", seed).doesNotContain(next);
        String following = bench.commandMemory.hex((command & 15) * 64L + 18, 2);
        bench.changed(TagMatchingCqe.APPEND, command++ & 0xffff, true, 0);
        assertThat(poll().id()).as("seed %d", seed).isEqualTo(1000 + id);
        next = Integer.parseInt(following, 16);
      } else if (!consumed.isEmpty() && random.nextInt(3) == 0) {
        int entry = consumed.remove(random.nextInt(consumed.size()));
        bench.match(TagMatchingCqe.EXPECTED, entry, 1);
        assertThat(poll().isTagDone()).isTrue();
      } else if (!list.isEmpty()) {
        int entry = new ArrayList<>(list.keySet()).get(random.nextInt(list.size()));
        long id = list.remove(entry);
        boolean whole = random.nextBoolean();
        bench.match(whole ? TagMatchingCqe.CONSUMED_MSG : TagMatchingCqe.CONSUMED, entry, 1);
        assertThat(poll().id()).as("seed %d", seed).isEqualTo(id);
        if (!whole) {
          consumed.add(entry);
        }
      }
      assertThat(tags.exactFreeTags())
          .as("seed %d", seed)
          .isEqualTo(7 - list.size() - consumed.size());
    }
  }
}
