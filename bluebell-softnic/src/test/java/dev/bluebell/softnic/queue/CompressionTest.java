package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compression of CQEs: which completions are compressed together, and the bytes of both layouts.
 */
class CompressionTest {
  private static final int QPN = 0x1234;
  private static final int USER = 0x55;
  private static final int RECORD = 1 << 14;
  private static final String STALE = "00".repeat(64);
  private static final MachineOptions STRICT = new MachineOptions(true, false, null, true);

  private LoneChip chip = new LoneChip();
  private LoneMemory memory = chip.memory(RECORD + DoorbellRecord.STRIDE);
  private CompletionQueue queue = make(Cqc.LAYOUT_BASIC, 4);
  private int logStride = 6;

  private void onChip(MachineOptions machine) {
    chip = new LoneChip(machine);
    memory = chip.memory(RECORD + DoorbellRecord.STRIDE);
  }

  private CompletionQueue make(int layout, int logSize) {
    return make(layout, logSize, false);
  }

  private CompletionQueue make(int layout, int logSize, boolean large) {
    logStride = large ? 7 : 6;
    return make(
        View.of(Cqc.STRUCTURE)
            .set(Cqc.LOG_CQ_SIZE, logSize)
            .set(Cqc.CQE_SZ, large ? Cqc.CQE_SZ_128_BYTES : Cqc.CQE_SZ_64_BYTES)
            .set(Cqc.CQE_COMP_EN, true)
            .set(Cqc.CQE_COMPRESSION_LAYOUT, layout));
  }

  private CompletionQueue make(View context) {
    return new CompletionQueue(chip.chip(), 0x81, context.bytes(), memory.queue(0, RECORD));
  }

  private void consume(int index) {
    Memory.putInt(memory.address(RECORD) + DoorbellRecord.CQ_SET_CI, index);
  }

  /** A whole CQE. */
  private String slot(int slot) {
    long end = (long) slot + 1 << logStride;
    return HexFormat.of().formatHex(memory.bytes(end - 64, 64));
  }

  private String bytes(int slot, int from, int to) {
    return slot(slot).substring(2 * from, 2 * to);
  }

  private void write(int wqeIndex, int bytes) {
    assertThat(queue.completeRequest(QPN, USER, WqeOpcode.RDMA_WRITE, wqeIndex, bytes)).isTrue();
  }

  private void receive(int wqeIndex, int bytes) {
    receive(QPN, wqeIndex, bytes, 0, false);
  }

  private void receive(int qpn, int wqeIndex, int bytes, int immediate, boolean solicited) {
    int opcode = immediate == 0 ? CqeOpcode.RESP_SEND : CqeOpcode.RESP_SEND_IMM;
    assertThat(queue.completeReceive(opcode, qpn, USER, 0, wqeIndex, bytes, immediate, solicited))
        .isTrue();
  }

  /** Writes this many uncompressed entries, all consumed. */
  private void skip(int entries) {
    for (int i = 0; i < entries; i++) {
      receive(QPN, 0x1000 + 2 * i, 1, 0, false);
      chip.expire();
    }
    consume(entries);
    Memory.fill(memory.address(0), RECORD, (byte) 0);
  }

  private long producer() {
    return View.over(queue.currentContext()).get(Cqc.PRODUCER_COUNTER);
  }

  // ---- basic layout

  @Test
  void elevenReceivesTakeThreeSlotsOfEleven() {
    skip(2);
    for (int i = 0; i < 11; i++) {
      receive(0x20 + i, 0x40 + i);
    }
    assertThat(producer()).isEqualTo(2);
    chip.expire();
    assertThat(producer()).isEqualTo(13);
    assertThat(bytes(2, 40, 48)).isEqualTo("000000000000000b");
    assertThat(bytes(2, 56, 64)).isEqualTo("000012340020002c");
    assertThat(slot(3)).startsWith("00000000000000400000000000000041").endsWith("0000000000000047");
    assertThat(slot(10))
        .isEqualTo("0000000000000048" + "0000000000000049" + "000000000000004a" + "00".repeat(40));
    for (int hole : new int[] {4, 5, 6, 7, 8, 9, 11, 12}) {
      assertThat(slot(hole)).isEqualTo(STALE);
    }
    receive(0x100, 7);
    chip.expire();
    assertThat(bytes(13, 56, 64)).isEqualTo("0000123401000020");
  }

  /**
   * On InfiniBand, a title has the sender's LID, and all messages that it stands for come from
   * there.
   */
  @Test
  void receivesOfOneLidAreASessionAndThoseOfAnotherLidAreNot() {
    skip(2);
    for (int i = 0; i < 3; i++) {
      receiveFrom(0x1234, i);
    }
    receiveFrom(0x1235, 3);
    write(0x40, 8);
    chip.expire();
    assertThat(producer()).isEqualTo(7);
    assertThat(bytes(2, 16, 24)).isEqualTo("0002000000001234");
    assertThat(bytes(2, 40, 48)).isEqualTo("0000000000000003");
    assertThat(bytes(5, 16, 24)).isEqualTo("0002000000001235");
    assertThat(bytes(6, 16, 24)).isEqualTo("00".repeat(8));
  }

  private void receiveFrom(int lid, int wqeIndex) {
    long sender = Origin.infiniBand(false, 1, 0x77, lid, 2);
    assertThat(queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, sender, wqeIndex, 8, 0, false))
        .isTrue();
  }

  /** UCX gives the entries of a session the owner bit of its title, and would hang behind it. */
  @Test
  void aSessionEndsWithTheRing() {
    skip(10);
    for (int i = 0; i < 11; i++) {
      receive(0x20 + i, 0x40 + i);
    }
    assertThat(producer()).isEqualTo(16);
    assertThat(bytes(10, 44, 48)).isEqualTo("00000006");
    chip.expire();
    assertThat(producer()).isEqualTo(21);
    assertThat(bytes(0, 44, 48)).as("a title in slot 0").isEqualTo("00000005");
    assertThat(bytes(0, 56, 64)).isEqualTo("000012340026002d");
  }

  @Test
  void aSessionCrossesTheEndOfTheRingWithStrict() {
    onChip(STRICT);
    queue = make(Cqc.LAYOUT_BASIC, 4);
    skip(10);
    for (int i = 0; i < 11; i++) {
      receive(0x20 + i, 0x40 + i);
    }
    chip.expire();
    assertThat(producer()).isEqualTo(21);
    assertThat(bytes(10, 44, 48)).isEqualTo("0000000b");
    assertThat(bytes(10, 63, 64))
        .as("owner bit of the pass in which the block begins")
        .isEqualTo("2c");
    assertThat(slot(11)).startsWith("0000000000000040").endsWith("0000000000000047");
    assertThat(slot(2)).startsWith("0000000000000048" + "0000000000000049" + "000000000000004a");
    for (int hole : new int[] {12, 13, 14, 15, 0, 1, 3, 4}) {
      assertThat(slot(hole)).isEqualTo(STALE);
    }
    receive(0x100, 7);
    chip.expire();
    assertThat(bytes(5, 63, 64)).isEqualTo("21");
  }

  @Test
  void aSessionThatCrossesTheEndHasNoMoreThanTheRing() {
    onChip(STRICT);
    queue = make(Cqc.LAYOUT_BASIC, 3);
    skip(5);
    for (int i = 0; i < 8; i++) {
      receive(i, 8);
    }
    assertThat(producer()).isEqualTo(13);
    assertThat(bytes(5, 44, 48)).isEqualTo("00000008");
  }

  /**
   * Everything that a reader may meet, in one run; CompressedCompletionsTest checks the reading.
   */
  @Test
  void anAdversaryDrawsWhereSessionsEnd() {
    onChip(new MachineOptions(true, false, 1L));
    queue = make(Cqc.LAYOUT_BASIC, 4);
    Set<String> met = new TreeSet<>();
    int index = 0;
    for (int i = 0; i < 4000; i++) {
      consume(i);
      receive(i, 8);
      while (index < producer()) {
        boolean title = bytes(index & 15, 63, 64).startsWith("c", 1);
        boolean compressed = title || bytes(index & 15, 63, 64).startsWith("d", 1);
        int count = compressed ? Integer.parseInt(bytes(index & 15, 44, 48), 16) : 1;
        met.add(
            (compressed ? "a title" : "a whole entry")
                + ((index & 15) == 0 ? " in slot 0" : "")
                + ((index & 15) + count > 16 ? " of a session that crosses the end" : ""));
        index += count;
      }
    }
    assertThat(met)
        .containsExactly(
            "a title",
            "a title in slot 0",
            "a title of a session that crosses the end",
            "a whole entry",
            "a whole entry in slot 0");
  }

  @Test
  void theFirstEntryOfEachEnhancedRoundIsWholeAndWrittenAtOnce() {
    for (MachineOptions machine : List.of(MachineOptions.DEFAULT, STRICT)) {
      onChip(machine);
      queue = make(Cqc.LAYOUT_ENHANCED, 4);
      for (int i = 0; i < 1000; i++) {
        consume(i);
        receive(i, 0x40);
        if (i % 16 == 0) {
          assertThat(producer()).isEqualTo(i + 1);
          assertThat(bytes(0, 44, 48)).isEqualTo("00000040");
          assertThat(bytes(0, 56, 64))
              .isEqualTo("00001234%04x%02x2%x".formatted(i, i / 16, i / 16 & 1));
        }
      }
    }
  }

  @Test
  void theSessionOfSeed000IsWrittenAsInTheLog() {
    queue = make(Cqc.LAYOUT_BASIC, 8);
    for (int i = 0; i < 32; i++) {
      write(i, 0x40);
    }
    chip.expire();
    assertThat(bytes(0, 44, 48)).isEqualTo("00000020");
    assertThat(bytes(0, 56, 64)).isEqualTo("080012340000000c");
    for (int array = 0; array < 4; array++) {
      int slot = array == 0 ? 1 : 8 * array;
      for (int i = 0; i < 8; i++) {
        assertThat(bytes(slot, 8 * i, 8 * i + 8))
            .isEqualTo("%04x080000000040".formatted(8 * array + i));
      }
    }
    assertThat(slot(2)).isEqualTo(STALE);
    assertThat(slot(31)).isEqualTo(STALE);
  }

  /** A reader like that of seed 000, which checks byte 62 and mistakes the title for a block. */
  @Test
  void anEnhancedReaderOfABasicQueueSeesTwoCompletionsAndThenNothing() {
    queue = make(Cqc.LAYOUT_BASIC, 8);
    for (int slot = 0; slot < 256; slot++) {
      Memory.putInt(memory.address(64L * slot + 60), 0xfff1);
    }
    for (int i = 0; i < 32; i++) {
      write(i, 0);
    }
    chip.expire();
    int seen = 0;
    int index = 0;
    while (bytes(index, 62, 63).equals("00")) {
      int opOwn = Integer.parseInt(bytes(index, 63, 64), 16);
      index += (opOwn & 0xc) == 0xc ? (opOwn >> 4) + 1 : 1;
      seen++;
    }
    assertThat(seen).isEqualTo(2);
    assertThat(bytes(index, 62, 64)).as("entry that was never written").isEqualTo("fff1");
    assertThat(producer()).isEqualTo(32);
  }

  /** The reader of seed 000's "fix 1", which mistakes byte 62 for the number of the pass. */
  @Test
  void aReaderOfByte62SeesNothingOfABasicQueueWithStrict() {
    onChip(STRICT);
    queue = make(View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 4));
    write(0, 0);
    receive(0, 8);
    assertThat(bytes(0, 62, 64)).isEqualTo("e100");
    assertThat(bytes(1, 62, 64)).isEqualTo("e120");
    queue = make(Cqc.LAYOUT_BASIC, 4);
    receive(0, 8);
    receive(2, 8);
    receive(3, 8);
    chip.expire();
    assertThat(bytes(0, 62, 64)).as("whole").isEqualTo("e120");
    assertThat(bytes(1, 62, 64)).as("title").isEqualTo("e12c");
    queue = make(Cqc.LAYOUT_ENHANCED, 4);
    receive(0, 8);
    assertThat(bytes(0, 62, 64)).as("the number of the round").isEqualTo("0020");
  }

  @Test
  void requestsOfAnyOpcodeAndIndexFit() {
    skip(1);
    write(0, 0);
    write(9, 0);
    queue.completeRequest(QPN, USER, WqeOpcode.RDMA_READ, 3, 4096);
    chip.expire();
    assertThat(bytes(2, 0, 24))
        .isEqualTo("0000080000000000" + "0009080000000000" + "0003100000001000");
  }

  @Test
  void aSingleCompletionIsWrittenUncompressed() {
    skip(1);
    chip.at(5_000_000);
    receive(7, 100);
    assertThat(producer()).isEqualTo(1);
    chip.at(5_000_001);
    chip.expire();
    assertThat(bytes(1, 32, 64))
        .isEqualTo(
            "0000005500000000" + "0000000000000064" + "00000000004c4b40" + "0000123400070020");
  }

  @Test
  void aSessionEndsAtItsLimit() {
    queue = make(Cqc.LAYOUT_BASIC, 7);
    skip(1);
    for (int i = 0; i < 63; i++) {
      receive(i, 8);
    }
    assertThat(producer()).isEqualTo(1);
    receive(63, 8);
    assertThat(producer()).isEqualTo(65);
    assertThat(bytes(1, 44, 48)).isEqualTo("00000040");
  }

  @Test
  void aSessionHasNoMoreThanTheRing() {
    queue = make(Cqc.LAYOUT_BASIC, 3);
    for (int i = 0; i < 8; i++) {
      receive(i, 8);
    }
    assertThat(producer()).isEqualTo(8);
    assertThat(bytes(0, 44, 48)).isEqualTo("00000008");
    assertThat(queue.hasRoom()).isFalse();
  }

  @Test
  void heldCompletionsTakeRoom() {
    for (int i = 0; i < 15; i++) {
      receive(i, 8);
    }
    assertThat(producer()).isZero();
    assertThat(queue.room()).isEqualTo(1);
    receive(15, 8);
    assertThat(queue.room()).isZero();
    assertThat(queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, 0, 16, 8, 0, false)).isFalse();
    assertThat(queue.isOverrun()).isTrue();
  }

  @Test
  void aRingOfOneEntryCompressesNothing() {
    for (int layout : new int[] {Cqc.LAYOUT_BASIC, Cqc.LAYOUT_ENHANCED}) {
      queue = make(layout, 0);
      consume(0);
      receive(0, 1);
      consume(1);
      receive(1, 2);
      assertThat(producer()).isEqualTo(2);
      assertThat(bytes(0, 44, 48)).isEqualTo("00000002");
    }
  }

  @Test
  void ofLargeEntriesTheSecondHalfIsCompressed() {
    queue = make(Cqc.LAYOUT_BASIC, 4, true);
    skip(1);
    for (int i = 0; i < 9; i++) {
      receive(i, 8 + i);
    }
    chip.expire();
    assertThat(bytes(1, 44, 48)).isEqualTo("00000009");
    assertThat(bytes(2, 0, 16)).isEqualTo("00000000000000080000000000000009");
    assertThat(bytes(9, 0, 16)).isEqualTo("00000000000000100000000000000000");
  }

  // ---- what ends a session

  @Test
  void aCompletionThatAMiniEntryCannotExpressEndsASession() {
    skip(1);
    receive(0, 8);
    receive(1, 8);
    receive(3, 8); // not the next
    assertThat(producer()).isEqualTo(3);
    receive(QPN + 1, 4, 8, 0, false);
    assertThat(producer()).isEqualTo(4);
    receive(QPN + 1, 5, 8, 0, true);
    assertThat(producer()).isEqualTo(5);
    receive(QPN + 1, 6, 8, 0xcafe, true);
    assertThat(producer()).isEqualTo(6);
    receive(QPN + 1, 7, 8, 0xcafe, true);
    assertThat(producer()).as("the same immediate").isEqualTo(6);
    receive(QPN + 1, 8, 8, 0xcaff, true);
    assertThat(producer()).isEqualTo(8);
    write(0, 0);
    assertThat(producer()).isEqualTo(9);
  }

  @Test
  void aFailureEndsASessionAndIsExplainedAtItsOwnPlace() {
    skip(1);
    receive(0, 8);
    receive(1, 8);
    queue.completeError(CqeOpcode.REQ_ERR, QPN, USER, 0, 1, Syndrome.WR_FLUSH_ERR, 0xf9, "why");
    assertThat(producer()).isEqualTo(4);
    assertThat(bytes(1, 44, 48)).isEqualTo("00000002");
    assertThat(bytes(3, 52, 64)).isEqualTo("0000f90500001234000185d2");
    assertThat(chip.chip().explanations().find(0x81, 3)).contains("why");
  }

  @ParameterizedTest
  @ValueSource(ints = {Cqc.LAYOUT_BASIC, Cqc.LAYOUT_ENHANCED})
  void dataInsideAnEntryEndsASessionAndIsWholeItself(int layout) {
    queue = make(layout, 4, true);
    receive(0, 8);
    receive(1, 8);
    receive(2, 8);
    LoneMemory data = chip.memory(64);
    Memory.fill(data.address(0), 64, (byte) 0x77);
    assertThat(
            queue.complete(
                queue
                    .next(CqeOpcode.RESP_SEND, QPN, USER, 3)
                    .bytes(32)
                    .data(data.address(0), Cqe.FORMAT_INLINE_64)))
        .isTrue();
    receive(4, 8);
    receive(5, 8);
    chip.expire();
    assertThat(HexFormat.of().formatHex(memory.bytes(3 * 128, 64))).isEqualTo("77".repeat(64));
    assertThat(bytes(3, 56, 64)).isEqualTo("0000123400030028");
    assertThat(bytes(4, 56, 64))
        .isEqualTo(layout == Cqc.LAYOUT_BASIC ? "000012340004002c" : "0000123400040020");
  }

  @Test
  void stridesAndTagsAreNotCompressedWithoutStrideIndices() {
    stride(0, 1, 8);
    stride(1, 2, 8);
    assertThat(producer()).as("in a format without stride indices").isEqualTo(2);
    assertThat(bytes(1, 0, 4)).as("wqe_id").isEqualTo("00000001");
    assertThat(bytes(1, 20, 22)).isEqualTo("0002");
    queue.complete(queue.next(CqeOpcode.RESP_SEND, QPN, USER, 1).bytes(8).tagged(10, 0).head(1, 2));
    assertThat(producer()).isEqualTo(3);
  }

  // ---- strides

  private CompletionQueue makeForStrides(int layout) {
    return make(
        View.of(Cqc.STRUCTURE)
            .set(Cqc.LOG_CQ_SIZE, 4)
            .set(Cqc.CQE_COMP_EN, true)
            .set(Cqc.CQE_COMPRESSION_LAYOUT, layout)
            .set(Cqc.MINI_CQE_RES_FORMAT, Cqc.MINI_CQE_CSUM_STRIDX));
  }

  private void stride(int wqeIndex, int stride, int bytes) {
    assertThat(
            queue.complete(
                queue.next(CqeOpcode.RESP_SEND, QPN, USER, wqeIndex).bytes(bytes).stride(stride)))
        .isTrue();
  }

  @Test
  void stridesOfOneWqeAreCompressedWithTheirIndices() {
    queue = makeForStrides(Cqc.LAYOUT_BASIC);
    for (int i = 0; i < 10; i++) {
      stride(3, 6 + i, Cqe.STRIDE_FIRST | 100 + i);
    }
    chip.expire();
    assertThat(bytes(0, 0, 24))
        .as("wqe_id and ib_stride_index of the first")
        .isEqualTo("0000000300000000" + "0000000000000000" + "0000000000060000");
    assertThat(bytes(0, 44, 48)).isEqualTo("0000000a");
    assertThat(bytes(0, 56, 64)).isEqualTo("000012340003002c");
    assertThat(slot(1)).startsWith("0000000620000064" + "0000000720000065");
    assertThat(slot(8)).startsWith("0000000e2000006c" + "0000000f2000006d" + "0000000000000000");
  }

  @Test
  void aSessionOfStridesEndsWithTheirWqe() {
    queue = makeForStrides(Cqc.LAYOUT_BASIC);
    stride(3, 6, 1);
    stride(3, 7, 2);
    stride(4, 0, 3);
    assertThat(producer()).isEqualTo(2);
    chip.expire();
    assertThat(bytes(2, 0, 24))
        .isEqualTo("0000000400000000" + "0000000000000000" + "0000000000000000");
    assertThat(bytes(2, 44, 48)).as("whole").isEqualTo("00000003");
    receive(9, 8);
    receive(10, 8);
    chip.expire();
    assertThat(bytes(3, 0, 24)).as("a block without strides").isEqualTo("00".repeat(24));
    assertThat(slot(4)).startsWith("0000000000000008" + "0000000000000008");
  }

  @Test
  void blocksOfStridesHaveTheTitlesWqe() {
    queue = makeForStrides(Cqc.LAYOUT_ENHANCED);
    for (int i = 0; i < 4; i++) {
      stride(3, i, 100 + i);
    }
    chip.expire();
    assertThat(bytes(0, 0, 4)).isEqualTo("00000003");
    assertThat(bytes(0, 44, 48)).isEqualTo("00000064");
    assertThat(slot(1))
        .startsWith("0000000100000065" + "0000000200000066" + "0000000300000067")
        .endsWith("000000000003002c");
  }

  /**
   * The readers of Ethernet queues, Linux's and DPDK's, take the WQE from wqe_id of the title, and
   * the stride and length of each packet from its mini entry.
   */
  @Test
  void aReaderOfEthernetQueuesFindsWqeStrideAndLength() {
    queue = makeForStrides(Cqc.LAYOUT_BASIC);
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      stride(i < 5 ? 3 : 4, i < 5 ? 3 + i : i - 5, 100 + i);
      written.add("%d %d %d".formatted(i < 5 ? 3 : 4, i < 5 ? 3 + i : i - 5, 100 + i));
    }
    chip.expire();
    List<String> read = new ArrayList<>();
    for (int index = 0; index < producer(); ) {
      int count = number(index, 44, 48);
      for (int i = 0; i < count; i++) {
        int array = index + (i < 8 ? 1 : i / 8 * 8);
        int mini = i % 8 * 8;
        read.add(
            "%d %d %d"
                .formatted(
                    number(index, 2, 4),
                    number(array, mini + 2, mini + 4),
                    number(array, mini + 4, mini + 8)));
      }
      index += count;
    }
    assertThat(read).isEqualTo(written);
  }

  private int number(int slot, int from, int to) {
    return Integer.parseInt(bytes(slot, from, to), 16);
  }

  // ---- enhanced layout

  @Test
  void elevenReceivesFromSlotTenOnAreTwoTitlesAndTwoBlocks() {
    queue = make(Cqc.LAYOUT_ENHANCED, 4);
    skip(10);
    for (int i = 0; i < 11; i++) {
      receive(0x20 + i, 0x40 + i);
    }
    chip.expire();
    assertThat(bytes(10, 44, 48)).isEqualTo("00000040");
    assertThat(bytes(10, 56, 64)).isEqualTo("0000123400200020");
    assertThat(slot(11))
        .isEqualTo(
            "0000000000000041"
                + "0000000000000042"
                + "0000000000000043"
                + "0000000000000044"
                + "0000000000000045"
                + "00".repeat(16)
                + "000000000021004c");
    assertThat(bytes(0, 44, 48)).isEqualTo("00000046");
    assertThat(bytes(0, 56, 64)).isEqualTo("0000123400260121");
    assertThat(slot(1)).startsWith("0000000000000047").endsWith("000000000027013d");
    for (int hole : new int[] {12, 13, 14, 15, 2, 3, 4}) {
      assertThat(slot(hole)).isEqualTo(STALE);
    }
    receive(0x100, 7);
    assertThat(bytes(5, 56, 64)).as("not held back").isEqualTo("0000123401000121");
  }

  @Test
  void aBlockHoldsSevenEntriesAndTheNextHasTheSameTitle() {
    queue = make(Cqc.LAYOUT_ENHANCED, 5);
    for (int i = 0; i < 18; i++) {
      write(3 * i, i);
    }
    assertThat(producer()).isEqualTo(15);
    assertThat(bytes(1, 56, 64)).isEqualTo("000000000003006c");
    assertThat(bytes(8, 56, 64)).isEqualTo("000000000018006c");
    chip.expire();
    assertThat(bytes(15, 56, 64)).isEqualTo("00000000002d002c");
  }

  @Test
  void aBlockOfOneIsWrittenWholeAndBecomesTheNextTitle() {
    queue = make(Cqc.LAYOUT_ENHANCED, 5);
    chip.at(1);
    receive(0, 8);
    chip.at(2);
    receive(1, 9);
    chip.expire();
    assertThat(bytes(1, 40, 64))
        .isEqualTo("0000000000000009" + "0000000000000002" + "0000123400010020");
    receive(2, 10);
    receive(3, 11);
    chip.expire();
    assertThat(bytes(2, 56, 64)).isEqualTo("000000000002001c");
  }

  @Test
  void aBlockOfOneStaysABlockWithStrict() {
    onChip(STRICT);
    queue = make(Cqc.LAYOUT_ENHANCED, 5);
    receive(0, 8);
    receive(1, 9);
    chip.expire();
    assertThat(slot(1)).isEqualTo("0000000000000009" + "00".repeat(48) + "000000000001000c");
    receive(2, 10);
    receive(3, 11);
    chip.expire();
    assertThat(slot(2))
        .as("a block with the same title")
        .startsWith("000000000000000a000000000000000b");
    assertThat(bytes(2, 56, 64)).isEqualTo("000000000002001c");
  }

  @Test
  void theFirstSlotOfEachRoundHasAWholeEntry() {
    queue = make(Cqc.LAYOUT_ENHANCED, 2);
    for (int i = 0; i < 4000; i++) {
      consume(i);
      receive(i, 1);
      chip.expire();
      if (i % 4 == 0) {
        int round = i / 4;
        assertThat(bytes(0, 60, 64))
            .isEqualTo("%04x%02x%02x".formatted(i, round & 0xff, 0x20 | round & 1));
      }
    }
  }

  @Test
  void theQueueDescribesTheCompletionsThatItHoldsBack() {
    skip(1);
    receive(0, 8);
    receive(1, 8);
    assertThat(queue.toString())
        .isEqualTo(
            "CQ 0x81: 16 entries, producer index 1, OK, not armed, basic compression holds 2"
                + " back; completions written together: 0, sessions: 0");
    chip.expire();
    assertThat(queue.toString())
        .endsWith("holds 0 back; completions written together: 2, sessions: 1");
    receive(2, 8);
    chip.expire();
    assertThat(queue.toString()).as("a single completion").endsWith("together: 2, sessions: 1");
  }
}
