package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE_MKEY, QUERY_MKEY, the destruction of keys, and registration, which makes keys too. */
class CreateMkeyTest extends Refusals {

  private static View mkc(View command) {
    return command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> mkc(c).set(Mkc.ACCESS_MODE_1_0, 2), "access_mode 2", "access_mode_1_0"),
        Case.badParam(c -> mkc(c).set(Mkc.ACCESS_MODE_4_2, 1), "access_mode 5", "access_mode_4_2"),
        Case.badParam(c -> mkc(c).set(Mkc.ACCESS_MODE_1_0, 0), "access_mode 0", "access_mode_1_0"),
        Case.badParam(c -> mkc(c).set(Mkc.FREE, true), "free is 1"),
        Case.badParam(c -> mkc(c).set(Mkc.LENGTH64, true), "length64 is 1"),
        Case.badResource(c -> mkc(c).set(Mkc.PD, 0x7777), "pd 0x7777"),
        Case.badParam(c -> c.set(CreateMkeyIn.MKEY_UMEM_VALID, false), "mkey_umem_valid is 0"),
        Case.badResource(c -> c.set(CreateMkeyIn.MKEY_UMEM_ID, 0x7777), "mkey_umem_id 0x7777"),
        Case.badParam(c -> c.set(CreateMkeyIn.MKEY_UMEM_OFFSET, 1), "mkey:", "offset 0x1"),
        Case.badParam(c -> c.set(CreateMkeyIn.MKEY_UMEM_OFFSET, -1), "mkey:", "offset"),
        Case.badParam(c -> mkc(c).set(Mkc.LEN, 65), "mkey:", "65 bytes", "mkey_umem_id", "len"),
        Case.badParam(c -> mkc(c).set(Mkc.LEN, -1), "mkey:", "len"),
        Case.badParam(c -> mkc(c).set(Mkc.LOG_PAGE_SIZE, 11), "log_page_size 11", "2^12"),
        Case.badParam(
            c -> mkc(c).set(Mkc.TRANSLATIONS_OCTWORD_SIZE, 0),
            "translations_octword_size is 0",
            "1 pages of 2^12 bytes",
            "take 1 octwords"),
        Case.badParam(
            c -> mkc(c).set(Mkc.START_ADDR, 0x1fff).set(Mkc.TRANSLATIONS_OCTWORD_SIZE, 0),
            "translations_octword_size is 0",
            "2 pages"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    RawMemory memory = rig.memory(64);
    View command = RawKey.command(rig, rig.nic().registerUmem(memory.segment()), memory);
    expectRefused(wrong, command, rig.nic()::create);
  }

  @Test
  void theContextIsKept() {
    RawMemory memory = rig.memory(64);
    View context = new RawKey(rig, memory).query();
    assertThat(context.get(Mkc.START_ADDR)).isEqualTo(memory.address(0));
    assertThat(context.get(Mkc.LEN)).isEqualTo(64);
    assertThat(context.getInt(Mkc.MKEY_7_0)).isEqualTo(0x5a);
  }

  @Test
  void aKeyMayNameItsMemoryFromZero() {
    RawMemory memory = rig.memory(64).fill(1);
    RawKey key = new RawKey(rig, memory, context -> context.set(Mkc.START_ADDR, 0));
    RawPair pair = rig.pair();
    RawMemory local = rig.memory(64);
    pair.left().post(new Wqe(WqeOpcode.RDMA_READ).remote(8, key.key()).data(local, 0, 56));
    pair.left().post(new Wqe(WqeOpcode.RDMA_READ).remote(9, key.key()).data(local, 0, 56));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "[0x0, 0x40)");
    assertThat(local.bytes(0, 56)).isEqualTo(memory.bytes(8, 56));
  }

  @Test
  void anAtomicNeedsOnlyItsVirtualAddressAligned() {
    RawMemory memory = rig.memory(64);
    RawKey key = new RawKey(rig, memory, context -> context.set(Mkc.START_ADDR, 3));
    // Address 8 is byte 5 of memory that starts at a multiple of 64.
    memory.putLong(5, 41);
    RawPair pair = rig.pair();
    RawMemory local = rig.memory(16);
    pair.left()
        .post(new Wqe(WqeOpcode.ATOMIC_FA).remote(8, key.key()).words(1, 0).data(local, 0, 8));
    pair.left()
        .post(new Wqe(WqeOpcode.ATOMIC_CS).remote(8, key.key()).words(7, 42).data(local, 8, 8));
    pair.left()
        .post(new Wqe(WqeOpcode.ATOMIC_CS).remote(8, key.key()).words(9, 42).data(local, 8, 8));
    rig.settle();
    pair.left().sends().poll(3).getLast().require(CqeOpcode.REQ, 2);
    assertThat(local.getLong(0)).isEqualTo(41);
    assertThat(local.getLong(8)).isEqualTo(7);
    assertThat(memory.getLong(5)).isEqualTo(7);
  }

  @Test
  void eachRegistrationGetsAKeyOfItsOwn() {
    RawMemory memory = rig.memory(64);
    Set<Integer> keys = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      HcaMemory registration =
          rig.nic()
              .registerMemory(
                  rig.domain(), memory.segment(), memory.address(0), HcaAccess.LOCAL_WRITE);
      assertThat(keys.add(registration.lkey())).isTrue();
      assertThat(registration.rkey()).isEqualTo(registration.lkey());
      registration.close();
      registration.close();
    }
  }

  @Test
  @Tag("slow")
  void whenAnIndexIsUsedAgainTheOldKeyIsRefusedAndItsTagIsNamed() {
    RawMemory memory = rig.memory(64).fill(1);
    RawMemory local = rig.memory(64);
    int old = memory.key();
    memory.registration().close();
    int fresh = registerUntilIndex(memory, old >>> 8);
    assertThat(fresh).isNotEqualTo(old);
    RawPair pair = rig.pair();
    pair.left()
        .post(new Wqe(WqeOpcode.RDMA_READ).remote(memory.address(0), fresh).data(local, 0, 64));
    pair.left().post(new Wqe(WqeOpcode.RDMA_READ).remote(memory.address(0), old).data(local, 0, 8));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    assertThat(local.bytes()).isEqualTo(memory.bytes());
    done.get(1)
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            1,
            "rkey 0x%x has the tag 0x%02x".formatted(old, old & 0xff),
            "the memory key with this index is 0x%x".formatted(fresh));
  }

  // All other indexes come first.
  private int registerUntilIndex(RawMemory memory, int index) {
    for (int i = 0; i < 1 << Limits.LOG_MAX_MKEY; i++) {
      HcaMemory registration =
          rig.nic()
              .registerMemory(rig.domain(), memory.segment(), memory.address(0), HcaAccess.ALL);
      if (registration.rkey() >>> 8 == index) {
        return registration.rkey();
      }
      registration.close();
    }
    throw new AssertionError("index 0x%x is not used again".formatted(index));
  }

  @Test
  void unknownRightsAreRefused() {
    RawMemory memory = rig.memory(64);
    HcaException refusal =
        Rig.refused(() -> rig.nic().registerMemory(rig.domain(), memory.segment(), 0, 0x20));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
    assertThat(refusal).hasMessageContaining("access 0x20");
  }

  @Test
  void memoryMayBeRegisteredOnDemandAndOnHugePages() {
    RawMemory memory = rig.memory(8);
    for (int permissions :
        List.of(
            HcaAccess.ON_DEMAND,
            HcaAccess.HUGE_PAGES,
            HcaAccess.ON_DEMAND | HcaAccess.HUGE_PAGES)) {
      HcaMemory registration =
          rig.nic()
              .registerMemory(
                  rig.domain(),
                  memory.segment(),
                  memory.address(0),
                  HcaAccess.REMOTE_READ | permissions);
      RawPair pair = rig.pair();
      RawMemory local = rig.memory(8);
      memory.fill(1);
      pair.left()
          .post(
              new Wqe(WqeOpcode.RDMA_READ)
                  .remote(memory.address(0), registration.rkey())
                  .data(local, 0, 8));
      rig.settle();
      pair.left().sends().poll(1).getFirst().require(CqeOpcode.REQ, 0);
      assertThat(local.bytes()).isEqualTo(memory.bytes());
    }
  }

  @Test
  void memoryOnDemandDoesNotGrantRemoteInvalidation() {
    RawMemory memory = rig.memory(64);
    int access = HcaAccess.ON_DEMAND | HcaAccess.REMOTE_INVALIDATE;
    HcaException refusal =
        Rig.refused(() -> rig.nic().registerMemory(rig.domain(), memory.segment(), 0, access));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
    assertThat(refusal).hasMessageContaining("leave one of the two out");
  }

  @Test
  void aDomainWithKeysCannotBeClosed() {
    RawMemory memory = rig.memory(64);
    HcaException refusal = Rig.refused(() -> rig.domain().close());
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(refusal)
        .hasMessageContaining(
            "PD 0x%x still has queue pairs, shared receive queues or memory keys (1)"
                .formatted(rig.domain().number()));
    memory.registration().close();
    rig.domain().close();
  }
}
