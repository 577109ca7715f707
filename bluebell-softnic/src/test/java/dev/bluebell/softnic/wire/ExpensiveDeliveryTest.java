package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.wire.TwoDevices.Pair;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Packets from the network whose delivery fails. */
@Isolated("counts the direct buffers of the process")
class ExpensiveDeliveryTest {
  private static final int UC = 1;
  private static final int BASE = 1 << 12;
  private static final int FAILURES = 40;
  private static final long BATCH_BYTES = 1 << 20;

  private final TwoDevices devices = new TwoDevices();
  private final Memory memory = new Memory();
  private final int key = register(devices.far, memory);

  @AfterEach
  void close() {
    devices.close();
  }

  /** Memory of another process that counts the accesses to it, or is gone. */
  private static final class Memory implements HcaForeignMemory {
    private int writes;
    private boolean gone;

    @Override
    public boolean read(long address, long to, int bytes) {
      return true;
    }

    @Override
    public boolean write(long address, long from, int bytes) {
      writes++;
      if (gone) {
        throw new InternalError("a page is gone");
      }
      return true;
    }
  }

  private static int register(Rig of, Memory memory) {
    return of.nic()
        .hosting()
        .orElseThrow()
        .registerMemory(of.domain(), memory, BASE, 2 << 20, BASE, HcaAccess.ALL)
        .rkey();
  }

  @Test
  void deliveriesThatFailTakeNoMemoryForMorePackets() {
    Pair pair = devices.pair(UC, Settings::new);
    RawMemory source = devices.near.memory(8);
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    memory.gone = true;
    long before = direct.getTotalCapacity();
    for (int i = 0; i < FAILURES; i++) {
      pair.near().post(new Wqe(WqeOpcode.RDMA_WRITE).remote(BASE, key).data(source, 0, 8));
      devices.settle();
    }
    assertThat(memory.writes).isEqualTo(FAILURES);
    assertThat(direct.getTotalCapacity() - before).isLessThan(BATCH_BYTES);
  }
}
