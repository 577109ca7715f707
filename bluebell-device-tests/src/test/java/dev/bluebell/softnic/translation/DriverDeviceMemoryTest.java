package dev.bluebell.softnic.translation;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.HcaException;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Device memory through the driver. */
class DriverDeviceMemoryTest {
  private final Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final RcQueuePair queuePair = domain.rcQueuePair(completions).create();
  private final MemoryRegion host = domain.allocate(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);

  DriverDeviceMemoryTest() {
    queuePair.connect(queuePair.endpoint());
  }

  @AfterEach
  void close() {
    device.close();
  }

  private CompletionStatus run() {
    queuePair.ringDoorbell();
    Completion completion = completions.poll();
    while (completion == null) {
      completion = completions.poll();
    }
    return completion.status();
  }

  @Test
  void requestsAddressDeviceMemoryFromZeroAndClientsCopyInAndOut() {
    DeviceMemory memory = device.allocateDeviceMemory(100);
    assertThat(memory.length()).isEqualTo(100);
    MemoryRegion region =
        domain.register(memory, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
    assertThat(region.address()).isZero();
    assertThat(region.length()).isEqualTo(100);
    memory.copyFrom(MemorySegment.ofArray(new long[] {1, 2, 3}), 8, 16, 16);

    queuePair.read(region.remote().slice(16, 16)).scatter(host, 0, 16).signaled(1);
    assertThat(run()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(host.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(2);
    assertThat(host.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(3);

    queuePair.fetchAndAdd(region.remote().slice(16, 8), 40).scatter(region, 64).signaled(2);
    assertThat(run()).isEqualTo(CompletionStatus.SUCCESS);
    long[] copy = new long[2];
    memory.copyTo(16, MemorySegment.ofArray(copy), 0, 8);
    memory.copyTo(64, MemorySegment.ofArray(copy), 8, 8);
    assertThat(copy).containsExactly(42, 2);

    queuePair.write(host.remote().slice(1000, 100)).gather(region, 0, 100).signaled(3);
    assertThat(run()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(host.segment().get(ValueLayout.JAVA_LONG, 1016)).isEqualTo(42);
  }

  @Test
  void requestsBehindTheEndAreRefused() {
    MemoryRegion region =
        domain.register(device.allocateDeviceMemory(64), LOCAL_WRITE, REMOTE_WRITE);
    queuePair.write(60, region.rkey()).gather(host, 0, 8).signaled(1);
    assertThat(run()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
  }

  @Test
  void deviceMemoryIsFreedWhenNoRegionUsesIt() {
    DeviceMemory memory = device.allocateDeviceMemory(64);
    MemoryRegion region = domain.register(memory);
    assertThatIllegalStateException()
        .isThrownBy(memory::close)
        .withMessageContaining("is still used by memory region");
    region.close();
    memory.close();
    memory.close();
    assertThatIllegalStateException().isThrownBy(() -> domain.register(memory));
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.copyTo(0, MemorySegment.ofArray(new byte[1]), 0, 1));
  }

  @Test
  void sizesAndRangesAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> device.allocateDeviceMemory(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.allocateDeviceMemory(1L << 40))
        .withMessageContaining("1 to 131072 bytes");
    DeviceMemory memory = device.allocateDeviceMemory(64);
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(
            () -> {
              while (true) {
                assertThat(device.allocateDeviceMemory(131072)).isNotNull();
              }
            });
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> memory.copyFrom(MemorySegment.ofArray(new byte[65]), 0, 0, 65));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.register(memory, REMOTE_WRITE))
        .withMessageContaining("LOCAL_WRITE");
    try (Device other = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT))) {
      ProtectionDomain foreign = other.allocateProtectionDomain();
      assertThatIllegalArgumentException().isThrownBy(() -> foreign.register(memory));
    }
  }
}
