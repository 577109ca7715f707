package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.translation.Umem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions of requests that are executed in one go: held back, then written together. */
class CompletionBatchTest {
  private static final int QPN = 0x40;
  private static final int RECORD = 8192;
  private static final long PATH = 0x10000041L << 32 | 0x12_0034;
  private static final String NOTHING = "00".repeat(64);

  /** A chip with a queue of this many entries. */
  private static final class Bench {
    final LoneChip chip = new LoneChip();
    final LoneMemory memory = chip.memory(12 << 10);
    final CompletionQueue queue;

    Bench(int logSize) {
      queue = queue(logSize);
    }

    CompletionQueue queue(int logSize) {
      return new CompletionQueue(
          chip.chip(),
          0x81,
          View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, logSize).bytes(),
          memory.queue(0, RECORD));
    }

    CompletionBatch batch() {
      return chip.chip().batch();
    }

    boolean complete(int index) {
      return queue.completeRequest(QPN, 7, WqeOpcode.SEND, index, 0);
    }

    boolean receive(int index, long sender, boolean solicited) {
      return queue.completeReceive(
          CqeOpcode.RESP_SEND, QPN, 7, sender, index, 100, 0xcafe, solicited);
    }

    void consume(int index) {
      Memory.putInt(memory.address(RECORD) + DoorbellRecord.CQ_SET_CI, index);
    }

    void arm(int command) {
      Memory.putInt(memory.address(RECORD) + DoorbellRecord.CQ_ARM, command);
      queue.arm(command);
    }

    String ring() {
      return HexFormat.of().formatHex(memory.bytes(0, RECORD));
    }

    String entry(int index) {
      return HexFormat.of().formatHex(memory.bytes(64L * index, 64));
    }
  }

  private final Bench bench = new Bench(6);

  @Test
  void completionsAppearWhenTheBatchCloses() {
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.complete(5);
    bench.receive(6, 0, false);
    assertThat(bench.entry(0)).isEqualTo(NOTHING);
    assertThat(bench.entry(1)).isEqualTo(NOTHING);
    assertThat(bench.queue.produced()).isEqualTo(2);
    bench.batch().close();
    assertThat(bench.entry(0)).endsWith("0a00004000050000");
    assertThat(bench.entry(1)).endsWith("0000004000060020");
    bench.complete(7);
    assertThat(bench.entry(2)).as("after the batch").endsWith("0a00004000070000");
  }

  @Test
  void theCompletionsOfFewRequestsAppearAtOnce() {
    bench.batch().open(bench.queue, CompletionBatch.LEAST - 1);
    bench.complete(5);
    assertThat(bench.entry(0)).endsWith("0a00004000050000");
    bench.batch().close();
  }

  @Test
  void nothingIsHeldBackIfTheCompletionsOfRequestsCannotBe() {
    LoneMemory memory = bench.chip.memory(12 << 10);
    for (Field kind : List.of(Cqc.CQE_SZ, Cqc.CC, Cqc.CQE_COMP_EN)) {
      CompletionQueue requests =
          new CompletionQueue(
              bench.chip.chip(),
              0x82,
              View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 4).set(kind, 1).bytes(),
              memory.queue(0, RECORD));
      int index = bench.queue.produced();
      bench.batch().open(requests, CompletionBatch.LEAST);
      bench.receive(index, 0, false);
      requests.completeRequest(QPN, 7, WqeOpcode.SEND, index, 0);
      assertThat(bench.entry(index)).as(kind.name()).isNotEqualTo(NOTHING);
      bench.batch().close();
    }
  }

  @Test
  void completionsAppearWhenTheyArePublished() {
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.complete(5);
    bench.batch().publish();
    assertThat(bench.entry(0)).endsWith("0a00004000050000");
    bench.complete(6);
    assertThat(bench.entry(1)).as("held back again").isEqualTo(NOTHING);
    bench.batch().close();
    assertThat(bench.entry(1)).endsWith("0a00004000060000");
  }

  @Test
  void aBatchHoldsABoundedNumberOfCompletionsBack() {
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    for (int i = 0; i < CompletionBatch.ENTRIES; i++) {
      assertThat(bench.entry(0)).isEqualTo(NOTHING);
      bench.complete(i);
    }
    assertThat(bench.entry(0)).isNotEqualTo(NOTHING);
    assertThat(bench.entry(CompletionBatch.ENTRIES - 1)).isNotEqualTo(NOTHING);
  }

  @Test
  void anEventIsRaisedAfterTheCompletionsBeforeItAreWritten() {
    bench.arm(CqArm.record(0, true, 0));
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.receive(1, 0, false);
    assertThat(bench.chip.takeEvents()).isEmpty();
    assertThat(bench.entry(0)).isEqualTo(NOTHING);
    bench.receive(2, 0, true);
    assertThat(bench.chip.takeEvents()).hasSize(1);
    assertThat(bench.entry(0)).isNotEqualTo(NOTHING);
    assertThat(bench.entry(1)).isNotEqualTo(NOTHING);
  }

  @Test
  void anOverrunIsReportedAfterTheCompletionsBeforeItAreWritten() {
    Bench small = new Bench(2);
    small.batch().open(small.queue, CompletionBatch.LEAST);
    small.complete(0);
    small.complete(1);
    small.consume(2);
    for (int i = 2; i < 6; i++) {
      small.complete(i);
    }
    assertThat(small.entry(1)).as("the sixth is held back").endsWith("0a00004000010000");
    assertThat(small.complete(6)).isFalse();
    assertThat(small.chip.takeEvents()).containsExactly("CQ_ERROR of 0x81 syndrome 1");
    assertThat(small.entry(1)).endsWith("0a00004000050001");
  }

  @Test
  void aQueueThatWaitsFindsTheCompletion() {
    String[] seen = new String[1];
    bench.queue.await(
        new CqWaiter() {
          @Override
          protected void wake() {
            seen[0] = bench.entry(0);
          }
        },
        0);
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.complete(5);
    assertThat(seen[0]).endsWith("0a00004000050000");
  }

  @Test
  void aTracedCompletionIsRecordedWhole() {
    bench.chip.recorder().trace(true);
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.complete(5);
    assertThat(bench.chip.recorded().getFirst()).startsWith("QP 0x40 completed WQE 5 REQ\n");
    assertThat(bench.chip.recorded().getFirst()).contains("0x40");
  }

  @Test
  void aReceiveIsWrittenBeforeTheRequestThatItCompletes() {
    // Both rings are the same memory, so the entry that was written last is there.
    CompletionQueue requests = bench.queue(6);
    bench.batch().open(requests, CompletionBatch.LEAST);
    requests.completeRequest(QPN, 7, WqeOpcode.RDMA_WRITE, 4, 0);
    bench.receive(6, 0, false);
    requests.completeRequest(QPN, 7, WqeOpcode.SEND, 5, 0);
    bench.batch().close();
    assertThat(bench.entry(0)).endsWith("0800004000040000");
  }

  @Test
  void allQueuesOfABatchAreWrittenHoweverManyThereAre() {
    List<Bench> others = new ArrayList<>();
    bench.batch().open(bench.queue, CompletionBatch.LEAST);
    bench.complete(0);
    for (int i = 0; i < 30; i++) {
      Bench other = new Bench(6);
      CompletionQueue queue =
          new CompletionQueue(
              bench.chip.chip(),
              i,
              View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 6).bytes(),
              other.memory.queue(0, RECORD));
      others.add(other);
      queue.completeReceive(CqeOpcode.RESP_SEND, QPN, 7, 0, i, 100, 0, false);
    }
    bench.batch().close();
    assertThat(bench.entry(0)).isNotEqualTo(NOTHING);
    for (int i = 0; i < others.size(); i++) {
      assertThat(others.get(i).entry(0)).endsWith("000000400%03x0020".formatted(i));
    }
  }

  @Test
  void theRequestsAreWrittenEvenWhenTheMemoryOfAReceiversQueueIsGone(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("ring");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      Umem gone = new Umem(99, channel.map(MapMode.READ_WRITE, 0, 4096, Arena.ofAuto()));
      CompletionQueue receives =
          new CompletionQueue(
              bench.chip.chip(),
              0x82,
              View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 6).bytes(),
              new CqMemory(
                  gone, gone.address(), bench.memory.umem(), bench.memory.address(RECORD + 64)));
      channel.truncate(0);
      bench.batch().open(bench.queue, CompletionBatch.LEAST);
      for (int i = 0; i < 3; i++) {
        receives.completeReceive(CqeOpcode.RESP_SEND, QPN, 7, 0, i, 100, 0, false);
        bench.complete(i);
      }
      assertThatThrownBy(bench.batch()::close).isInstanceOf(InternalError.class);
      assertThat(bench.entry(2)).endsWith("0a00004000020000");
      assertThat(bench.batch().isOpen()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aBatchLeavesTheSameBytesAndEventsAsSingleCompletions(long seed) {
    Random random = new Random(seed);
    Bench single = new Bench((int) seed % 7);
    Bench batched = new Bench((int) seed % 7);
    boolean open = false;
    int armed = 0;
    for (int i = 0; i < 2000; i++) {
      int index = i;
      int kind = random.nextInt(40);
      boolean solicited = random.nextInt(20) == 0;
      int lag = random.nextInt(Math.min(3, 1 << seed % 7));
      switch (kind) {
        case 0, 1 -> {
          open = !open;
          if (open) {
            batched.batch().open(batched.queue, CompletionBatch.LEAST);
          } else {
            batched.batch().close();
          }
        }
        case 2 -> {
          int command = CqArm.record(armed, solicited, single.queue.produced());
          single.arm(command);
          batched.arm(command);
        }
        case 3 ->
            both(
                single,
                batched,
                on ->
                    on.queue.completeError(
                        CqeOpcode.REQ_ERR, QPN, 7, 0, index, Syndrome.WR_FLUSH_ERR, 0xf9, ""));
        case 4 -> both(single, batched, on -> on.receive(index, PATH, solicited));
        case 5, 6, 7, 8, 9, 10, 11 -> both(single, batched, on -> on.complete(index));
        default -> both(single, batched, on -> on.receive(index, 0, solicited));
      }
      int consumer = Math.max(0, single.queue.produced() - lag);
      single.consume(consumer);
      batched.consume(consumer);
      List<String> events = single.chip.takeEvents();
      String when = "seed %d, step %d".formatted(seed, i);
      assertThat(batched.chip.takeEvents()).as(when).isEqualTo(events);
      if (!events.isEmpty()) {
        armed = armed + 1 & 3;
      }
      if (!open || !events.isEmpty()) {
        assertThat(batched.ring()).as(when).isEqualTo(single.ring());
      }
    }
    assertThat(single.queue.isOverrun()).isFalse();
  }

  private interface Completing {
    boolean complete(Bench on);
  }

  private static void both(Bench one, Bench other, Completing completing) {
    assertThat(completing.complete(other)).isEqualTo(completing.complete(one));
  }
}
