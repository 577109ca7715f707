package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemic;
import dev.bluebell.softnic.rig.Rig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ALLOC_MEMIC, DEALLOC_MEMIC, and memory keys over what they allocate. */
class MemicTest extends Refusals {
  private static final int PAGE = 4096;
  private static final int PAGES = RawMemic.BAR_BYTES / PAGE;

  private static View mkc(View command) {
    return command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
  }

  private static long address(HcaObject memory) {
    return View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR);
  }

  private HcaObject allocate(long bytes) {
    return rig.nic().create(RawMemic.command(bytes).bytes());
  }

  private static View free(long address, long bytes) {
    return View.command(DeallocMemicIn.STRUCTURE, CommandOpcode.DEALLOC_MEMIC)
        .set(DeallocMemicIn.MEMIC_START_ADDR, address)
        .set(DeallocMemicIn.MEMIC_SIZE, bytes);
  }

  @Test
  void theCapabilitiesReportTheAddressAndSizeOfTheBar() {
    byte[] answer =
        rig.nic()
            .execute(
                View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                    .set(CmdIn.OP_MOD, 0xf << 1 | 1)
                    .bytes());
    View cap = View.over(View.over(answer).getBytes(QueryHcaCapOut.CAPABILITY));
    assertThat(cap.isSet(DeviceMemCap.MEMIC)).isTrue();
    assertThat(cap.get(DeviceMemCap.MEMIC_BAR_START_ADDR)).isEqualTo(RawMemic.BAR_START);
    assertThat(cap.get(DeviceMemCap.MEMIC_BAR_SIZE)).isEqualTo(RawMemic.BAR_BYTES);
    assertThat(cap.get(DeviceMemCap.MAX_MEMIC_SIZE)).isEqualTo(RawMemic.BAR_BYTES / 2);
    assertThat(cap.isSet(DeviceMemCap.MEMIC_OPERATIONS)).isFalse();
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(
            c -> c.set(AllocMemicIn.LOG_MEMIC_ADDR_ALIGNMENT, 7), "log_memic_addr_alignment 7"),
        Case.badParam(c -> c.set(AllocMemicIn.MEMIC_SIZE, 0), "memic_size 0"),
        Case.badParam(c -> c.set(AllocMemicIn.MEMIC_SIZE, 63), "memic_size 63"),
        Case.badParam(
            c -> c.set(AllocMemicIn.MEMIC_SIZE, RawMemic.BAR_BYTES / 2 + 64), "memic_size 131136"),
        Case.badParam(c -> c.set(AllocMemicIn.MEMIC_SIZE, 0xffff_ffc0L), "memic_size 4294967232"),
        Case.badParam(
            c -> c.set(AllocMemicIn.RANGE_START_ADDR, RawMemic.BAR_START - 1), "range_start_addr"),
        Case.badParam(
            c -> c.set(AllocMemicIn.RANGE_START_ADDR, RawMemic.BAR_START + 1), "range_start_addr"),
        Case.badParam(c -> c.set(AllocMemicIn.RANGE_START_ADDR, -1), "range_start_addr"),
        Case.badParam(
            c -> c.set(AllocMemicIn.RANGE_SIZE, RawMemic.BAR_BYTES + 1), "range_size 262145"),
        Case.of(
            c -> c.set(AllocMemicIn.RANGE_SIZE, PAGE - 1),
            CommandStatus.NO_RES,
            "range_size 4095 has too few contiguous free pages"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(wrong, RawMemic.command(64), rig.nic()::create);
  }

  @Test
  void anotherCommandAllocatesNoDeviceMemory() {
    MemorySegment window = Arena.ofAuto().allocate(RawMemic.BAR_BYTES, PAGE);
    expectRefused(
        Case.of(c -> {}, CommandStatus.BAD_OP, "opcode 0x206 does not allocate device memory"),
        free(RawMemic.BAR_START, 64),
        c -> rig.nic().allocateDeviceMemory(c, window));
  }

  @Test
  void aWindowHasTheSizeOfTheBarAndBeginsWithAPage() {
    MemorySegment memory = Arena.ofAuto().allocate(RawMemic.BAR_BYTES + 64, PAGE);
    for (MemorySegment wrong : List.of(memory, memory.asSlice(64))) {
      assertThatThrownBy(() -> rig.nic().allocateDeviceMemory(RawMemic.command(64).bytes(), wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("262144 bytes");
    }
  }

  @Test
  void everyAllocationHasItsOwnPagesUntilTheyRunOut() {
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < PAGES; i++) {
      HcaObject memory = allocate(64);
      assertThat(address(memory) % PAGE).isZero();
      assertThat(memory.number()).isEqualTo((int) address(memory));
      assertThat(addresses.add(address(memory))).isTrue();
    }
    HcaException full = Rig.refused(() -> allocate(64));
    assertThat(full.status()).isEqualTo(CommandStatus.NO_RES);
    assertThat(full).hasMessageContaining("too few contiguous free pages for memic_size 64");
  }

  @Test
  void allocatingAndFreeingKeepsTheContentsOfThePages() {
    MemorySegment window = Arena.ofAuto().allocate(RawMemic.BAR_BYTES, PAGE).fill((byte) 7);
    rig.nic().allocateDeviceMemory(RawMemic.command(64).bytes(), window).close();
    assertThat(window.toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
  }

  @Test
  void anAllocationStaysInsideTheRequestedRange() {
    View command =
        RawMemic.command(PAGE)
            .set(AllocMemicIn.RANGE_START_ADDR, RawMemic.BAR_START + 3 * PAGE - 1)
            .set(AllocMemicIn.RANGE_SIZE, 2 * PAGE);
    assertThat(address(rig.nic().create(command.bytes()))).isEqualTo(RawMemic.BAR_START + 3 * PAGE);
    assertThat(Rig.refused(() -> rig.nic().create(command.bytes())).status())
        .isEqualTo(CommandStatus.NO_RES);
  }

  @Test
  void allocationsInAnyOrderNeverOverlap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<HcaObject> held = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    int refusals = 0;
    for (int i = 0; i < 2000; i++) {
      if (random.nextInt(5) < 2 && !held.isEmpty()) {
        int which = random.nextInt(held.size());
        held.remove(which).close();
        sizes.remove(which);
        continue;
      }
      long bytes = 64L * (1 + random.nextInt(5 * PAGE / 64));
      try {
        HcaObject memory = allocate(bytes);
        for (int other = 0; other < held.size(); other++) {
          long distance = address(memory) - address(held.get(other));
          assertThat(distance >= 0 ? distance >= sizes.get(other) : -distance >= bytes)
              .as("seed %d, step %d", seed, i)
              .isTrue();
        }
        assertThat(address(memory) + bytes)
            .isLessThanOrEqualTo(RawMemic.BAR_START + RawMemic.BAR_BYTES);
        held.add(memory);
        sizes.add(bytes);
      } catch (HcaException full) {
        assertThat(full.status()).isEqualTo(CommandStatus.NO_RES);
        refusals++;
      }
    }
    assertThat(refusals).as("seed %d", seed).isPositive();
    held.forEach(HcaObject::close);
    allocate(RawMemic.BAR_BYTES / 2);
    allocate(RawMemic.BAR_BYTES / 2);
  }

  static Stream<Case> mistakesOfFreeing() {
    return Stream.of(
        Case.badResource(
            c -> c.set(DeallocMemicIn.MEMIC_START_ADDR, RawMemic.BAR_START + 64),
            "memic_start_addr 0x800040"),
        Case.badResource(
            c -> c.set(DeallocMemicIn.MEMIC_START_ADDR, -1), "memic_start_addr 0xffffffffffffffff"),
        Case.badParam(c -> c.set(DeallocMemicIn.MEMIC_SIZE, PAGE), "memic_size 4096", "128 bytes"));
  }

  @ParameterizedTest
  @MethodSource("mistakesOfFreeing")
  void aMistakeOfFreeingIsRefusedAndNamed(Case wrong) {
    HcaObject memory = allocate(128);
    expectRefused(wrong, free(address(memory), 128), c -> Rigs.command(rig.nic(), c));
    memory.close();
    memory.close();
  }

  @Test
  void freeingTwiceIsRefused() {
    HcaObject memory = allocate(128);
    byte[] free = free(address(memory), 128).bytes();
    Rigs.command(rig.nic(), free);
    assertThat(Rig.refused(() -> Rigs.command(rig.nic(), free)).status())
        .isEqualTo(CommandStatus.BAD_RES);
    assertThat(Rig.refused(memory::close).status()).isEqualTo(CommandStatus.BAD_RES);
  }

  // ---- memory keys

  static Stream<Case> mistakesOfKeys() {
    return Stream.of(
        Case.badParam(
            c -> c.set(CreateMkeyIn.MKEY_UMEM_VALID, true),
            "mkey_umem_valid is 1",
            "access_mode_4_2"),
        Case.badParam(c -> mkc(c).set(Mkc.ACCESS_MODE_4_2, 0), "mkey_umem_valid is 0", "MTT"),
        Case.badParam(c -> mkc(c).set(Mkc.ACCESS_MODE_1_0, 0), "access_mode 4"),
        Case.badParam(c -> mkc(c).set(Mkc.FREE, true), "free is 1"),
        Case.badParam(c -> mkc(c).set(Mkc.LENGTH64, true), "length64 is 1"),
        Case.badResource(c -> mkc(c).set(Mkc.PD, 0x7777), "pd 0x7777"),
        Case.badResource(c -> mkc(c).set(Mkc.LEN, 65), "start_addr 0x800000", "len 65"),
        Case.badResource(c -> mkc(c).set(Mkc.LEN, -1), "start_addr", "len"),
        Case.badResource(c -> mkc(c).set(Mkc.LEN, Long.MIN_VALUE), "start_addr", "len"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, RawMemic.BAR_START + 1), "start_addr"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, RawMemic.BAR_START - 1), "start_addr"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, RawMemic.BAR_START + PAGE), "start_addr"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, 0), "start_addr 0x0"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, -1), "start_addr"),
        Case.badResource(c -> mkc(c).set(Mkc.START_ADDR, Long.MIN_VALUE), "start_addr"));
  }

  @ParameterizedTest
  @MethodSource("mistakesOfKeys")
  void aMistakeOfAKeyIsRefusedAndNamed(Case wrong) {
    RawMemic memory = new RawMemic(rig, 64);
    expectRefused(wrong, memory.key(0, 64), rig.nic()::create);
  }

  @Test
  void aKeyDoesNotReachOverTheEndIntoTheNextAllocation() {
    RawMemic first = new RawMemic(rig, PAGE);
    RawMemic second = new RawMemic(rig, PAGE);
    assertThat(second.address()).isEqualTo(first.address() + PAGE);
    assertThat(Rig.refused(() -> first.create(first.key(0, PAGE + 64))).status())
        .isEqualTo(CommandStatus.BAD_RES);
  }

  @Test
  void memoryWithKeysIsBusy() {
    RawMemic memory = new RawMemic(rig, 128);
    HcaObject one = rig.nic().create(memory.key(0, 128).bytes());
    HcaObject other = rig.nic().create(memory.key(64, 0).bytes());
    HcaException busy = Rig.refused(memory.object()::close);
    assertThat(busy.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(busy).hasMessageContaining("device memory at 0x800000 still has memory keys (2)");
    one.close();
    assertThat(Rig.refused(memory.object()::close).status()).isEqualTo(CommandStatus.RES_BUSY);
    other.close();
    memory.object().close();
    assertThat(Rig.refused(() -> memory.create(memory.key(0, 64))).status())
        .isEqualTo(CommandStatus.BAD_RES);
  }

  @Test
  void theObjectsAreListed() {
    HcaObject memory = allocate(128);
    assertThat(rig.nic().diagnosis().orElseThrow().objects())
        .contains("device memory 0x800000: 128 bytes, 0 users");
    memory.close();
    assertThat(rig.nic().diagnosis().orElseThrow().objects())
        .noneMatch(line -> line.startsWith("device memory"));
  }
}
