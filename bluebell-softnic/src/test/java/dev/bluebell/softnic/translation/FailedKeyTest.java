package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the memory of one of several processes is gone, the explanation names its key. */
class FailedKeyTest {
  private static final int BYTES = 256;
  private static final int PIECE = 16;

  private final Rig rig = Rigs.open();
  private final OtherProcess there = new OtherProcess(rig, BYTES);
  private final OtherProcess gone = new OtherProcess(rig, BYTES).protect(false, false);
  private final HcaMemory thereKey = there.register(HcaAccess.ALL);
  private final HcaMemory goneKey = gone.register(HcaAccess.ALL);
  private final RawMemory own = rig.memory(BYTES).fill(1);
  private final RawPair pair =
      RawPair.connect(
          rig.qp(rig.cq(4)), rig.qp(new RawQpPlan(rig.cq(4)).sizes(4, 3, 5)), new Settings());

  @AfterEach
  void close() {
    rig.close();
  }

  private void post(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
  }

  private static String registered(String keyName, HcaMemory key) {
    return "the process that registered %s 0x%x no longer has such memory"
        .formatted(keyName, key.lkey());
  }

  private Wqe piece(Wqe wqe, HcaMemory key, int index) {
    return wqe.data(OtherProcess.BASE + (long) PIECE * index, PIECE, key.lkey());
  }

  /**
   * A list with pieces of a living process, of the device and, at one place, of unmapped memory.
   */
  private Wqe listing(Wqe wqe, int goneAt) {
    for (int i = 0; i < 7; i++) {
      if (i == goneAt) {
        piece(wqe, goneKey, i);
      } else if (i % 2 == 0) {
        piece(wqe, thereKey, i);
      } else {
        wqe.data(own, (long) PIECE * i, PIECE);
      }
    }
    return wqe;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void aWriteNamesTheLocalKeyThatFailed(int goneAt) {
    RawMemory target = rig.memory(BYTES);
    post(listing(Wqe.write(target, 0), goneAt));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, registered("lkey", goneKey));
    assertThat(target.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void aReadNamesTheLocalKeyThatFailed(int goneAt) {
    RawMemory source = rig.memory(BYTES).fill(2);
    post(listing(Wqe.read(source, 0), goneAt));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, registered("lkey", goneKey));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReceiveNamesTheLocalKeyThatFailed(boolean goneFirst) {
    entry(0, goneFirst ? goneKey : thereKey);
    entry(1, goneFirst ? thereKey : goneKey);
    pair.right().writeReceiveRecord(1);
    post(Wqe.send().data(own, 0, 2 * PIECE));
    pair.right()
        .receives()
        .pollOne()
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, registered("lkey", goneKey));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_OP_ERR, 0, registered("lkey", goneKey));
  }

  private void entry(int index, HcaMemory key) {
    long at = pair.right().receiveWqe(0) + 16L * index;
    Memory.putLong(at, DataSegment.first(PIECE, key.lkey()));
    Memory.putLong(at + 8, OtherProcess.BASE);
  }

  @ParameterizedTest
  @ValueSource(ints = {WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_READ, WqeOpcode.ATOMIC_FA})
  void theRemoteKeyThatFailedIsNamed(int opcode) {
    Wqe wqe = new Wqe(opcode).remote(OtherProcess.BASE, goneKey.rkey());
    if (opcode == WqeOpcode.ATOMIC_FA) {
      wqe.words(1, 0);
    }
    post(wqe.data(OtherProcess.BASE, 8, thereKey.lkey()));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, registered("rkey", goneKey));
  }

  @Test
  void aListOfManyProcessesArrivesWhole() {
    gone.protect(true, true).put(0, own.bytes()).put(48, new byte[PIECE]);
    there.put(0, own.bytes());
    RawMemory target = rig.memory(BYTES);
    post(listing(Wqe.write(target, 0), 3));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    byte[] expected = own.bytes(0, 7 * PIECE);
    System.arraycopy(new byte[PIECE], 0, expected, 48, PIECE);
    assertThat(target.bytes(0, 7 * PIECE)).isEqualTo(expected);
  }
}
