package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private static final long SMALLEST = 64 << 10;

  private final HeldRegistrations hca = new HeldRegistrations("soft");
  private final Device device = Device.over(hca);
  private final BufferPool pool = new BufferPool(device.allocateProtectionDomain(), 1 << 20);

  @AfterEach
  void close() {
    pool.close();
    device.close();
  }

  @Test
  void sizesWasteAQuarterAtMost() {
    for (long wanted = 1; wanted < 1 << 24; wanted += 1 + wanted / 7) {
      long size = BufferPool.sizeFor(wanted);
      assertThat(size).isBetween(wanted, Math.max(SMALLEST, wanted + wanted / 4 + 1));
      assertThat(BufferPool.sizeFor(size)).isEqualTo(size);
    }
  }

  @Test
  void aBufferThatCameBackIsTakenAgain() {
    MemoryRegion first = pool.take(100_000);
    assertThat(first).isNotNull();
    assertThat(pool.take(100_000)).isNotSameAs(first);
    pool.giveBack(first);
    assertThat(pool.take(90_000)).isSameAs(first);
  }

  @Test
  void aBufferThatIsMuchTooLargeStaysForLargerBlocks() {
    MemoryRegion large = pool.take(500_000);
    assertThat(large).isNotNull();
    pool.giveBack(large);
    assertThat(pool.take(1000)).isNotSameAs(large);
    assertThat(pool.take(500_000)).isSameAs(large);
  }

  @Test
  void allBuffersTogetherStayWithinTheLimit() {
    MemoryRegion large = pool.take(900_000);
    assertThat(large).isNotNull();
    assertThat(pool.take(400_000)).isNull();
    assertThat(pool.take(2 << 20)).isNull();
    assertThat(pool.bytes()).isEqualTo(large.length());
  }

  @Test
  void idleBuffersMakeRoomForThoseOfAnotherSize() {
    for (int i = 0; i < 3; i++) {
      MemoryRegion region = pool.take(300_000 + i * 100_000);
      assertThat(region).isNotNull();
      pool.giveBack(region);
    }
    MemoryRegion large = pool.take(1 << 20);
    assertThat(large).isNotNull();
    assertThat(pool.bytes()).isEqualTo(1 << 20);
  }

  @Test
  void idleBuffersAreTakenWhileAnotherOneIsRegistered() throws InterruptedException {
    MemoryRegion idle = pool.take(100_000);
    assertThat(idle).isNotNull();
    pool.giveBack(idle);
    hca.hold();
    CompletableFuture<MemoryRegion> slow =
        CompletableFuture.supplyAsync(() -> pool.take(500_000), Thread::startVirtualThread);
    hca.awaitHeld();

    assertThat(pool.take(100_000)).isSameAs(idle);
    pool.giveBack(idle);
    // The memory that is being registered counts.
    assertThat(pool.take(900_000)).isNull();
    hca.let();
    assertThat(slow.join().length()).isGreaterThanOrEqualTo(500_000);
  }

  @Test
  void memoryThatTheDeviceRefusesCountsNoMore() {
    hca.refuse(true);
    assertThat(pool.take(500_000)).isNull();
    assertThat(pool.bytes()).isZero();
  }

  @Test
  void memoryOfAClosedDeviceCountsNoMore() {
    device.close();
    assertThat(pool.take(500_000)).isNull();
    assertThat(pool.bytes()).isZero();
  }

  @Test
  void aBufferThatCannotBeFreedTakesNoRoomFromOthers() {
    MemoryRegion idle = pool.take(1 << 20);
    assertThat(idle).isNotNull();
    pool.giveBack(idle);
    hca.keep();
    assertThat(pool.take(100_000)).isNull();
    assertThat(pool.bytes()).isZero();
    assertThat(pool.take(1 << 20)).isNotNull();
  }

  @Test
  void aBufferThatCannotBeFreedKeepsNoOtherOneRegistered() {
    MemoryRegion first = pool.take(500_000);
    MemoryRegion second = pool.take(400_000);
    assertThat(first).isNotNull();
    assertThat(second).isNotNull();
    pool.giveBack(first);
    pool.giveBack(second);
    int before = device.openObjects().size();
    hca.keep();
    assertThat(pool.take(1 << 20)).isNull();
    assertThat(device.openObjects()).as("one of both").hasSize(before - 1);
  }

  @Test
  void aClosedPoolGivesOutNothing() {
    MemoryRegion region = pool.take(100_000);
    assertThat(region).isNotNull();
    pool.close();
    pool.giveBack(region);
    assertThat(pool.take(100_000)).isNull();
  }
}
