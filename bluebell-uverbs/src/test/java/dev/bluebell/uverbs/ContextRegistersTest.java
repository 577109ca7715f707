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
 * A client that allocates no UAR pages by calls, as rdma-core before 29 and {@code Mellanox/devx}.
 */
class ContextRegistersTest extends Hosted {
  private static final int GET_CONTEXT = 0;
  private static final int CREATE_CQ = 18;
  private static final int CREATE_QP = 24;
  private static final int DESTROY_QP = 27;
  private static final int DEVX_FLAG = 1;
  private static final int OF_4_KIB = 1;
  private static final int INITIAL_BYTES = 4096;
  private static final int MAPPED_PAGES = 6 << 8;

  private RawClient client;
  private MemorySegment pages;
  private int domain;
  private int queue;

  @BeforeEach
  void connect() throws IOException {
    client = new RawClient(host);
    pages = client.map(MAPPED_PAGES * 4096L + INITIAL_BYTES);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private MemorySegment context(int registers, int lowLatency, long result) throws IOException {
    MemorySegment out = client.memory(80);
    byte[] request =
        Fields.of(40)
            .u32(8, registers)
            .u32(12, lowLatency)
            .u32(16, DEVX_FLAG)
            .u64(32, OF_4_KIB)
            .bytes();
    assertThat(client.write(GET_CONTEXT, request, out)).isEqualTo(result);
    return out;
  }

  private long createQueue() throws IOException {
    MemorySegment out = client.memory(16);
    MemorySegment area = client.memory(8192);
    long result =
        client.write(
            CREATE_CQ,
            Fields.of(64)
                .u32(16, 63)
                .u32(24, -1)
                .u64(32, area.address())
                .u64(40, area.address() + 4096)
                .u32(48, 64)
                .bytes(),
            out);
    queue = out.get(ValueLayout.JAVA_INT, 0);
    return result;
  }

  /** Creates a queue pair, expects its register from the kernel, and returns its handle. */
  private int createPair(int flags, int named, int register) throws IOException {
    MemorySegment out = client.memory(72);
    MemorySegment area = client.memory(8192);
    byte[] request =
        Fields.of(56 + 56)
            .u32(16, domain)
            .u32(20, queue)
            .u32(24, queue)
            .u32(32, 16)
            .u8(53, 2)
            .u64(56, area.address())
            .u64(64, area.address() + 4096)
            .u32(72, 16)
            .u32(80, 6)
            .u32(84, flags)
            .u32(92, named)
            .bytes();
    assertThat(client.write(CREATE_QP, request, out)).isPositive();
    assertThat(out.get(ValueLayout.JAVA_INT, 32)).isEqualTo(register);
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  private long query(int register, MemorySegment number) throws IOException {
    return client.ioctl(
        0x1000, 0x1001, attribute(0x1000, 4), register, attribute(0x1001, 4), number.address());
  }

  private int page(int register) throws IOException {
    MemorySegment number = client.memory(4);
    assertThat(query(register, number)).isZero();
    return number.get(ValueLayout.JAVA_INT, 0);
  }

  @Test
  void aContextHasRegistersFromTheBeginningAndMoreToMap() throws IOException {
    MemorySegment out = context(15, 4, 48);
    assertThat(out.get(ValueLayout.JAVA_INT, 8 + 8)).as("tot_bfregs").isEqualTo(16);
    assertThat(out.get(ValueLayout.JAVA_INT, 8 + 64)).as("num_dyn_bfregs").isEqualTo(512);
  }

  @Test
  void aContextHasAsManyRegistersAsAKernelAllows() throws IOException {
    MemorySegment unused = context(0, 0, -Errno.EINVAL);
    unused = context(513, 0, -Errno.ENOMEM);
    unused = context(16, 16, -Errno.EINVAL);
    unused = context(16, -1, -Errno.EINVAL);
    unused = context(16, 15, 48);
    unused = context(16, 15, -Errno.EINVAL);
  }

  @Test
  void queuePairsShareARegisterWhenNoOwnRegisterIsLeft() throws IOException {
    MemorySegment unused = context(8, 3, 48);
    domain = client.allocateDomain();
    assertThat(createQueue()).isPositive();
    int first = createPair(0, 0, 9);
    int second = createPair(0, 0, 12);
    int third = createPair(0, 0, 13);
    for (int shared : new int[] {1, 4, 5, 8, 1}) {
      first = Math.max(first, createPair(0, 0, shared));
    }
    for (int handle : new int[] {second, third}) {
      assertThat(client.write(DESTROY_QP, Fields.of(16).u32(8, handle).bytes(), client.memory(4)))
          .isPositive();
    }
    int ignored = createPair(0, 0, 12);
    ignored = createPair(1 << 3, 2, 1 << 31);
  }

  @Test
  void thePagesThatAContextMapsHaveNumbers() throws IOException {
    MemorySegment unused = context(1, 0, 48);
    assertThat(page(1)).isEqualTo(page(0));
    assertThat(page(2)).isNotEqualTo(page(0));
    assertThat(query(512, client.memory(4))).isEqualTo(-Errno.EINVAL);
    assertThat(query(-1, client.memory(4))).isEqualTo(-Errno.EINVAL);
    pages.set(ValueLayout.JAVA_LONG, MAPPED_PAGES * 4096L + 0x800, 0);
  }

  @Test
  void aClientThatAllocatesItsPagesByCallsMustNameThem() throws IOException {
    byte[] request = Fields.of(40).u32(16, DEVX_FLAG).u64(32, 3).bytes();
    assertThat(client.write(GET_CONTEXT, request, client.memory(80))).isPositive();
    assertThat(query(0, client.memory(4))).isEqualTo(-Errno.EINVAL);
    assertThat(createQueue()).isEqualTo(-Errno.EINVAL);
  }
}
