package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.DmClient.Made;
import dev.bluebell.uverbs.DmClient.Region;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Device memory: allocation, mapping, regions in it, and the refusals of each. */
class DmTest extends Hosted {
  private static final int MOST = 128 << 10;
  private static final int ALL = 256 << 10;
  private static final int ZERO_BASED = 1 << 5;
  private static final int ON_DEMAND = 1 << 6;
  private static final int RELAXED_ORDERING = 1 << 20;
  private static final int REREG_MR = 11;
  private static final long NO_HANDLE = 987654;

  private DmClient client;
  private DmClient other;

  // All clients of a test are one process, which may hold half of it.
  @Override
  Map<Quota, Long> quotas() {
    return Map.of(Quota.DEVICE_MEMORY, 2L * ALL);
  }

  @BeforeEach
  void open() throws IOException {
    client = new DmClient(host);
    other = new DmClient(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    other.close();
    host.expectNothingLeft();
  }

  // ---- allocation

  @Test
  void theMappingIsZeroAtFirst() throws IOException {
    Made first = client.allocate(5000);
    assertThat(first.startOffset()).isZero();
    client.map(first.page(), 8192).fill((byte) 7);
    assertThat(client.free(first.handle())).isZero();
    Made again = client.allocate(5000);
    assertThat(again.page()).isEqualTo(first.page());
    assertThat(client.map(again.page(), 5000).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
  }

  @Test
  void allClientsShareTheMemoryOfTheDevice() throws IOException {
    Made first = client.allocate(MOST);
    Made second = other.allocate(MOST);
    assertThat(first.page()).isNotEqualTo(second.page());
    assertThat(client.refused(4, 0, 0)).isEqualTo(-Errno.ENOMEM);
    assertThat(other.free(second.handle())).isZero();
    client.allocate(4);
    assertThat(client.refused(MOST, 0, 0)).isEqualTo(-Errno.ENOMEM);
  }

  @Test
  void theMemoryOfAClientThatEndedIsFreeAgain() throws IOException, InterruptedException {
    client.register(
        client.domain(), client.allocate(MOST), 0, MOST, ZERO_BASED | HcaAccess.LOCAL_WRITE);
    client.allocate(MOST);
    assertThat(host.objects()).filteredOn(line -> line.startsWith("device memory")).hasSize(2);
    client.close();
    other.close();
    host.expectNothingLeft();
    other = new DmClient(host);
    other.allocate(MOST);
    other.allocate(MOST);
    client = new DmClient(host);
  }

  @Test
  void aRegionOfNoBytesAtTheEndHoldsNoneOfTheNextMemory() throws IOException {
    Made memory = client.allocate(4096);
    Made next = other.allocate(4096);
    assertThat(next.page()).isEqualTo(memory.page() + 1);
    client.register(client.domain(), memory, 4096, 0, ZERO_BASED);
    assertThat(other.free(next.handle())).isZero();
    assertThat(client.free(memory.handle())).isEqualTo(-Errno.EBUSY);
  }

  @Test
  void invalidSizesAreRefused() throws IOException {
    assertThat(client.refused(0, 0, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(-1, 0, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(MOST + 1, 0, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(ALL + 1, 0, 0)).isEqualTo(-Errno.ENOMEM);
    assertThat(client.refused(1L << 32, 0, 0)).isEqualTo(-Errno.ENOMEM);
    assertThat(client.refused(Long.MIN_VALUE, 0, 0)).isEqualTo(-Errno.ENOMEM);
    assertThat(host.objects()).isEmpty();
  }

  @Test
  void anAlignmentBeyondAPageIsRefused() throws IOException {
    assertThat(client.refused(4, 13, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(4, -1, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(4, 12, 0)).isZero();
  }

  @Test
  void memoryForFlowSteeringIsNotSupported() throws IOException {
    for (long type : new long[] {1, 2, 3, 4, 77, -1}) {
      assertThat(client.refused(4096, 0, type)).as("type %d", type).isEqualTo(-Errno.EOPNOTSUPP);
    }
  }

  @Test
  void aQueryReturnsThePlaceAndTheRequestedSize() throws IOException {
    Made memory = client.allocate(4);
    Made second = client.allocate(100);
    MemorySegment out = client.raw().memory(24);
    long[] attributes = {
      attribute(0x1000, 0),
      second.handle(),
      attribute(0x1001, 8),
      out.address(),
      attribute(0x1002, 2),
      out.address() + 8,
      attribute(0x1003, 8),
      out.address() + 16
    };
    assertThat(client.raw().ioctl(DmClient.OBJECT, 0x1001, attributes)).isZero();
    assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isZero();
    assertThat(out.get(ValueLayout.JAVA_SHORT, 8)).isEqualTo((short) second.page());
    assertThat(out.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(100);
    assertThat(second.page()).isNotEqualTo(memory.page());
  }

  @Test
  void noOperationsCanBeMapped() throws IOException {
    Made memory = client.allocate(64);
    for (long handle : new long[] {memory.handle(), NO_HANDLE}) {
      assertThat(
              client
                  .raw()
                  .ioctl(
                      DmClient.OBJECT,
                      0x1000,
                      attribute(0x1000, 0),
                      handle,
                      attribute(0x1001, 1),
                      0))
          .isEqualTo(handle == NO_HANDLE ? -Errno.ENOENT : -Errno.EOPNOTSUPP);
    }
  }

  @Test
  void theDeviceReportsTheLargestAllocation() throws IOException {
    MemorySegment out = client.raw().memory(304);
    MemorySegment call = client.raw().memory(32);
    byte[] query =
        Fields.of(32)
            .u32(0, 1 | WriteCommand.EXTENDED)
            .u16(4, 1)
            .u16(6, 38)
            .u64(8, out.address())
            .bytes();
    call.copyFrom(MemorySegment.ofArray(query));
    assertThat(client.raw().call(RawClient.WRITE, 0, call.address(), 32)).isEqualTo(32);
    assertThat(out.get(ValueLayout.JAVA_LONG, 288)).isEqualTo(MOST);
  }

  // ---- hostile clients

  @Test
  void memoryIsFreedOnceAndByItsOwner() throws IOException {
    Made memory = client.allocate(64);
    assertThat(other.free(memory.handle())).isEqualTo(-Errno.ENOENT);
    assertThat(client.free(memory.handle())).isZero();
    assertThat(client.free(memory.handle())).isEqualTo(-Errno.ENOENT);
    assertThat(client.free(client.domain())).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void noClientSeesOrChangesAnothersMemoryByItsPage() throws IOException {
    Made memory = client.allocate(4096);
    client.map(memory.page(), 4096).fill((byte) 7);
    MemorySegment wrong = other.map(memory.page(), 4096);
    assertThat(wrong.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    wrong.fill((byte) 9);
    assertThat(client.map(memory.page(), 4096).toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
  }

  @Test
  void aClientsOwnCommandsMakeNoKeysOfDeviceMemory() throws IOException {
    Made memory = other.allocate(4096);
    try (DevxClient devx = DevxClient.open(host)) {
      DevxClient.Made domain = devx.domain();
      for (DevxClient.Made umem : new DevxClient.Made[] {devx.umem(), new DevxClient.Made(0, 0)}) {
        byte[] command = DevxClient.mkey(domain, umem);
        DevxClient.inDeviceMemory(command, 0x80_0000 + 4096L * memory.page());
        assertThat(devx.create(command)).isEqualTo(-Errno.EINVAL);
      }
    }
  }

  // ---- regions

  @Test
  void memoryWithRegionsIsBusy() throws IOException {
    Made memory = client.allocate(4096);
    int domain = client.domain();
    Region whole = client.register(domain, memory, 0, 4096, ZERO_BASED | HcaAccess.LOCAL_WRITE);
    Region none = client.register(domain, memory, 4096, 0, ZERO_BASED);
    assertThat(whole.lkey()).isEqualTo(whole.rkey()).isNotEqualTo(none.lkey());
    assertThat(client.free(memory.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.deregister(whole.handle())).isZero();
    assertThat(client.free(memory.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.deregister(none.handle())).isZero();
    assertThat(client.free(memory.handle())).isZero();
    assertThat(client.refused(domain, memory.handle(), 0, 8, ZERO_BASED)).isEqualTo(-Errno.ENOENT);
  }

  @Test
  void aRegionBeyondTheRequestedSizeIsRefused() throws IOException {
    long memory = client.allocate(100).handle();
    int domain = client.domain();
    assertThat(client.refused(domain, memory, 0, 104, ZERO_BASED)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, 1, 100, ZERO_BASED)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, 101, 0, ZERO_BASED)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, -1, 1, ZERO_BASED)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, 0, -1, ZERO_BASED)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, Long.MIN_VALUE, Long.MIN_VALUE, ZERO_BASED))
        .isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aRegionIsZeroBasedAndHasRightsThatDeviceMemoryHas() throws IOException {
    long memory = client.allocate(64).handle();
    int domain = client.domain();
    assertThat(client.refused(domain, memory, 0, 64, HcaAccess.LOCAL_WRITE))
        .isEqualTo(-Errno.EINVAL);
    assertThat(client.refused(domain, memory, 0, 64, ZERO_BASED | HcaAccess.REMOTE_WRITE))
        .isEqualTo(-Errno.EINVAL);
    for (int flag : new int[] {ON_DEMAND, RELAXED_ORDERING}) {
      assertThat(client.refused(domain, memory, 0, 64, ZERO_BASED | flag)).isEqualTo(-Errno.EINVAL);
    }
    assertThat(client.refused(12345, memory, 0, 64, ZERO_BASED)).isEqualTo(-Errno.ENOENT);
    assertThat(client.refused(domain, NO_HANDLE, 0, 64, ZERO_BASED)).isEqualTo(-Errno.ENOENT);
  }

  @Test
  void aRegionInDeviceMemoryIsNotRegisteredAnew() throws IOException {
    int domain = client.domain();
    Region region =
        client.register(domain, client.allocate(64), 0, 64, ZERO_BASED | HcaAccess.LOCAL_WRITE);
    byte[] request =
        Fields.of(48).u32(8, (int) region.handle()).u32(12, 4).u32(40, domain).u32(44, 0).bytes();
    assertThat(client.raw().write(REREG_MR, request, client.raw().memory(8)))
        .isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aKeyThatEndedDoesNotFitTheNextRegion() throws IOException {
    Made memory = client.allocate(64);
    int domain = client.domain();
    Region first = client.register(domain, memory, 0, 64, ZERO_BASED);
    assertThat(client.deregister(first.handle())).isZero();
    Region second = client.register(domain, memory, 0, 64, ZERO_BASED);
    assertThat(second.lkey() & 0xff).isNotEqualTo(first.lkey() & 0xff);
  }
}
