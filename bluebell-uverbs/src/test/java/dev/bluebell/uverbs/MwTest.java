package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls about memory windows, byte by byte as libibverbs makes them. */
class MwTest extends Hosted {
  private static final int QUERY_DEVICE = 1;
  private static final int QUERY_DEVICE_BYTES = 176;
  private static final int DEVICE_CAP_FLAGS = 60;
  private static final int ALLOC_MW = 14;
  private static final int DEALLOC_MW = 16;
  private static final int DEALLOC_PD = 4;
  private static final int MW = 8;
  private static final int HEADER_BYTES = 8;
  private static final MemorySegment NOTHING = MemorySegment.NULL;

  private RawClient client;
  private int domain;

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(host);
    client.map(4096);
    domain = client.allocateDomain();
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private static byte[] input(int domain, int type, int... driver) {
    Fields fields = Fields.of(24).u32(8, domain).u32(12, type);
    for (int i = 0; i < driver.length; i++) {
      fields.u32(16 + 4 * i, driver[i]);
    }
    return fields.bytes();
  }

  private long allocate(byte[] input, MemorySegment out) throws IOException {
    return client.write(ALLOC_MW, input, out);
  }

  @Test
  void everyWindowHasAKeyOfItsOwn() throws IOException {
    Set<Integer> keys = new HashSet<>();
    MemorySegment out = client.memory(8);
    for (int i = 0; i < 40; i++) {
      assertThat(allocate(input(domain, 1 + i % 2, 0, i % 8), out)).isEqualTo(24 + HEADER_BYTES);
      int key = out.get(ValueLayout.JAVA_INT, 4);
      assertThat(keys.add(key)).isTrue();
      int handle = out.get(ValueLayout.JAVA_INT, 0);
      if (i % 4 == 0) {
        byte[] end = Fields.of(4).u32(0, handle).bytes();
        assertThat(client.write(DEALLOC_MW, end, NOTHING)).isPositive();
        assertThat(client.write(DEALLOC_MW, end, NOTHING)).isEqualTo(-Errno.ENOENT);
      } else if (i % 4 == 1) {
        assertThat(client.ioctl(MW, 0, attribute(0, 0), handle)).isZero();
      }
    }
  }

  @Test
  void aDomainWithWindowsIsInUse() throws IOException {
    MemorySegment out = client.memory(8);
    assertThat(allocate(input(domain, 2), out)).isPositive();
    byte[] end = Fields.of(4).u32(0, domain).bytes();
    assertThat(client.write(DEALLOC_PD, end, NOTHING)).isEqualTo(-Errno.EBUSY);
    assertThat(client.ioctl(MW, 0, attribute(0, 0), out.get(ValueLayout.JAVA_INT, 0))).isZero();
    assertThat(client.write(DEALLOC_PD, end, NOTHING)).isPositive();
  }

  @Test
  void windowsOfTypeTwoAre2BAndNot2A() throws IOException {
    MemorySegment out = client.memory(QUERY_DEVICE_BYTES);
    assertThat(client.write(QUERY_DEVICE, new byte[8], out)).isPositive();
    int flags = out.get(ValueLayout.JAVA_INT, DEVICE_CAP_FLAGS);
    assertThat(flags & 1 << 17).as("MEM_WINDOW").isNotZero();
    assertThat(flags & 1 << 24).as("MEM_WINDOW_TYPE_2B").isNotZero();
    assertThat(flags & 1 << 23).as("MEM_WINDOW_TYPE_2A").isZero();
  }

  @Test
  void invalidAllocationsAreRefused() throws IOException {
    MemorySegment out = client.memory(8);
    assertThat(allocate(input(domain, 0), out)).isEqualTo(-Errno.EINVAL);
    assertThat(allocate(input(domain, 3), out)).isEqualTo(-Errno.EINVAL);
    assertThat(allocate(input(domain + 77, 1), out)).isEqualTo(-Errno.ENOENT);
    assertThat(allocate(input(domain, 1, 1), out)).isEqualTo(-Errno.EOPNOTSUPP);
    assertThat(allocate(input(domain, 1, 0, 0x100), out)).isEqualTo(-Errno.EOPNOTSUPP);
    assertThat(client.ioctl(MW, 0, attribute(0, 0), 77)).isEqualTo(-Errno.ENOENT);
  }
}
