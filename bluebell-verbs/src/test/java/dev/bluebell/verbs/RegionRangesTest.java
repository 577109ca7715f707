package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Requests that name their memory by regions. */
class RegionRangesTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion region = domain.allocate(100, Access.LOCAL_WRITE);
  private final RcQueuePair queuePair =
      Connected.toItself(
          domain.rcQueuePair(device.createCompletionQueue(16)).receiveQueue(4).create());
  private final byte[] queues =
      new byte
          [Math.toIntExact(
              hca.umems
                  .get(hca.command(CommandOpcode.CREATE_QP).getInt(CreateQpIn.WQ_UMEM_ID))
                  .byteSize())];

  /** Bytes of the queues: four receive requests of 16 bytes, then the send queue. */
  private String queue(int from, int length) {
    hca.umems
        .get(hca.command(CommandOpcode.CREATE_QP).getInt(CreateQpIn.WQ_UMEM_ID))
        .asByteBuffer()
        .get(0, queues);
    return HexFormat.of().formatHex(queues, from, from + length);
  }

  private String segment(long offset, int length) {
    return "%08x%08x%016x".formatted(length, region.lkey(), region.address() + offset);
  }

  @Test
  void aRangeOfARegionIsItsAddressAndItsKey() {
    queuePair.receive().scatter(region, 10, 90).post(1);
    queuePair.write(region.remote()).gather(region, 20, 80).signaled(1);
    queuePair.read(region.remote()).scatter(region, 0, 100).signaled(2);
    queuePair.compareAndSwap(region.remote(), 1, 2).scatter(region, 92).signaled(3);
    queuePair.fetchAndAdd(region.remote().slice(8, 8), 1).scatter(region, 8).signaled(4);
    queuePair.maskedFetchAndAdd4(0, 1, 2, 0).scatter(region, 96).signaled(5);
    queuePair.ringDoorbell();
    assertThat(queue(0, 16)).isEqualTo(segment(10, 90));
    assertThat(queue(64 + 32, 16)).isEqualTo(segment(20, 80));
    assertThat(queue(64 + 16, 16))
        .isEqualTo("%016x%08x00000000".formatted(region.address(), region.rkey()));
    assertThat(queue(128 + 32, 16)).isEqualTo(segment(0, 100));
    assertThat(queue(192 + 48, 16)).isEqualTo(segment(92, 8));
    assertThat(queue(256 + 16, 8)).isEqualTo("%016x".formatted(region.address() + 8));
    assertThat(queue(256 + 48, 16)).isEqualTo(segment(8, 8));
    assertThat(queue(320 + 48, 16)).isEqualTo(segment(96, 4));
  }

  @Test
  void aRangeThatLeavesItsRegionIsRefusedAndTheQueueStaysAsItWas() {
    refused(() -> queuePair.send().gather(region, 1, 100).signaled(1));
    refused(() -> queuePair.send().gather(region, -1, 1).signaled(1));
    refused(() -> queuePair.send().gather(region, 0, -1).signaled(1));
    refused(() -> queuePair.send().gather(region, Long.MAX_VALUE, 1).signaled(1));
    refused(() -> queuePair.read(0, 1).scatter(region, 99, 2).signaled(1));
    refused(() -> queuePair.read(0, 1).scatter(region, 0, 2).scatter(region, 99, 2).signaled(1));
    refused(() -> queuePair.compareAndSwap(0, 1, 2, 3).scatter(region, 93).signaled(1));
    refused(() -> queuePair.maskedFetchAndAdd4(0, 1, 2, 3).scatter(region, 97).signaled(1));
    refused(() -> queuePair.receive().scatter(region, 100, 1).post(1));
    refused(() -> queuePair.receive().scatter(region, 0, 1).scatter(region, -1, 1).post(1));
  }

  @Test
  void anAtomicNeedsEightBytesOfRemoteMemory() {
    RemoteMemory small = region.remote().slice(0, 7);
    refused(() -> queuePair.compareAndSwap(small, 1, 2).scatter(region, 0).signaled(1));
    refused(() -> queuePair.fetchAndAdd(small, 1).scatter(region, 0).signaled(1));
  }

  @Test
  void aRequestLongerThanTheRemoteMemoryThatItNamesIsRefused() {
    RemoteMemory slot = region.remote().slice(16, 8);
    byte[] array = new byte[9];
    refused(() -> queuePair.write(slot).gather(region, 0, 9).signaled(1));
    refused(() -> queuePair.write(slot).gather(region, 0, 4).gather(region, 8, 5).signaled(1));
    refused(() -> queuePair.write(slot).gather(0, Integer.MAX_VALUE, 1).signaled(1));
    refused(() -> queuePair.write(slot).inline(array, 0, 9).signaled(1));
    refused(() -> queuePair.write(slot).inline(array, 0, 4).inline(array, 0, 5).signaled(1));
    refused(() -> queuePair.write(slot).inline(array, 0, 4).gather(region, 0, 5).signaled(1));
    refused(() -> queuePair.writeImmediate(slot, 1).gather(region, 0, 9).signaled(1));
    refused(() -> queuePair.read(slot).scatter(region, 0, 9).signaled(1));
    refused(() -> queuePair.read(slot).scatter(region, 0, 8).scatter(0, 1, 1).signaled(1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> queuePair.write(slot).inline(array, 0, 3).gather(0, 6, 1).signaled(1))
        .withMessage(
            "this request of QP 0x%x is longer than the remote memory that it names, which has 5"
                + " bytes left for the 6 of this segment",
            queuePair.number());
  }

  @Test
  void aRequestMayFillTheRemoteMemoryThatItNames() {
    RemoteMemory slot = region.remote().slice(16, 8);
    byte[] array = new byte[9];
    queuePair.write(slot).gather(region, 0, 8).signaled(1);
    queuePair.write(slot).inline(array, 0, 2).inline(array, 0, 2).gather(0, 4, 1).signaled(2);
    queuePair.read(slot).scatter(region, 0, 4).scatter(region, 4, 4).signaled(3);
    queuePair.write(slot.slice(8, 0)).signaled(4);
    queuePair.read(slot.slice(8, 0)).nowhere().signaled(5);
    // The next request, which names numbers, has no limit.
    queuePair.write(slot.address(), slot.rkey()).gather(region, 0, 100).signaled(6);
    assertThat(queuePair.pending().sends()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  private void refused(ThrowingCallable call) {
    int sends = queuePair.freeWqebbs();
    int receives = queuePair.freeReceives();
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call);
    assertThat(queuePair.freeWqebbs()).isEqualTo(sends);
    assertThat(queuePair.freeReceives()).isEqualTo(receives);
    assertThat(queuePair.dropUnfinished()).isFalse();
  }
}
