package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CqeCompression;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed entries, including false ones. */
class CompressedRingTest {
  private static final int QPN = 0x1234;
  private static final int LOG_ENTRIES = 3;
  private static final int ENTRIES = 1 << LOG_ENTRIES;
  private static final int GUARD = 4096;
  private static final int RECEIVES = 64;
  private final TestMemory memory = new TestMemory(2 * GUARD + (Cqe.BYTES << LOG_ENTRIES));
  private final byte[] untouched = memory.bytes(0, GUARD);
  private final TestMemory larger = new TestMemory(Cqe.BYTES << LOG_ENTRIES + 1);
  private final TestMemory record = new TestMemory(64);
  private final TestMemory register = new TestMemory(1024);
  private final TestMemory queueRecord = new TestMemory(64);
  private final TestMemory requests = new TestMemory(RECEIVES * 32);
  private final ReceiveRing receive =
      new ReceiveRing(
          new ReceiveRingLayout(requests.address(), 6, 5, QPN, queueRecord.address(), 0));
  private final CqeLayout layout = new CqeLayout();
  private CompletionRing ring = open(CqeCompression.BASIC);
  private int user;

  /** Where the next ring lies. */
  private final class CqeLayout {
    CompletionRingLayout at(long address, int logEntries, CqeCompression compression) {
      CompletionRingLayout.initialize(address, logEntries, Cqe.BYTES);
      return new CompletionRingLayout(
              address, logEntries, Cqe.BYTES, 0x56, record.address(), register.address())
          .compressed(compression, Cqc.MINI_CQE_CSUM);
    }
  }

  private CompletionRing open(CqeCompression compression) {
    record.write(0, new byte[8]);
    QueueTable queues = new QueueTable();
    user = queues.reserve();
    SendBench sends = SendBench.ofSixteen();
    queues.set(user, new WorkQueues(QPN, sends.send, receive));
    ring =
        new CompletionRing(
            layout.at(memory.address() + GUARD, LOG_ENTRIES, compression),
            queues,
            new LocalMemory(),
            null);
    return ring;
  }

  private void post(int count) {
    for (int i = 0; i < count; i++) {
      receive.receive().empty().post(i);
    }
    receive.ringDoorbell();
  }

  private long slot(int index) {
    return memory.address() + GUARD + (long) (index & ENTRIES - 1) * Cqe.BYTES;
  }

  private void write(int index, int opOwn, int counter, int byteCount, boolean enhanced) {
    long slot = slot(index);
    Memory.putLong(slot + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(user, 0x77));
    Memory.putLong(slot + Cqe.BYTE_COUNT_WORD, byteCount & 0xffffffffL);
    Memory.putLong(slot + Cqe.TIMESTAMP_WORD, 99);
    int generation =
        enhanced
            ? MiniCqe.enhancedGeneration(index, LOG_ENTRIES)
            : MiniCqe.generation(index, LOG_ENTRIES);
    Memory.putLong(slot + Cqe.LAST_WORD, Cqe.lastWord(0, QPN, counter, opOwn) | generation);
  }

  private void title(int index, int count, int counter) {
    write(index, Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0) | 0xc, counter, count, false);
  }

  private void whole(int index, int counter, boolean enhanced) {
    write(index, Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0), counter, 100 + counter, enhanced);
  }

  private void minis(int index, int first, int count) {
    for (int i = 0; i < count; i++) {
      Memory.putLong(slot(index) + 8L * i, MiniCqe.ofResponder(100 + first + i));
    }
  }

  private void block(int index, int first, int count) {
    minis(index, first, count);
    int generation = MiniCqe.enhancedGeneration(index, LOG_ENTRIES);
    Memory.putLong(slot(index) + Cqe.LAST_WORD, MiniCqe.blockWord(first, count, generation));
  }

  private int consumer() {
    return Integer.parseInt(record.hex(0, 4), 16);
  }

  private List<Long> pollAll() {
    List<Long> ids = new ArrayList<>();
    ring.poll(
        c -> {
          assertThat(c.byteCount()).isEqualTo((int) (100 + c.id()));
          assertThat(c.immediate()).isEqualTo(0x77);
          assertThat(c.timestamp()).isEqualTo(99);
          ids.add(c.id());
        },
        100);
    return ids;
  }

  private static List<Long> ids(int from, int to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private void expectGuards() {
    assertThat(memory.bytes(0, GUARD)).isEqualTo(untouched);
    assertThat(memory.bytes(GUARD + ENTRIES * Cqe.BYTES, GUARD)).isEqualTo(untouched);
  }

  // ---- valid entries

  @Test
  void aSessionMayFillTheRing() {
    post(64);
    for (int i = 0; i < 8; i++) {
      minis(8 * i + 1, 8 * i, 8);
      title(8 * i, 8, 8 * i);
      assertThat(pollAll()).isEqualTo(ids(8 * i, 8 * i + 8));
    }
    assertThat(consumer()).isEqualTo(64);
    assertThat(ring.poll()).isNull();
    expectGuards();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 7, 8})
  void aSessionMayCrossTheEndOfTheRingAndBeginInSlot0(int size) {
    post(64);
    int done = 0;
    while (done + size <= 64) {
      for (int array = 0; array < size; array += MiniCqe.IN_ARRAY) {
        minis(done + MiniCqe.arrayOffset(array / MiniCqe.IN_ARRAY), done + array, 8);
      }
      title(done, size, done);
      assertThat(pollAll()).isEqualTo(ids(done, done + size));
      assertThat(ring.poll()).isNull();
      done += size;
    }
    expectGuards();
  }

  @Test
  void aSessionThatCrossesTheEndIsDroppedAndMovedAsAnyOther() {
    post(64);
    for (int i = 0; i < 6; i++) {
      whole(i, i, false);
    }
    assertThat(pollAll()).hasSize(6);
    minis(7, 6, 4);
    title(6, 4, 6);
    write(10, Cqe.opOwn(CqeOpcode.RESIZE_CQ, false, 0), 0, 0, false);
    ring.moveTo(layout.at(larger.address(), LOG_ENTRIES + 1, CqeCompression.BASIC));
    assertThat(pollAll()).isEqualTo(ids(6, 10));
    open(CqeCompression.BASIC);
    for (int i = 0; i < 6; i++) {
      whole(i, 10 + i, false);
    }
    assertThat(pollAll()).isEqualTo(ids(10, 16));
    minis(7, 16, 4);
    title(6, 4, 16);
    ring.discard(QPN);
    assertThat(ring.poll()).isNull();
    assertThat(consumer()).isEqualTo(10);
  }

  @Test
  void aSessionMayBePolledOneCompletionAtATime() {
    post(10);
    whole(0, 0, false);
    minis(2, 1, 5);
    title(1, 5, 1);
    for (long id = 0; id < 6; id++) {
      Completion completion = ring.poll();
      assertThat(completion).isNotNull();
      assertThat(completion.id()).isEqualTo(id);
      assertThat(consumer()).isEqualTo((int) id + 1);
    }
    assertThat(ring.poll()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "5", "7"})
  void blocksMayCrossTheEndOfTheRingAndHaveATitleOfThePassBefore(int size) {
    open(CqeCompression.ENHANCED);
    post(64);
    whole(0, 0, true);
    assertThat(pollAll()).isEqualTo(ids(0, 1));
    int done = 1;
    while (done + size <= 64) {
      block(done, done, size);
      assertThat(pollAll()).isEqualTo(ids(done, done + size));
      done += size;
    }
    expectGuards();
  }

  @Test
  void theIterationCountOfABlockDecidesAndNotItsOwnerBit() {
    open(CqeCompression.ENHANCED);
    post(64);
    for (int i = 0; i < ENTRIES; i++) {
      whole(i, i, true);
    }
    assertThat(pollAll()).isEqualTo(ids(0, ENTRIES));
    block(8, 8, 4);
    long last = Memory.getLong(slot(8) + Cqe.LAST_WORD);
    Memory.putLong(slot(8) + Cqe.LAST_WORD, last & ~1L);
    assertThat(pollAll()).isEqualTo(ids(8, 12));
    assertThat(ring.poll()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void aRingMovesWithCompressedEntriesInIt(CqeCompression compression) {
    open(compression);
    post(64);
    boolean enhanced = compression == CqeCompression.ENHANCED;
    whole(0, 0, enhanced);
    whole(1, 1, enhanced);
    if (enhanced) {
      block(2, 2, 3);
    } else {
      minis(3, 2, 3);
      title(2, 3, 2);
    }
    whole(5, 5, enhanced);
    write(6, Cqe.opOwn(CqeOpcode.RESIZE_CQ, false, 0), 0, 0, enhanced);
    assertThat(ring.poll()).isNotNull();
    ring.moveTo(layout.at(larger.address(), LOG_ENTRIES + 1, compression));
    assertThat(pollAll()).isEqualTo(ids(1, 6));
    assertThat(consumer()).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void entriesOfAResetQueuePairAreDroppedFromSessions(CqeCompression compression) {
    open(compression);
    post(64);
    if (compression == CqeCompression.ENHANCED) {
      whole(0, 0, true);
      block(1, 1, 4);
    } else {
      minis(1, 0, 5);
      title(0, 5, 0);
    }
    ring.discard(QPN);
    assertThat(ring.poll()).isNull();
    assertThat(consumer()).isEqualTo(5);
  }

  @Test
  void anEntryOfAResetQueuePairIsStillATitle() {
    open(CqeCompression.ENHANCED);
    post(10);
    whole(0, 0xffff, true);
    ring.discard(QPN);
    block(1, 0, 3);
    assertThat(pollAll()).isEqualTo(ids(0, 3));
  }

  /** As Linux does, in entries of 64 and of 128 bytes alike. */
  @ParameterizedTest
  @CsvSource({"64, BASIC", "128, BASIC", "64, ENHANCED", "128, ENHANCED"})
  void onlyTheTitleHasAHashInFormatsWithoutHashes(int bytes, CqeCompression layout) {
    boolean enhanced = layout == CqeCompression.ENHANCED;
    TestMemory entries = new TestMemory(bytes << LOG_ENTRIES);
    CompletionRingLayout.initialize(entries.address(), LOG_ENTRIES, bytes);
    QueueTable queues = new QueueTable();
    user = queues.reserve();
    queues.set(user, new WorkQueues(QPN, SendBench.ofSixteen().send, receive));
    ring =
        new CompletionRing(
            new CompletionRingLayout(
                    entries.address(),
                    LOG_ENTRIES,
                    bytes,
                    0x56,
                    record.address(),
                    register.address())
                .compressed(layout, Cqc.MINI_CQE_CSUM),
            queues,
            new LocalMemory(),
            null);
    post(8);
    long title = entries.address() + bytes - Cqe.BYTES;
    for (int i = 0; i < 3; i++) {
      Memory.putLong(title + bytes + 8L * i, 0xbee0_0000_0000_0000L + 100 + (enhanced ? 1 : 0) + i);
    }
    int generation = enhanced ? MiniCqe.enhancedGeneration(1, LOG_ENTRIES) : 0;
    if (enhanced) {
      Memory.putLong(title + bytes + Cqe.LAST_WORD, MiniCqe.blockWord(1, 3, generation));
    }
    Memory.putLong(title + 8, 0xfeedf00dL);
    Memory.putLong(title + Cqe.PATH_WORD, 0x22000000_00000000L);
    Memory.putLong(title + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(user, 0x77));
    Memory.putLong(title + Cqe.BYTE_COUNT_WORD, enhanced ? 100 : 3);
    Memory.putLong(title + Cqe.TIMESTAMP_WORD, 99);
    int opOwn = Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0) | (enhanced ? 0 : 0xc);
    Memory.putLong(title + Cqe.LAST_WORD, Cqe.lastWord(0, QPN, 0, opOwn));
    assertThat(pollAll()).isEqualTo(ids(0, enhanced ? 4 : 3));
    assertThat(Memory.getLong(title + 8)).isEqualTo(0xfeedf00dL);
    assertThat(Memory.getLong(title + Cqe.PATH_WORD) >>> 56).isEqualTo(0x22);
    for (int i = 1; i < 3; i++) {
      long slot = title + (long) i * bytes;
      assertThat(Memory.getLong(slot + 8)).as("hash").isZero();
      assertThat(Memory.getLong(slot + Cqe.PATH_WORD)).as("type, checksum").isEqualTo(0xbee00000L);
      assertThat(Memory.getLong(slot + Cqe.LAST_WORD) & 1).as("owner").isZero();
    }
  }

  // ---- invalid entries

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 64, 65, 1 << 24, Integer.MAX_VALUE, -1})
  void aTitleOfTooFewOrTooManyCompletionsIsRefusedAtEachPoll(int count) {
    post(10);
    minis(1, 0, 8);
    title(0, count, 0);
    for (int i = 0; i < 3; i++) {
      assertThatIllegalStateException()
          .isThrownBy(ring::poll)
          .withMessageContaining(
              "completion 0 of CQ 0x56 is the title of %s compressed ones, and a title stands for 2"
                  + " to 8 here",
              Integer.toUnsignedString(count))
          .withMessageContaining("create the queue with the layout");
    }
    assertThat(consumer()).isZero();
    ring.discard(QPN);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> ring.moveTo(layout.at(larger.address(), LOG_ENTRIES + 1, CqeCompression.BASIC)))
        .withMessageContaining("did not mark the end");
    expectGuards();
  }

  @Test
  void aFailureIsNoTitle() {
    write(0, Cqe.opOwn(CqeOpcode.REQ_ERR, false, 0) | 0xc, 0, 4, false);
    assertThatIllegalStateException()
        .isThrownBy(ring::poll)
        .withMessageContaining("its title has opcode REQ_ERR instead of that of a success");
  }

  @Test
  void aBlockWithoutATitleIsRefused() {
    open(CqeCompression.ENHANCED);
    block(0, 0, 3);
    assertThatIllegalStateException()
        .isThrownBy(ring::poll)
        .withMessageContaining("its title has opcode INVALID");
    ring.discard(QPN);
    expectGuards();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15})
  void aBlockOfMoreThanSevenIsRefused(int count) {
    open(CqeCompression.ENHANCED);
    post(10);
    whole(0, 0, true);
    assertThat(pollAll()).hasSize(1);
    long last = MiniCqe.blockWord(1, count, MiniCqe.enhancedGeneration(1, LOG_ENTRIES));
    Memory.putLong(slot(1) + Cqe.LAST_WORD, last);
    assertThatIllegalStateException()
        .isThrownBy(ring::poll)
        .withMessageContaining("is a block of %d compressed ones", count);
    expectGuards();
  }

  @Test
  void theRingOfSeed000ReadInTheWrongLayoutIsRefusedInsteadOfHanging() {
    open(CqeCompression.ENHANCED);
    write(0, Cqe.opOwn(CqeOpcode.REQ, false, 0) | 0xc, 0, 8, false);
    assertThatIllegalStateException()
        .isThrownBy(ring::poll)
        .withMessageContaining("create the queue with the layout of compression that the device");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @Tag("slow")
  void nothingThatADeviceWritesLeadsOutOfTheRing(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      open(random.nextBoolean() ? CqeCompression.BASIC : CqeCompression.ENHANCED);
      for (int step = 0; step < 4; step++) {
        for (int i = 0; i < ENTRIES; i++) {
          if (random.nextInt(3) > 0) {
            lie(random, i);
          }
        }
        for (int poll = 0; poll < 12; poll++) {
          try {
            ring.poll(c -> assertThat(c.toString()).isNotEmpty(), 1 + random.nextInt(3));
          } catch (IllegalStateException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
          }
        }
        ring.discard(QPN);
        expectGuards();
      }
    }
  }

  private void lie(Random random, int slot) {
    byte[] bytes = new byte[Cqe.BYTES];
    random.nextBytes(bytes);
    memory.write(GUARD + (long) slot * Cqe.BYTES, bytes);
    if (random.nextBoolean()) {
      int opOwn = random.nextInt(256) | (random.nextBoolean() ? 0xc : 0);
      write(slot, opOwn, random.nextInt(8), random.nextInt(12), random.nextBoolean());
    }
  }
}
