package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hostile client gets errors, and the device and other clients continue, whatever it sends. */
class HostileClientTest extends Hosted {
  private static final int DEALLOC_PD = 4;
  private static final int REG_MR = 9;
  private static final int MODIFY_QP = 26;

  private RawClient client;

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  @Test
  void anUnknownMethodIsNotSupported() throws IOException {
    assertThat(client.ioctl(77, 3)).isEqualTo(-Errno.EPROTONOSUPPORT);
  }

  @Test
  void anUnknownMandatoryAttributeIsNotSupported() throws IOException {
    assertThat(client.ioctl(0, 2, attribute(55, 0), 0)).isEqualTo(-Errno.EPROTONOSUPPORT);
  }

  @Test
  void anUnknownWriteCommandIsNotSupported() throws IOException {
    assertThat(client.write(49, new byte[8], client.memory(0))).isEqualTo(-Errno.EOPNOTSUPP);
  }

  @Test
  void anUnknownIoctlIsRefused() throws IOException {
    assertThat(client.call(RawClient.IOCTL, 0x5401, 0, 0)).isEqualTo(-Errno.ENOTTY);
  }

  @Test
  void anExtendedWriteIsAnsweredToo() throws IOException {
    MemorySegment out = client.memory(304);
    MemorySegment call = client.memory(32);
    call.copyFrom(
        MemorySegment.ofArray(
            Fields.of(32)
                .u32(0, 1 | WriteCommand.EXTENDED)
                .u16(4, 1)
                .u16(6, 38)
                .u64(8, out.address())
                .bytes()));
    assertThat(client.call(RawClient.WRITE, 0, call.address(), 32)).isEqualTo(32);
    assertThat(out.get(ValueLayout.JAVA_INT, 44)).isEqualTo(HcaIdentity.SOFTWARE.part());
    assertThat(out.get(ValueLayout.JAVA_INT, 180)).isEqualTo(304);
  }

  @Test
  void aWildPointerIsAFault() throws IOException {
    assertThat(client.call(RawClient.IOCTL, 0xc0181b01L, 0xdead_0000L, 0)).isEqualTo(-Errno.EFAULT);
    assertThat(client.call(RawClient.WRITE, 0, -8, 16)).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void anOutputThatCanNotBeWrittenIsAFault() throws IOException {
    MemorySegment nowhere = MemorySegment.ofAddress(0x10).reinterpret(8);
    assertThat(client.write(RawClient.ALLOC_PD, new byte[8], nowhere)).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void aTruncatedCommandIsTooShort() throws IOException {
    assertThat(client.write(REG_MR, new byte[16], client.memory(12))).isEqualTo(-Errno.ENOSPC);
  }

  @Test
  void handlesOfOtherKindsAreRefused() throws IOException {
    int domain = client.allocateDomain();
    byte[] modify = Fields.of(112).u32(64, domain).bytes();
    assertThat(client.write(MODIFY_QP, modify, client.memory(0))).isEqualTo(-Errno.EINVAL);
    byte[] unknown = Fields.of(4).u32(0, 12345).bytes();
    assertThat(client.write(DEALLOC_PD, unknown, client.memory(0))).isEqualTo(-Errno.ENOENT);
  }

  @Test
  void memoryThatIsNotMappedCanNotBeRegistered() throws IOException {
    byte[] input =
        Fields.of(40)
            .u64(8, 0x10000)
            .u64(16, 4096)
            .u64(24, 0x10000)
            .u32(32, client.allocateDomain())
            .bytes();
    assertThat(client.write(REG_MR, input, client.memory(12))).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void aDomainWithMemoryIsBusyAndFreedWithTheClient() throws IOException {
    MemorySegment memory = client.memory(8192);
    int domain = client.allocateDomain();
    byte[] input =
        Fields.of(40)
            .u64(8, memory.address())
            .u64(16, 8192)
            .u64(24, memory.address())
            .u32(32, domain)
            .u32(36, 1)
            .bytes();
    assertThat(client.write(REG_MR, input, client.memory(12))).isEqualTo(48);
    byte[] destroy = Fields.of(4).u32(0, domain).bytes();
    assertThat(client.write(DEALLOC_PD, destroy, client.memory(0))).isEqualTo(-Errno.EBUSY);
    assertThat(host.objects()).hasSize(2);
  }

  @Test
  void aQueueWithoutTheFileOfItsEventsIsNotMade() throws IOException {
    try (DevxClient context = DevxClient.openPlain(host)) {
      RawClient raw = context.raw();
      MemorySegment driver = raw.memory(32);
      driver.copyFrom(
          MemorySegment.ofArray(
              Fields.of(32)
                  .u64(0, raw.memory(4096).address())
                  .u64(8, raw.memory(4096).address())
                  .u32(16, 64)
                  .u16(22, 2)
                  .u16(24, context.uar().number())
                  .bytes()));
      for (int fd : new int[] {-1, 12345}) {
        long[] attributes = {
          attribute(0, 0), 0,
          attribute(1, 4), 7,
          attribute(2, 8), 99,
          attribute(4, 4), 0,
          attribute(5, 4), 0,
          attribute(6, 4), raw.memory(4).address(),
          attribute(7, 0), fd,
          attribute(0x1000, 32), driver.address(),
          attribute(0x1001, 8), raw.memory(8).address()
        };
        assertThat(raw.ioctl(3, 0, attributes)).isEqualTo(fd < 0 ? 0 : -Errno.EBADF);
      }
      assertThat(host.objects()).filteredOn(object -> object.startsWith("CQ")).hasSize(1);
    }
  }

  @Test
  void noiseDisconnectsOneClientAndNotTheOthers() throws IOException {
    try (RawClient noisy = new RawClient(host)) {
      noisy.send(new byte[] {1, 2, 3});
    }
    assertThat(client.allocateDomain()).isPositive();
  }

  @Test
  void randomCallsGetErrorsOrHarmlessAnswers() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    MemorySegment noise = client.memory(4096);
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = new byte[4096];
      random.nextBytes(bytes);
      Fields fields = Fields.over(bytes);
      int attributes = random.nextInt(6);
      fields.u16(0, 24 + 16 * attributes).u16(2, random.nextInt(17)).u16(4, random.nextInt(7));
      fields.u16(6, attributes).u64(8, 0).u32(16, 1).u32(20, 0);
      for (int a = 0; a < attributes; a++) {
        int at = 24 + 16 * a;
        int id = random.nextInt(4) == 0 ? 0x1000 + random.nextInt(2) : random.nextInt(16);
        fields.u16(at, id).u16(at + 2, random.nextInt(64)).u16(at + 4, random.nextInt(2));
        fields.u64(at + 8, random.nextBoolean() ? noise.address() : random.nextInt(70));
      }
      noise.copyFrom(MemorySegment.ofArray(bytes));
      assertThat(client.call(RawClient.IOCTL, 0xc0181b01L, noise.address(), 0))
          .as("call %d with seed %d", i, seed)
          .isLessThanOrEqualTo(0)
          .isNotEqualTo(-Errno.EIO);
    }
  }
}
