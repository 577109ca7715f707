package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The null key, dump_fill_mkey. */
class NullKeyTest {
  private static final int NOTHING = KeyTable.NOTHING;

  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(256).fill(1);
  private final RawPair pair = rig.pair();
  private final RawQp qp = pair.left();

  @AfterEach
  void close() {
    memory.expectCanaries();
    rig.close();
  }

  private int execute(Wqe wqe) {
    int index = qp.post(wqe);
    rig.settle();
    return index;
  }

  @Test
  void scattersToTheNullKeyAreLostAndGathersReadZeros() {
    byte[] before = memory.bytes(0, 64);
    int index =
        execute(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(memory.address(128), memory.key())
                .data(4096, 32, NOTHING)
                .data(memory, 0, 32));
    qp.sends().pollOne().require(CqeOpcode.REQ, index);
    assertThat(memory.bytes(128, 32)).containsOnly(0);
    assertThat(memory.bytes(160, 32)).isEqualTo(memory.bytes(0, 32));
    index =
        execute(
            new Wqe(WqeOpcode.RDMA_READ)
                .remote(memory.address(128), memory.key())
                .data(1L << 40, 32, NOTHING)
                .data(memory, 64, 32));
    qp.sends().pollOne().require(CqeOpcode.REQ, index);
    assertThat(memory.bytes(64, 32)).isEqualTo(memory.bytes(160, 32));
    assertThat(memory.bytes(0, 64)).isEqualTo(before);
  }

  @Test
  void peersCannotUseTheNullKey() {
    int index = execute(new Wqe(WqeOpcode.RDMA_WRITE).remote(0, NOTHING).data(memory, 0, 32));
    qp.sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, index, "rkey 0x300");
  }
}
