package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Regions on demand, whose memory need not be mapped yet, and the region of all the client's
 * memory.
 */
class OnDemandTest extends Hosted {
  private static final int REG_MR = 9;
  private static final int MR = 7;
  private static final int ADVISE = 2;
  private static final int PREFETCH_WRITE = 1;
  private static final int FLUSH = 1;
  private static final int LOCAL_WRITE = 1;
  private static final int ON_DEMAND = 1 << 6;
  private static final int SUCCESS = 48;
  private static final long ALL = -1;

  private RawClient client;
  private MemorySegment answer;
  private int domain;

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(host);
    answer = client.memory(12);
    domain = client.allocateDomain();
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private long register(long start, long length, long address, int access) throws IOException {
    byte[] input =
        Fields.of(40)
            .u64(8, start)
            .u64(16, length)
            .u64(24, address)
            .u32(32, domain)
            .u32(36, access)
            .bytes();
    return client.write(REG_MR, input, answer);
  }

  /** Advice to prefetch in the last registered region. */
  private long prefetch(long address, int bytes) throws IOException {
    MemorySegment segment = client.memory(16);
    segment.set(ValueLayout.JAVA_LONG, 0, address);
    segment.set(ValueLayout.JAVA_INT, 8, bytes);
    segment.set(ValueLayout.JAVA_INT, 12, answer.get(ValueLayout.JAVA_INT, 4));
    return client.ioctl(
        MR,
        ADVISE,
        attribute(0, 0),
        domain,
        attribute(1, 4),
        PREFETCH_WRITE,
        attribute(2, 4),
        FLUSH,
        attribute(3, 16),
        segment.address());
  }

  @Test
  void memoryOnDemandNeedNotBeThere() throws IOException {
    assertThat(register(0x10000, 4096, 0x10000, LOCAL_WRITE | ON_DEMAND)).isEqualTo(SUCCESS);
    assertThat(prefetch(0x10000, 4096)).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void oneRegionMayCoverTheWholeAddressSpace() throws IOException {
    assertThat(register(0, ALL, 0, LOCAL_WRITE | ON_DEMAND)).isEqualTo(SUCCESS);
    MemorySegment memory = client.memory(8192);
    assertThat(prefetch(memory.address(), 8192)).isZero();
    assertThat(prefetch(0x10000, 4096)).isEqualTo(-Errno.EFAULT);
    assertThat(prefetch(-4096, 4096)).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void aRegionOfTheWholeAddressSpaceStartsAtZero() throws IOException {
    assertThat(register(4096, ALL, 4096, ON_DEMAND)).isEqualTo(-Errno.EINVAL);
    assertThat(register(0, ALL, 4096, ON_DEMAND)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aRegionOfTheWholeAddressSpaceMustBeOnDemand() throws IOException {
    assertThat(register(0, ALL, 0, LOCAL_WRITE)).isEqualTo(-Errno.EINVAL);
  }
}
