package dev.bluebell.softnic.transport;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver's operations and data inside completions, on the device. */
class DriverOperationsTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt BIG_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private final Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory =
      domain.allocate(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);

  @AfterEach
  void close() {
    device.close();
  }

  private CompletionQueue completions(int cqeBytes) {
    return device.createCompletionQueue(64, CompletionQueueOptions.DEFAULT.withCqeBytes(cqeBytes));
  }

  private static Completion await(CompletionQueue completions) {
    Completion completion = completions.poll();
    while (completion == null) {
      completion = completions.poll();
    }
    assertThat(completion.status())
        .as("%s", completion.explanation())
        .isEqualTo(CompletionStatus.SUCCESS);
    return completion;
  }

  @ParameterizedTest
  @CsvSource({"0, 64", "32, 64", "32, 128", "64, 128"})
  void aClientSeesNoDifferenceWhenDataComesInsideCompletions(int inline, int cqeBytes) {
    CompletionQueue completions = completions(cqeBytes);
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .maxScatter(2)
            .scatterToCqe(inline)
            .inlineReceive(inline)
            .create();
    queuePair.connect(queuePair.endpoint());
    for (int bytes : new int[] {1, 8, 31, 32, 33, 63, 64, 65, 200}) {
      byte[] data = new byte[bytes];
      new Random(bytes).nextBytes(data);
      memory.segment().fill((byte) 0).asSlice(0, bytes).asByteBuffer().put(data);
      queuePair.read(memory.remote()).scatter(memory, 1024, bytes).signaled(1);
      queuePair.ringDoorbell();
      assertThat(await(completions).byteCount()).isEqualTo(bytes);
      assertThat(bytes(1024, bytes)).isEqualTo(data);

      queuePair.receive().scatter(memory, 2048, 5).scatter(memory, 2100, 300).post(2);
      queuePair.ringReceiveDoorbell();
      queuePair.send().gather(memory, 0, bytes).signaled(3);
      queuePair.ringDoorbell();
      boolean received = await(completions).id() == 2;
      assertThat(await(completions).id()).isEqualTo(received ? 3 : 2);
      int first = Math.min(5, bytes);
      byte[] there = bytes(2048, first);
      byte[] rest = bytes(2100, bytes - first);
      assertThat(there).isEqualTo(Arrays.copyOf(data, first));
      assertThat(rest).isEqualTo(Arrays.copyOfRange(data, first, bytes));
    }
  }

  private byte[] bytes(long offset, int length) {
    return memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @ParameterizedTest
  @CsvSource({"0", "32"})
  void atomicsOfAllSizesLandWhereverTheirResultComesFrom(int inline) {
    CompletionQueue completions = completions(64);
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).maxGather(3).scatterToCqe(inline).create();
    queuePair.connect(queuePair.endpoint());
    memory.segment().set(LONG, 0, 0xf0f0L);
    long at = memory.address();
    queuePair.fetchAndOr8(at, memory.rkey(), 0x0fL).scatter(memory, 1024).signaled(1);
    queuePair.fetchAndAnd8(at, memory.rkey(), 0xffL).scatter(memory, 1032).signaled(2);
    queuePair.fetchAndXor8(at, memory.rkey(), 0x11L).scatter(memory, 1040).signaled(3);
    queuePair.swap8(at, memory.rkey(), 7).scatter(memory, 1048).signaled(4);
    queuePair
        .maskedCompareAndSwap8(at, memory.rkey(), 7, 0xabcd, 0xf, 0xff00)
        .scatter(memory, 1056)
        .signaled(5);
    queuePair.fetchAndAdd(at, memory.rkey(), 1).scatter(memory, 1064).signaled(6);
    queuePair.ringDoorbell();
    for (int i = 1; i <= 6; i++) {
      assertThat(await(completions).id()).isEqualTo(i);
    }
    long[] before = {0xf0f0, 0xf0ff, 0xff, 0xee, 7, 0xab07};
    for (int i = 0; i < before.length; i++) {
      assertThat(memory.segment().get(LONG, 1024 + 8L * i)).isEqualTo(before[i]);
    }
    assertThat(memory.segment().get(LONG, 0)).isEqualTo(0xab08);

    memory.segment().set(ValueLayout.JAVA_INT, 64, 0x00ff00ff);
    queuePair
        .maskedFetchAndAdd4(at + 64, memory.rkey(), 0x00010001, 0x00008000)
        .scatter(memory, 1100)
        .signaled(7);
    queuePair.ringDoorbell();
    assertThat(await(completions).id()).isEqualTo(7);
    assertThat(memory.segment().get(BIG_INT, 1100)).isEqualTo(0x00ff00ff);
    assertThat(memory.segment().get(ValueLayout.JAVA_INT, 64)).isEqualTo(0x01000100);
  }

  @Test
  void memoryIsCopiedWithoutAPeer() {
    CompletionQueue completions = completions(64);
    RcQueuePair queuePair = domain.rcQueuePair(completions).memoryCopies(true).create();
    queuePair.connect(queuePair.endpoint());
    memory.segment().set(LONG, 8, 42);
    queuePair.copyMemory(memory, 8, memory, 512, 8).signaled(1);
    queuePair.ringDoorbell();
    assertThat(await(completions).id()).isEqualTo(1);
    assertThat(memory.segment().get(LONG, 512)).isEqualTo(42);
    queuePair.close();

    RcQueuePair plain = domain.rcQueuePair(completions).create();
    assertThatIllegalStateException()
        .isThrownBy(() -> plain.copyMemory(memory, 8, memory, 512, 8).signaled(1))
        .withMessageContaining("memoryCopies(true)");
  }

  @Test
  void aRawRequestRuns() {
    CompletionQueue completions = completions(64);
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    queuePair.connect(queuePair.endpoint());
    memory.segment().set(LONG, 0, 99);
    byte[] entry = new byte[48];
    ByteBuffer.wrap(entry)
        .putInt(0, 0x08)
        .putInt(4, 3)
        .putLong(16, memory.address() + 256)
        .putInt(24, memory.rkey())
        .putInt(32, 8)
        .putInt(36, memory.lkey())
        .putLong(40, memory.address());
    queuePair.raw(MemorySegment.ofArray(entry)).signaled(5);
    queuePair.ringDoorbell();
    assertThat(await(completions).id()).isEqualTo(5);
    assertThat(memory.segment().get(LONG, 256)).isEqualTo(99);
  }
}
