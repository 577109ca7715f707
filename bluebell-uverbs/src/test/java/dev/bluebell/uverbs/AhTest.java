package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Address handles, as libmlx5 creates them. */
class AhTest extends Hosted {
  private static final int DEALLOC_PD = 4;
  private static final int CREATE_AH = 5;
  private static final int DESTROY_AH = 8;
  private static final int ATTACH_MCAST = 30;
  private static final int RESPONSE_BYTES = 20;

  private RawClient client;
  private int domain;

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(host);
    domain = client.allocateDomain();
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private Fields request() {
    return Fields.of(56)
        .u32(16, domain)
        .bytes(24, Gid.ofIpv4(0x7f000001).bytes())
        .u8(44, 3)
        .u8(53, 1)
        .u8(54, 1);
  }

  private MemorySegment create(Fields request, long expected) throws IOException {
    MemorySegment out = client.memory(RESPONSE_BYTES);
    assertThat(client.write(CREATE_AH, request.bytes(), out)).isEqualTo(expected);
    return out;
  }

  private long destroy(int handle) throws IOException {
    return client.write(DESTROY_AH, Fields.of(4).u32(0, handle).bytes(), client.memory(0));
  }

  private long deallocate() throws IOException {
    return client.write(DEALLOC_PD, Fields.of(4).u32(0, domain).bytes(), client.memory(0));
  }

  @Test
  void theClientLearnsTheEthernetAddress() throws IOException {
    MemorySegment out = create(request(), 64);
    assertThat(out.get(ValueLayout.JAVA_INT, 0)).isPositive();
    assertThat(out.asSlice(8, 6).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(new byte[] {0x02, (byte) 0xbe, 0x11, 0, 0, 0x01});
    assertThat(destroy(out.get(ValueLayout.JAVA_INT, 0))).isEqualTo(12);
  }

  @Test
  void anAddressHandleCanBeDestroyedByIoctl() throws IOException {
    int handle = create(request(), 64).get(ValueLayout.JAVA_INT, 0);
    assertThat(client.ioctl(6, 0, RawClient.attribute(0, 0), handle)).isZero();
    assertThat(destroy(handle)).isEqualTo(-Errno.ENOENT);
  }

  @Test
  void aDomainWithAddressHandlesIsBusy() throws IOException {
    int handle = create(request(), 64).get(ValueLayout.JAVA_INT, 0);
    assertThat(deallocate()).isEqualTo(-Errno.EBUSY);
    destroy(handle);
    assertThat(deallocate()).isPositive();
  }

  @Test
  void handlesThatAreLeftGoWithTheClient() throws IOException {
    create(request(), 64);
    create(request(), 64);
  }

  @Test
  void anAddressWithoutAGidIsInvalid() throws IOException {
    create(request().u8(53, 0), -Errno.EINVAL);
  }

  @Test
  void aPortOrSourceThatDoesNotExistIsInvalid() throws IOException {
    create(request().u8(54, 2), -Errno.EINVAL);
    create(request().u8(44, 5), -Errno.EINVAL);
    create(request().u8(44, 200), -Errno.EINVAL);
  }

  @Test
  void aSourceOfAnotherFamilyIsInvalid() throws IOException {
    create(request().u8(44, 1), -Errno.EINVAL);
  }

  @Test
  void aDomainThatDoesNotExistIsNotFound() throws IOException {
    create(request().u32(16, 777), -Errno.ENOENT);
  }

  @Test
  void anAnswerWithoutRoomForTheEthernetAddressIsInvalid() throws IOException {
    assertThat(client.write(CREATE_AH, request().bytes(), client.memory(8)))
        .isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aGroupTakesNoQueuePairThatDoesNotExist() throws IOException {
    assertThat(client.write(ATTACH_MCAST, new byte[24], client.memory(0))).isEqualTo(-Errno.ENOENT);
  }
}
