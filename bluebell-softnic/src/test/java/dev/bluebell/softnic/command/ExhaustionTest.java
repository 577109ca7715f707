package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.AllocPdIn;
import dev.bluebell.hca.command.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.View;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.UarPage;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * Tables that are full. Their entries are all the same object, because only their number counts.
 */
class ExhaustionTest {
  private final FirmwareRig rig = new FirmwareRig();
  private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);

  private static <T> void fill(ObjectTable<T> table, T object) {
    for (int number = table.allocate(); number >= 0; number = table.allocate()) {
      table.put(number, object);
    }
  }

  private static void expectFull(Firmware.Answer answer, String... named) {
    assertThat(View.over(answer.output()).getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.NO_RES);
    assertThat(answer.explanation()).contains(named);
  }

  @Test
  void protectionDomains() {
    fill(rig.inventory.domains, new ProtectionDomain(1));
    expectFull(
        rig.execute(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes()),
        "all 65535 protection domains");
  }

  @Test
  void uarPages() {
    fill(rig.inventory.uarPages, new UarPage(1));
    expectFull(rig.attempt(rig.firmware::allocateUar), "all 65535 UAR pages");
  }

  @Test
  void umems() {
    fill(rig.inventory.umems, new Umem(1, memory));
    expectFull(
        rig.attempt(() -> rig.firmware.registerUmem(memory)), "all 1048575 umems", "log_max_umem");
  }

  @Test
  void memoryKeys() {
    rig.inventory.domains.put(1, new ProtectionDomain(1));
    Umem umem = new Umem(0, memory);
    byte[] context = View.of(Mkc.STRUCTURE).bytes();
    for (int index = rig.inventory.keys.allocateIndex();
        index >= 0;
        index = rig.inventory.keys.allocateIndex()) {
      rig.inventory.keys.put(new MemoryKey(index << 8, context, umem, 0));
    }
    expectFull(
        rig.attempt(() -> rig.firmware.registerMemory(1, memory, 0, 0)),
        "all memory keys",
        "log_max_mkey");
  }
}
