package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The explanations of refused accesses. The conformance suite tests the refusals themselves. */
class RawAccessTest {
  private final Rig rig = Rigs.open();
  private final RawMemory local = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void theRightThatTheKeyLacksIsNamed() {
    RawMemory remote = rig.memory(64, HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_READ);
    RawPair pair = rig.pair();
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "rkey 0x%x does not grant REMOTE_WRITE".formatted(remote.key()),
            "LOCAL_READ, LOCAL_WRITE, REMOTE_READ");
  }

  @Test
  void theDomainsOfKeyAndQueuePairAreNamed() {
    RawMemory remote = rig.memory(64);
    RawMemory alien = rig.memory(64);
    var domain = rig.nic().allocateProtectionDomain();
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)),
            rig.qp(new RawQpPlan(rig.cq(4)).change(qpc -> qpc.set(Qpc.PD, domain.number()))),
            new Settings());
    pair.left().post(Wqe.write(remote, 0).data(alien, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "belongs to protection domain 0x%x, but the queue pair belongs to 0x%x"
                .formatted(rig.domain().number(), domain.number()));
  }

  @Test
  void aKeyOfOneQueuePairServesNoOther() {
    RawPair pair = rig.pair();
    RawPair other = rig.pair();
    RawMemory remote = rig.memory(64);
    RawKey key = new RawKey(rig, remote, mkc -> mkc.set(Mkc.QPN, pair.right().number()));
    Wqe write =
        new Wqe(WqeOpcode.RDMA_WRITE).remote(remote.address(0), key.key()).data(local, 0, 8);
    pair.left().post(write);
    other.left().post(write);
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    other
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "rkey 0x%x is for QP 0x%x alone".formatted(key.key(), pair.right().number()),
            "not for QP 0x%x".formatted(other.right().number()));
  }

  @ParameterizedTest
  @CsvSource({"8,rwe", "9,rwe", "16,rre", "17,rae", "18,rae"})
  void theRightThatTheQueuePairLacksIsNamed(int opcode, String field) {
    RawMemory remote = rig.memory(64);
    RawPair pair = rig.pair(new Settings().rights(false, false, false));
    Wqe wqe = new Wqe(opcode).remote(remote.address(0), remote.key());
    if (opcode >= WqeOpcode.ATOMIC_CS) {
      wqe.words(0, 0);
    }
    pair.left().post(wqe.data(local, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "opcode %s needs %s".formatted(WqeOpcode.name(opcode), field),
            "QP 0x%x does not have".formatted(pair.right().number()));
  }

  @Test
  void theAddressOfAnAtomicIsNamed() {
    RawMemory remote = rig.memory(64);
    RawPair pair = rig.pair();
    pair.left().post(Wqe.fetchAndAdd(remote, 4, 1).data(local, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "address 0x%x of an atomic is not a multiple of 8".formatted(remote.address(4)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 8192})
  void aWriteOfSeveralBurstsThatLeavesTheRegionWritesNoByte(int beyond) {
    // With packets of 256 bytes, one burst is 4096.
    int bytes = 3 * 4096;
    RawPair pair = rig.pair(new Settings().mtu(1));
    RawMemory source = rig.memory(bytes).fill(1);
    RawMemory target = rig.memory(bytes);
    pair.left().post(Wqe.write(target, beyond).data(source, 0, bytes));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "address 0x%x with byte_count %d".formatted(target.address(beyond), bytes),
            "outside the region of rkey 0x%x".formatted(target.key()));
    assertThat(target.bytes()).containsOnly(0);
    target.expectCanaries();
  }

  private int vendorSyndromeOf(Wqe wqe) {
    RawPair pair = rig.pair();
    pair.left().post(wqe);
    rig.settle();
    return pair.left().sends().pollOne().vendorSyndrome();
  }

  @Test
  void refusalsOfAccessesHaveTheirVendorSyndromes() {
    RawMemory readable = rig.memory(64, HcaAccess.REMOTE_READ);
    RawMemory remote = rig.memory(64);
    assertThat(vendorSyndromeOf(Wqe.write(readable, 0).data(local, 0, 8))).isEqualTo(0x88);
    assertThat(vendorSyndromeOf(Wqe.write(readable, 0).data(rig.memory(8192), 0, 8192)))
        .isEqualTo(0x88);
    assertThat(vendorSyndromeOf(Wqe.fetchAndAdd(remote, 4, 1).data(local, 0, 8))).isEqualTo(0x8a);
    assertThat(vendorSyndromeOf(Wqe.write(remote, 0).data(local.address(0), 8, 0))).isEqualTo(0x51);
    assertThat(vendorSyndromeOf(Wqe.read(remote, 0).data(readable, 0, 8))).isEqualTo(0x51);
  }
}
