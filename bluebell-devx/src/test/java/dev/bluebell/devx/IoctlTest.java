package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemRegAttrs;
import dev.bluebell.hca.uverbs.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of calls, as {@code cmd_ioctl.h} of libibverbs writes them. */
class IoctlTest {
  private static final int HEADER_BYTES = 24;
  private static final int ATTR_BYTES = 16;

  /** Records the bytes of calls, and answers each. */
  private static final class Recorder implements Ioctl.Kernel {
    private final List<byte[]> calls = new ArrayList<>();
    private final int answer;

    Recorder(int answer) {
      this.answer = answer;
    }

    @Override
    public int call(MemorySegment call) {
      calls.add(call.toArray(ValueLayout.JAVA_BYTE));
      return answer;
    }
  }

  private static ByteBuffer only(Recorder recorder) {
    assertThat(recorder.calls).hasSize(1);
    return ByteBuffer.wrap(recorder.calls.getFirst()).order(ByteOrder.nativeOrder());
  }

  @Test
  void aCallHasAHeaderAndItsAttributesInOrder() {
    Recorder recorder = new Recorder(0);
    int errno =
        Ioctl.of(DevxUmemRegAttrs.METHOD)
            .number(DevxUmemRegAttrs.ADDR, 0x7f00_1234_5000L)
            .number(DevxUmemRegAttrs.LEN, 8192)
            .word(DevxUmemRegAttrs.ACCESS, 1)
            .optionalNumber(DevxUmemRegAttrs.PGSZ_BITMAP, 4096)
            .newHandle(DevxUmemRegAttrs.HANDLE)
            .call(recorder);
    assertThat(errno).isZero();
    ByteBuffer call = only(recorder);
    assertThat(call.capacity()).isEqualTo(HEADER_BYTES + 5 * ATTR_BYTES);
    assertThat(call.getShort(0)).isEqualTo((short) call.capacity());
    assertThat(call.getShort(2)).as("object DEVX_UMEM").isEqualTo((short) 0x1002);
    assertThat(call.getShort(4)).as("method REG").isEqualTo((short) 0x1000);
    assertThat(call.getShort(6)).as("attributes").isEqualTo((short) 5);
    assertThat(call.getLong(8)).isZero();
    assertThat(call.getInt(16)).as("driver mlx5").isOne();
    assertThat(call.getInt(20)).isZero();
    expectInline(call, 0, 0x1001, 8, 1, 0x7f00_1234_5000L);
    expectInline(call, 1, 0x1002, 8, 1, 8192);
    expectInline(call, 2, 0x1003, 4, 1, 1);
    expectInline(call, 3, 0x1005, 8, 0, 4096);
    expectInline(call, 4, 0x1000, 0, 1, 0);
  }

  private static void expectInline(
      ByteBuffer call, int index, int id, int length, int flags, long data) {
    int at = HEADER_BYTES + index * ATTR_BYTES;
    assertThat(call.getShort(at) & 0xffff).isEqualTo(id);
    assertThat(call.getShort(at + 2)).as("length of 0x%x", id).isEqualTo((short) length);
    assertThat(call.getShort(at + 4)).as("flags of 0x%x", id).isEqualTo((short) flags);
    assertThat(call.getShort(at + 6)).isZero();
    assertThat(call.getLong(at + 8)).as("data of 0x%x", id).isEqualTo(data);
  }

  @Test
  void shortInputsStandInTheAttributeAndLongOnesAreNamedByAddress() {
    byte[] longer = HexFormat.of().parseHex("0500000000000000000000000000000a");
    byte[] seen = new byte[longer.length];
    Recorder recorder = new Recorder(0);
    Ioctl ioctl =
        Ioctl.of(DevxObjCreateAttrs.METHOD)
            .newHandle(DevxObjCreateAttrs.HANDLE)
            .input(DevxObjCreateAttrs.CMD_IN, longer)
            .output(DevxObjCreateAttrs.CMD_OUT, 16);
    int errno =
        ioctl.call(
            call -> {
              int unused = recorder.call(call);
              at(call, 1, longer.length).asByteBuffer().get(seen);
              at(call, 2, 16).set(ValueLayout.JAVA_BYTE, 15, (byte) 7);
              call.set(ValueLayout.JAVA_LONG_UNALIGNED, HEADER_BYTES + 8, 42);
              return 0;
            });
    assertThat(errno).isZero();
    assertThat(seen).isEqualTo(longer);
    assertThat(ioctl.created(DevxObjCreateAttrs.HANDLE)).isEqualTo(42);
    assertThat(ioctl.output(DevxObjCreateAttrs.CMD_OUT)).endsWith(7).hasSize(16);
    Recorder inline = new Recorder(0);
    int unused =
        Ioctl.of(DevxObjCreateAttrs.METHOD)
            .input(DevxObjCreateAttrs.CMD_IN, new byte[] {1, 2, 3, 4, 5, 6, 7, 8})
            .call(inline);
    byte[] call = inline.calls.getFirst();
    assertThat(HexFormat.of().formatHex(call, HEADER_BYTES + 8, HEADER_BYTES + 16))
        .isEqualTo("0102030405060708");
  }

  private static MemorySegment at(MemorySegment call, int index, long bytes) {
    long address =
        call.get(ValueLayout.JAVA_LONG_UNALIGNED, HEADER_BYTES + index * ATTR_BYTES + 8L);
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @Test
  void theErrorNumberOfTheKernelIsTheAnswer() {
    Ioctl ioctl = Ioctl.of(DevxObjCreateAttrs.METHOD).output(DevxObjCreateAttrs.CMD_OUT, 16);
    assertThat(ioctl.call(new Recorder(Errno.EREMOTEIO))).isEqualTo(Errno.EREMOTEIO);
    assertThat(ioctl.output(DevxObjCreateAttrs.CMD_OUT)).containsOnly(0);
  }
}
