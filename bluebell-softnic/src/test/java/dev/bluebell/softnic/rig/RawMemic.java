package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Device memory in a window that the test can read, like a client that maps it. */
public final class RawMemic {
  public static final int BAR_START = 0x80_0000;
  public static final int BAR_BYTES = 256 << 10;
  public static final int TAG = 0x21;
  private static final int ANY_QPN = 0xffffff;
  private static final byte CANARY = 0x5c;

  private final MemorySegment window = Arena.ofAuto().allocate(BAR_BYTES, 4096).fill(CANARY);
  private final Rig rig;
  private final HcaObject object;
  private final int bytes;

  /** Allocates some device memory anywhere in the BAR, and fills it with zeros. */
  public RawMemic(Rig rig, int bytes) {
    this.rig = rig;
    this.bytes = bytes;
    object = rig.nic().allocateDeviceMemory(command(bytes).bytes(), window);
    segment().fill((byte) 0);
  }

  /** ALLOC_MEMIC anywhere in the BAR. */
  public static View command(long bytes) {
    return View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
        .set(AllocMemicIn.RANGE_START_ADDR, BAR_START)
        .set(AllocMemicIn.RANGE_SIZE, BAR_BYTES)
        .set(AllocMemicIn.MEMIC_SIZE, bytes);
  }

  public HcaObject object() {
    return object;
  }

  /** Address of the memory in the BAR. */
  public long address() {
    return View.over(object.output()).get(AllocMemicOut.MEMIC_START_ADDR);
  }

  /** The mapping. */
  public MemorySegment segment() {
    return window.asSlice(address() - BAR_START, bytes);
  }

  public byte[] bytes(long offset, int count) {
    return segment().asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
  }

  /** CREATE_MKEY for a part of the memory with all rights, as the kernel sends it. */
  public View key(long offset, long length) {
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_4_2, 1)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.LR, true)
        .set(Mkc.LW, true)
        .set(Mkc.RR, true)
        .set(Mkc.RW, true)
        .set(Mkc.A, true)
        .set(Mkc.QPN, ANY_QPN)
        .set(Mkc.MKEY_7_0, TAG)
        .set(Mkc.PD, rig.domain().number())
        .set(Mkc.START_ADDR, address() + offset)
        .set(Mkc.LEN, length);
    return command;
  }

  /** Makes a key of {@link #key}; index and tag. */
  public int create(View key) {
    return rig.nic().create(key.bytes()).number() << 8 | TAG;
  }

  /** Expects that nothing was written outside the memory. */
  public void expectCanaries() {
    byte[] expected = new byte[BAR_BYTES];
    Arrays.fill(expected, CANARY);
    int from = (int) (address() - BAR_START);
    MemorySegment.copy(
        segment(),
        ValueLayout.JAVA_BYTE,
        0,
        MemorySegment.ofArray(expected),
        ValueLayout.JAVA_BYTE,
        from,
        bytes);
    assertThat(window.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
  }
}
