package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work requests on memory of other processes, and what fails when that memory is gone. */
class ForeignMemoryTest {
  private static final int BYTES = 1 << 18;
  private static final int ALL = HcaAccess.ALL;
  private static final String GONE = "no longer has such memory at that address";

  private final Rig rig = Rigs.open();
  private final OtherProcess source = new OtherProcess(rig, BYTES);
  private final OtherProcess target = new OtherProcess(rig, BYTES);
  private final HcaMemory from = source.register(ALL);
  private final HcaMemory to = target.register(ALL);
  private final RawMemory own = rig.memory(BYTES);
  private final RawPair pair = rig.pair();

  @AfterEach
  void close() {
    rig.close();
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private void post(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
  }

  private Wqe onTarget(int opcode, long offset) {
    return new Wqe(opcode).remote(OtherProcess.BASE + offset, to.rkey());
  }

  private Wqe withSource(Wqe wqe, int bytes) {
    return wqe.data(OtherProcess.BASE, bytes, from.lkey());
  }

  private void requireDone() {
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private void requireError(int syndrome, String explanation) {
    pair.left().sends().pollOne().requireError(syndrome, 0, explanation);
  }

  @Test
  void aWriteMovesBytesFromOneProcessToAnother() {
    byte[] bytes = random(200_000);
    source.put(0, bytes);
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 5000), bytes.length));
    requireDone();
    assertThat(target.bytes(5000, bytes.length)).isEqualTo(bytes);
  }

  @Test
  void aReadMovesBytesFromOneProcessToAnother() {
    byte[] bytes = random(200_000);
    target.put(0, bytes);
    post(withSource(onTarget(WqeOpcode.RDMA_READ, 0), bytes.length));
    requireDone();
    assertThat(source.bytes(0, bytes.length)).isEqualTo(bytes);
  }

  @Test
  void aWriteGathersFromOtherProcessesAndTheDevicesOwn() {
    source.put(0, random(700));
    own.put(0, random(900));
    post(
        onTarget(WqeOpcode.RDMA_WRITE, 0)
            .data(OtherProcess.BASE, 700, from.lkey())
            .data(own, 0, 900));
    requireDone();
    assertThat(target.bytes(0, 700)).isEqualTo(random(700));
    assertThat(target.bytes(700, 900)).isEqualTo(random(900));
  }

  @Test
  void aReadScattersToOtherProcessesAndTheDevicesOwn() {
    byte[] bytes = random(1600);
    target.put(0, bytes);
    post(
        onTarget(WqeOpcode.RDMA_READ, 0)
            .data(OtherProcess.BASE, 700, from.lkey())
            .data(own, 0, 900));
    requireDone();
    assertThat(source.bytes(0, 700)).isEqualTo(Arrays.copyOf(bytes, 700));
    assertThat(own.bytes(0, 900)).isEqualTo(Arrays.copyOfRange(bytes, 700, 1600));
  }

  @Test
  void atomicsChangeAnotherProcess() {
    target.memory().set(ValueLayout.JAVA_LONG, 8, 40);
    post(onTarget(WqeOpcode.ATOMIC_FA, 8).words(2, 0).data(OtherProcess.BASE, 8, from.lkey()));
    requireDone();
    assertThat(target.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
    assertThat(source.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
  }

  @Test
  void aCompareAndSwapThatDoesNotMatchWritesNothing() {
    target.memory().set(ValueLayout.JAVA_LONG, 0, 40);
    target.protect(true, false);
    post(onTarget(WqeOpcode.ATOMIC_CS, 0).words(1, 2).data(own, 0, 8));
    requireDone();
    assertThat(target.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
    assertThat(own.getLong(0)).isEqualTo(40);
  }

  @Test
  void aKeyMayUseOtherAddressesThanItsProcess() {
    HcaMemory shifted = target.register(0x5000, ALL);
    own.put(0, random(16));
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(0x5010, shifted.rkey()).data(own, 0, 16));
    requireDone();
    assertThat(target.bytes(16, 16)).isEqualTo(random(16));
  }

  @Test
  void aLandingBufferOfAnAtomicThatIsGoneIsALocalProtectionError() {
    source.protect(false, false);
    post(onTarget(WqeOpcode.ATOMIC_FA, 0).words(1, 0).data(OtherProcess.BASE, 8, from.lkey()));
    requireError(Syndrome.LOCAL_PROT_ERR, GONE);
  }

  @Test
  void remoteMemoryThatCanNotBeReadIsARemoteAccessError() {
    target.protect(false, true);
    post(onTarget(WqeOpcode.RDMA_READ, 0).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, GONE);
  }

  @Test
  void anAtomicOnMemoryThatCanNotBeReadIsARemoteAccessError() {
    target.protect(false, true);
    post(onTarget(WqeOpcode.ATOMIC_FA, 0).words(1, 0).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, GONE);
  }

  @Test
  void anAtomicOnMemoryThatCanNotBeWrittenIsARemoteAccessErrorAndHasNoResult() {
    own.putLong(0, 7);
    target.protect(true, false);
    post(onTarget(WqeOpcode.ATOMIC_FA, 0).words(1, 0).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, GONE);
    assertThat(own.getLong(0)).isEqualTo(7);
  }

  @Test
  void anUngrantedAccessIsRefusedBeforeTheProcessIsAccessed() {
    HcaMemory readOnly = target.register(HcaAccess.REMOTE_READ);
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(OtherProcess.BASE, readOnly.rkey()).data(own, 0, 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "does not grant REMOTE_WRITE");
    assertThat(target.bytes(0, 8)).containsOnly(0);
  }

  @Test
  void aRegionBehindTheEndOfAllAddressesIsRefused() {
    assertThat(
            Rig.refused(
                () ->
                    rig.nic()
                        .hosting()
                        .orElseThrow()
                        .registerMemory(rig.domain(), target, Long.MAX_VALUE, 2, 0, 0)))
        .hasMessageContaining("no process has 2 bytes");
  }

  private void reregister(HcaObject domain, OtherProcess process, long bytes, int access) {
    rig.nic()
        .hosting()
        .orElseThrow()
        .reregisterMemory(to, domain, process, OtherProcess.BASE, bytes, OtherProcess.BASE, access);
  }

  @Test
  void aReregisteredKeyNamesOtherMemory() {
    OtherProcess other = new OtherProcess(rig, 100);
    reregister(rig.domain(), other, 100, ALL);
    byte[] bytes = random(100);
    source.put(0, bytes);
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 0), 100));
    requireDone();
    assertThat(other.bytes(0, 100)).isEqualTo(bytes);
    assertThat(target.bytes(0, 100)).isEqualTo(new byte[100]);
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 1), 100));
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "outside the region");
  }

  @Test
  void aReregisteredKeyGrantsOtherRights() {
    reregister(rig.domain(), target, BYTES, HcaAccess.LOCAL_WRITE);
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 0), 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "does not grant REMOTE_WRITE");
  }

  @Test
  void aReregisteredKeyBelongsToItsNewDomainAlone() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    reregister(domain, target, BYTES, ALL);
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 0), 8));
    requireError(Syndrome.REMOTE_ACCESS_ERR, "protection domain");
    assertThatThrownBy(domain::close).isInstanceOf(HcaException.class);
    to.close();
    domain.close();
  }

  @Test
  void aRefusedReregistrationChangesNothing() {
    assertThatThrownBy(() -> reregister(rig.domain(), target, -1, ALL))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("no process has -1 bytes");
    post(withSource(onTarget(WqeOpcode.RDMA_WRITE, 0), 8));
    requireDone();
  }

  @Test
  void aClosedKeyCannotBeReregistered() {
    to.close();
    assertThatThrownBy(() -> reregister(rig.domain(), target, BYTES, ALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
  }

  private HcaUmem umem() {
    return rig.nic()
        .hosting()
        .orElseThrow()
        .registerUmem(target, OtherProcess.BASE, target.memory().byteSize());
  }

  @Test
  void aKeyOverAUmemReachesTheOtherProcess() {
    HcaUmem umem = umem();
    View command =
        View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY)
            .set(CreateMkeyIn.MKEY_UMEM_ID, umem.number())
            .set(CreateMkeyIn.MKEY_UMEM_VALID, true)
            .set(CreateMkeyIn.MKEY_UMEM_OFFSET, 4096);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.QPN, 0xffffff)
        .set(Mkc.MKEY_7_0, 0x42)
        .set(Mkc.PD, rig.domain().number())
        .set(Mkc.LR, true)
        .set(Mkc.RW, true)
        .set(Mkc.START_ADDR, 0x7000)
        .set(Mkc.LEN, 4096)
        .set(Mkc.LOG_PAGE_SIZE, 12)
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, 1);
    HcaObject key = rig.nic().create(command.bytes());
    byte[] bytes = random(100);
    source.put(0, bytes);
    post(
        withSource(
            new Wqe(WqeOpcode.RDMA_WRITE).remote(0x7000 + 10, key.number() << 8 | 0x42), 100));
    requireDone();
    assertThat(target.bytes(4096 + 10, 100)).isEqualTo(bytes);
  }

  @Test
  void noQueueLiesInMemoryOfAnotherProcess() {
    HcaUmem umem = umem();
    View command = rig.cq(3).command().set(CreateCqIn.CQ_UMEM_ID, umem.number());
    assertThatThrownBy(() -> rig.nic().create(command.bytes()))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("memory of another process");
  }

  @Test
  void aUmemOfNoMemoryIsRefused() {
    HcaHosting hosting = rig.nic().hosting().orElseThrow();
    assertThatThrownBy(() -> hosting.registerUmem(target, OtherProcess.BASE, -1))
        .isInstanceOf(HcaException.class);
  }
}
