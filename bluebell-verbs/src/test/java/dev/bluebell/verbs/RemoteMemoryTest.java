package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The description of memory that one end sends to the other. */
class RemoteMemoryTest {
  @Test
  void remoteMemorySurvivesItsBytesAndItsText() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      RemoteMemory memory =
          new RemoteMemory(random.nextLong(), random.nextInt(), random.nextLong() >>> 1);
      assertThat(RemoteMemory.of(memory.bytes())).isEqualTo(memory);
      assertThat(RemoteMemory.parse(memory.toString())).isEqualTo(memory);
    }
    assertThat(new RemoteMemory(0x7f001000, 0x12ab, 64))
        .hasToString("address=0x7f001000 rkey=0x000012ab length=64");
  }

  @Test
  void aSliceLiesInsideItsMemory() {
    RemoteMemory memory = new RemoteMemory(0x1000, 7, 64);
    assertThat(memory.slice(16, 32)).isEqualTo(new RemoteMemory(0x1010, 7, 32));
    assertThat(memory.slice(64, 0).length()).isZero();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> memory.slice(33, 32))
        .withMessage(
            "32 bytes from offset 33 are not all in the 64 bytes of the remote memory"
                + " address=0x1000 rkey=0x00000007 length=64");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> memory.slice(-1, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> memory.slice(0, -1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> memory.slice(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Test
  void invalidBytesAndTextAreRefused() {
    byte[] bytes = new RemoteMemory(1, 2, 3).bytes();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RemoteMemory.of(Arrays.copyOf(bytes, 23)))
        .withMessageContaining("24 bytes");
    assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.of(new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.of(new byte[24]));
    byte[] negative = bytes.clone();
    negative[16] = (byte) 0x80;
    assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.of(negative));
    for (String text :
        new String[] {
          "",
          "address=0x1 rkey=0x00000002",
          "address=0x1 rkey=0x2 length=3",
          "address=1 rkey=0x00000002 length=3",
          "address=0x1 rkey=0x00000002 length=-3",
          "address=0x1 rkey=0x00000002 length=9223372036854775808"
        }) {
      assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.parse(text));
    }
  }

  @Test
  void aRegionReturnsItsRemoteMemory() {
    try (Device device = Device.over(new FakeHca())) {
      MemoryRegion region =
          device.allocateProtectionDomain().allocate(100, Access.LOCAL_WRITE, Access.REMOTE_READ);
      assertThat(region.remote()).isEqualTo(new RemoteMemory(region.address(), region.rkey(), 100));
    }
  }
}
