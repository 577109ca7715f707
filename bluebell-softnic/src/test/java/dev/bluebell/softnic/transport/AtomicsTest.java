package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.transport.receive.Atomics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics execute at aligned addresses, and at odd host addresses of a shifted region. */
class AtomicsTest {
  private final LoneMemory memory = new LoneChip().memory(64);
  private final Packet request = new Packet();

  private long execute(int operation, int offset, long swapAdd, long compare) {
    request.opcode = operation;
    request.swapAdd = swapAdd;
    request.compare = compare;
    return Atomics.execute(memory.address(offset), request, false);
  }

  private long value(int offset) {
    return Memory.getNativeLong(memory.address(offset));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 12, 15})
  void aSwapHappensWhenTheValueIsTheOneCompared(int offset) {
    Memory.putNativeLong(memory.address(offset), 40);
    assertThat(execute(BthOpcode.COMPARE_SWAP, offset, 7, 41)).isEqualTo(40);
    assertThat(value(offset)).isEqualTo(40);
    assertThat(execute(BthOpcode.COMPARE_SWAP, offset, 7, 40)).isEqualTo(40);
    assertThat(value(offset)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 12, 15})
  void anAddendIsAdded(int offset) {
    Memory.putNativeLong(memory.address(offset), 40);
    assertThat(execute(BthOpcode.FETCH_ADD, offset, -50, 0)).isEqualTo(40);
    assertThat(value(offset)).isEqualTo(-10);
  }
}
