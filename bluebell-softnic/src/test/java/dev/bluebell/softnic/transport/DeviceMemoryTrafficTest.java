package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemic;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work requests on device memory, which their keys name from address 0. */
class DeviceMemoryTrafficTest {
  private static final int BYTES = 3 * 4096;
  private static final int GRH_BYTES = 40;
  private static final int UC = 1;
  private static final int UD = 2;

  private final Rig rig = Rigs.open();
  private final RawMemic memic = new RawMemic(rig, BYTES);
  private final int key = memic.create(memic.key(0, BYTES));
  private final RawMemory own = rig.memory(BYTES).fill(3);
  private final RawPair pair = rig.pair();

  @AfterEach
  void close() {
    own.expectCanaries();
    memic.expectCanaries();
    rig.close();
  }

  private void post(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
  }

  private Wqe remote(int opcode, long offset) {
    return new Wqe(opcode).remote(offset, key);
  }

  private void requireDone() {
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private void requireError(int syndrome, String explanation) {
    pair.left().sends().pollOne().requireError(syndrome, 0, explanation);
  }

  private byte[] fillDeviceMemory() {
    byte[] bytes = new byte[BYTES];
    new Random(BYTES).nextBytes(bytes);
    memic.segment().copyFrom(MemorySegment.ofArray(bytes));
    return bytes;
  }

  @Test
  void aWriteIsSeenInTheMapping() {
    post(remote(WqeOpcode.RDMA_WRITE, 100).data(own, 0, 9000));
    requireDone();
    assertThat(memic.bytes(100, 9000)).isEqualTo(own.bytes(0, 9000));
    assertThat(memic.bytes(0, 100)).containsOnly(0);
  }

  @Test
  void aReadFetchesWhatTheMappingHolds() {
    byte[] bytes = fillDeviceMemory();
    post(remote(WqeOpcode.RDMA_READ, 0).data(own, 0, BYTES));
    requireDone();
    assertThat(own.bytes()).isEqualTo(bytes);
  }

  @Test
  void anAtomicChangesDeviceMemory() {
    memic.segment().set(ValueLayout.JAVA_LONG, 64, 40);
    post(remote(WqeOpcode.ATOMIC_FA, 64).words(2, 0).data(own, 0, 8));
    requireDone();
    assertThat(memic.segment().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(42);
    assertThat(own.getLong(0)).isEqualTo(40);
  }

  @Test
  void aSendGathersFromAndScattersToDeviceMemory() {
    byte[] bytes = fillDeviceMemory();
    pair.right().receive(8192, 4096, key);
    post(Wqe.send().data(0, 4096, key));
    requireDone();
    pair.right().receives().pollOne();
    assertThat(memic.bytes(8192, 4096)).isEqualTo(memic.bytes(0, 4096));
    assertThat(memic.bytes(0, 8192)).isEqualTo(Arrays.copyOf(bytes, 8192));
  }

  @Test
  void aKeyOfAPartNamesThatPartFromZero() {
    byte[] bytes = fillDeviceMemory();
    int part = memic.create(memic.key(4100, 100));
    post(new Wqe(WqeOpcode.RDMA_READ).remote(0, part).data(own, 0, 100));
    requireDone();
    assertThat(own.bytes(0, 100)).isEqualTo(Arrays.copyOfRange(bytes, 4100, 4200));
    post(new Wqe(WqeOpcode.RDMA_READ).remote(1, part).data(own, 0, 100));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "outside the region of rkey", "[0x0, 0x64)");
  }

  @Test
  void theAddressInTheBarIsOutsideTheKey() {
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(memic.address(), key).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "outside the region");
  }

  @Test
  void anAccessBeyondTheEndIsRefused() {
    post(remote(WqeOpcode.RDMA_WRITE, BYTES - 7).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "outside the region");
    assertThat(memic.bytes(0, BYTES)).containsOnly(0);
  }

  @Test
  void aLocalAccessBeyondTheEndIsRefused() {
    post(Wqe.write(own, 0).data(-1, 8, key));
    requireError(Syndrome.LOCAL_PROT_ERR, "outside the region");
  }

  @Test
  void aRightThatTheKeyLacksIsRefused() {
    View command = memic.key(0, BYTES);
    command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY).set(Mkc.RW, false);
    int readOnly = memic.create(command);
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(0, readOnly).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "does not grant REMOTE_WRITE");
    assertThat(memic.bytes(0, 8)).containsOnly(0);
  }

  @Test
  void anUnreliableConnectionWritesDeviceMemory() {
    RawPair uc =
        RawPair.connect(
            rig.qp(new RawQpPlan(rig.cq(6)).service(UC)),
            rig.qp(new RawQpPlan(rig.cq(6)).service(UC)),
            new Settings());
    uc.left().post(remote(WqeOpcode.RDMA_WRITE, 0).data(own, 0, BYTES));
    rig.settle();
    uc.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(memic.bytes(0, BYTES)).isEqualTo(own.bytes());
  }

  private RawQp datagrams() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(UD));
    qp.connect(0, new Settings());
    return qp;
  }

  @Test
  void aDatagramLandsInDeviceMemory() {
    RawQp sender = datagrams();
    RawQp receiver = datagrams();
    receiver.receive(0, 1000, key);
    sender.post(Wqe.datagram(receiver, Addresses.IPV4).data(own, 0, 500));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(memic.bytes(GRH_BYTES, 500)).isEqualTo(own.bytes(0, 500));
  }

  @Test
  void aDestroyedKeyReachesNothing() {
    RawMemic other = new RawMemic(rig, 64);
    var made = rig.nic().create(other.key(0, 64).bytes());
    int gone = made.number() << 8 | RawMemic.TAG;
    made.close();
    other.object().close();
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(0, gone).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "does not name a memory key");
    assertThat(other.bytes(0, 8)).containsOnly(0);
  }
}
